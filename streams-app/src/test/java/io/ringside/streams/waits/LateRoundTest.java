package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LateRoundTest {
  private static final String LINE = "a:1:2 [0] NCCL INFO AllGather: opCount 7a count 4";

  @Test
  void keepsAllOfSixteen() {
    var round = round(16, 1);

    assertThat(round.operation()).isEqualTo("AllGather");
    assertThat(round.calls()).extracting(LateRound.Call::rank).hasSize(16).endsWith(15);
    assertThat(round.isLate(15)).isTrue();
    assertThat(round.isLate(14)).isFalse();
  }

  @Test
  void keepsTheFirstTheMedianAndTheLastOfMany() {
    var round = round(10_001, 1);

    assertThat(round.ranks()).isEqualTo(10_001);
    assertThat(round.calls())
        .extracting(LateRound.Call::rank)
        .containsExactly(0, 5_000, 9_997, 9_998, 9_999, 10_000);
    assertThat(round.calls()).filteredOn(LateRound.Call::late).hasSize(1);
  }

  /// Half of them behind one switch.
  @Test
  void marksNobodyInTimeWhereHalfAreLate() {
    for (int ranks = 17; ranks < 80; ranks++) {
      var round = round(ranks, ranks / 2);

      int first = ranks - ranks / 2;
      assertThat(round.calls()).hasSizeLessThanOrEqualTo(16).doesNotHaveDuplicates();
      assertThat(round.calls()).allMatch(call -> call.late() == (call.rank() >= first));
    }
  }

  /// Ranks come in the order of their numbers.
  private static LateRound round(int ranks, int late) {
    return LateRound.of(
        LINE,
        IntStream.range(0, ranks).toArray(),
        LongStream.range(0, ranks).toArray(),
        new long[ranks],
        late);
  }
}
