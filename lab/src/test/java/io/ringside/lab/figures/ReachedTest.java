package io.ringside.lab.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReachedTest {
  @Test
  void isOpenWhereTheAimLiesWithinWhatIsLikely() {
    assertThat(Reached.atMost(5, new Interval(1, 4))).isEqualTo(Reached.YES);
    assertThat(Reached.atMost(5, new Interval(1, 6))).isEqualTo(Reached.OPEN);
    assertThat(Reached.atMost(5, new Interval(6, 7))).isEqualTo(Reached.NO);
    assertThat(Reached.atLeast(0.9, new Interval(0.95, 1))).isEqualTo(Reached.YES);
    assertThat(Reached.atLeast(0.9, new Interval(0.8, 1))).isEqualTo(Reached.OPEN);
    assertThat(Reached.atLeast(0.9, new Interval(0.1, 0.2))).isEqualTo(Reached.NO);
  }

  @Test
  void isAsGoodAsTheWorst() {
    assertThat(Reached.all(List.of(Reached.YES, Reached.YES))).isEqualTo(Reached.YES);
    assertThat(Reached.all(List.of(Reached.YES, Reached.OPEN))).isEqualTo(Reached.OPEN);
    assertThat(Reached.all(List.of(Reached.NO, Reached.OPEN))).isEqualTo(Reached.NO);
    assertThat(Reached.all(List.of())).isEqualTo(Reached.OPEN);
  }
}
