package io.ringside.streams.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.streams.recorded.WrittenRun;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnexplainedEndTest {
  private static final int RANKS = 4;
  private static final double STEP = 0.5;

  /// When the last step that all made is over.
  private static final double TRAINED = 1 + 20 * STEP;

  @Test
  void tellsWhoWaitsForWhomWhereTheLogEnds() {
    var run = trained();
    calls(run, TRAINED, 0, 1, 3);
    calls(run, TRAINED + 0.001, 0, 1, 3);

    assertThat(open(run))
        .containsExactly(
            "the log ends while ranks 0, 1, 3 wait in collective call 41 for rank 2: a hang, or the log was cut there");
  }

  @Test
  void saysNothingWhereAllCameAsFar() {
    assertThat(open(trained())).isEmpty();
  }

  @Test
  void saysNothingOfALogThatWasCutInTheMidstOfCalls() {
    var run = trained();
    calls(run, TRAINED, 0, 1, 3);
    calls(run, TRAINED + 0.001, 0, 1);

    assertThat(open(run)).isEmpty();
  }

  @Test
  void saysNothingWhereOneRanksLogWasCutBefore() {
    var run = trained();
    for (int step = 0; step < 10; step++) {
      calls(run, TRAINED + step * STEP, 0, 1, 3);
    }

    assertThat(open(run)).isEmpty();
  }

  @Test
  void saysForHowLongWaitsAreNotKnownSinceOneRanksLogWasCut() {
    var run = trained();
    for (int step = 0; step < 60; step++) {
      calls(run, TRAINED + step * STEP, 0, 1, 3);
    }

    assertThat(notJudged(run, "waits"))
        .containsExactly("the last 30 s, for which the lines of rank 2 are not here");
  }

  @Test
  void saysNothingWhereALineTellsOfTheEnd() {
    var run = trained();
    calls(run, TRAINED, 0, 1, 3);
    run.nccl(
        TRAINED + 1, 0, "comm 0x55d00000 rank 0 nranks 4 cudaDev 0 busId 1b000 - Destroy COMPLETE");

    assertThat(open(run)).isEmpty();
  }

  @Test
  void tellsWhoWaitsForASendWhereTheLogEnds() {
    var run = WrittenRun.of(1, RANKS, "P2P/CUMEM");
    double at = 1;
    for (int step = 0; step < 20; step++, at += STEP) {
      pass(run, at, "Send", 0, 1);
      pass(run, at + 0.01, "Recv", 1, 0);
    }
    pass(run, at, "Recv", 1, 0);

    assertThat(open(run))
        .containsExactly(
            "the log ends while rank 1 waits in a Send or Recv for rank 0: a hang, or the log was cut there");
  }

  @Test
  void saysNothingWhereEachSendWasReceived() {
    var run = WrittenRun.of(1, RANKS, "P2P/CUMEM");
    for (double at = 1; at < TRAINED; at += STEP) {
      pass(run, at, "Send", 0, 1);
      pass(run, at + 0.01, "Recv", 1, 0);
    }

    assertThat(open(run)).isEmpty();
  }

  private static void pass(WrittenRun run, double at, String operation, int rank, int peer) {
    run.nccl(
        at,
        rank,
        "%s: opCount 0 sendbuff 0x7f recvbuff 0x7f count 1024 datatype 9 op 0 root %d comm 0x55d0000%d [nranks=%d] stream 0x5580"
            .formatted(operation, peer, rank, RANKS));
  }

  private static WrittenRun trained() {
    var run = WrittenRun.of(1, RANKS, "P2P/CUMEM");
    for (double at = 1; at < TRAINED; at += STEP) {
      calls(run, at, 0, 1, 2, 3);
      calls(run, at + 0.001, 0, 1, 2, 3);
    }
    return run;
  }

  private static void calls(WrittenRun run, double at, int... ranks) {
    for (int rank : ranks) {
      run.allReduce(at, rank, 1024);
    }
  }

  private static List<String> open(WrittenRun run) {
    return notJudged(run, UnexplainedEnd.WHAT);
  }

  private static List<String> notJudged(WrittenRun run, String what) {
    return WrittenRun.judged(run).runs().getFirst().notJudged().stream()
        .filter(each -> each.what().equals(what))
        .map(NotJudged::because)
        .toList();
  }
}
