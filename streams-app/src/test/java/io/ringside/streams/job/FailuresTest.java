package io.ringside.streams.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.LogChunk;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.event.FailureEvent.Chain;
import org.junit.jupiter.api.Test;

class FailuresTest {
  private final Failures failures = new Failures();

  @Test
  void whatOtherRanksOfAPodCallAheadIsNoLifeOfTheRankThatFailed() {
    raised(3);

    for (int call = 1; call <= 6; call++) {
      failures.progress("pod.log", 100 + call, 5);
    }
    assertThat(failures.signs().getFirst().progressAfter()).isZero();

    failures.progress("pod.log", 200, 3);
    failures.progress("pod.log", 201, -1);
    assertThat(failures.signs().getFirst().progressAfter()).isEqualTo(2);
  }

  @Test
  void anyRankMayHaveCaughtWhatNamesNone() {
    raised(-1);

    failures.progress("pod.log", 99, 5);
    failures.progress("other.log", 101, 5);
    failures.progress("pod.log", 101, 5);

    assertThat(failures.signs().getFirst().progressAfter()).isEqualTo(1);
  }

  private void raised(int rank) {
    failures.note(
        new FailureEvent.Raised(rank, "KeyError", "'labels'", null, Chain.TRACED),
        "pod.log",
        LogChunk.NO_TIME,
        new Evidence(null, "node", "pod", "pod.log", 100, "KeyError: 'labels'"));
  }
}
