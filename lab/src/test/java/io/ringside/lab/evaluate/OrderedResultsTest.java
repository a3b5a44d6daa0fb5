package io.ringside.lab.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OrderedResultsTest {
  @Test
  void handsOverInTheOrderOfTheListWhoeverIsDoneFirst() throws Exception {
    var second = new CountDownLatch(1);
    var handed = new ArrayList<Integer>();
    var numbers = IntStream.range(0, 20).boxed().toList();

    try (var results =
        new OrderedResults<Integer, Integer>(
            numbers,
            number -> {
              if (number == 0) {
                await(second);
              }
              second.countDown();
              return number * number;
            },
            2)) {
      results.forEachRemaining(handed::add);
    }

    assertThat(handed).isEqualTo(numbers.stream().map(number -> number * number).toList());
  }

  @Test
  void passesOnWhatWentWrong() {
    try (var results =
        new OrderedResults<Integer, Integer>(
            List.of(1),
            _ -> {
              throw new IllegalArgumentException("no such job");
            },
            1)) {
      assertThatThrownBy(results::next)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no such job");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
