package io.ringside.streams.detect.hang;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.judge.Judge.Verdict;
import io.ringside.streams.recorded.Recorded;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Stages of a pipeline, each in a log of its own, that pass activations on and gradients back.
/// They make no collective call, and no watchdog speaks.
class UnmetRecvTest {
  private static final Instant BEGIN = Instant.parse("2026-11-21T08:00:00Z");
  private static final int STAGES = 4;
  private static final int STEPS = 40;

  private final Map<Integer, List<String>> lines = new TreeMap<>();

  @Test
  void isAHangOfTheStageThatDoesNotSendOnWhileTheOthersGoOnPrinting() {
    start();
    train(STEPS);
    standInTheMidstOf(STEPS, 2);
    print(300, 0, 1, 3);

    assertThat(hangs())
        .singleElement()
        .satisfies(
            hang -> {
              assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(hang.ranks()).containsExactly(2);
              assertThat(hang.expected()).isEqualTo("every Send meets its Recv");
            });
  }

  @Test
  void isAPauseAtFirst() {
    start();
    train(STEPS);
    standInTheMidstOf(STEPS, 2);
    print(30, 0, 1, 3);

    assertThat(hangs())
        .singleElement()
        .satisfies(hang -> assertThat(hang.severity()).isEqualTo(Severity.INFO));
  }

  @Test
  void isNoneWhereAllWasReceivedAndTheProgramWorksOn() {
    start();
    train(STEPS);
    print(600, 0, 1, 2, 3);

    assertThat(hangs()).isEmpty();
    assertThat(notJudged()).extracting(NotJudged::what).doesNotContain("end");
  }

  /// A line that never came: its rank went on after the peer that seems to wait.
  @Test
  void isNoneWhereALineIsMissingFromTheMiddle() {
    start();
    train(STEPS);
    of(1).removeIf(line -> line.contains("Send: opCount 14 "));
    print(600, 0, 1, 2, 3);

    assertThat(hangs()).isEmpty();
  }

  @Test
  void isNoneWhereTheRunCameToItsEnd() {
    start();
    train(STEPS);
    standInTheMidstOf(STEPS, 2);
    for (int rank = 0; rank < STAGES; rank++) {
      say(
          rank,
          STEPS + 2,
          "comm 0x55%d rank %d nranks %d cudaDev 0 busId 1000 - Destroy COMPLETE"
              .formatted(rank, rank, STAGES));
    }
    print(600, 0, 1, 2, 3);

    assertThat(hangs()).isEmpty();
  }

  @Test
  void saysThatLateSendsAreNotTold() {
    start();
    train(STEPS);

    assertThat(notJudged())
        .filteredOn(it -> it.what().equals("waits"))
        .singleElement()
        .satisfies(
            it -> assertThat(it.because()).startsWith("its calls are Sends and Recvs alone"));
  }

  private void start() {
    for (int rank = 0; rank < STAGES; rank++) {
      say(
          rank,
          0,
          "ncclCommInitRankConfig comm 0x55%d rank %d nranks %d cudaDev 0 nvmlDev 0 busId 1000 commId 0xc5194a2a2d53c3b9 - Init COMPLETE"
              .formatted(rank, rank, STAGES));
    }
  }

  private void train(int steps) {
    for (int step = 0; step < steps; step++) {
      for (int rank = 0; rank < STAGES; rank++) {
        double at = 1 + step + 0.05 * rank;
        if (rank > 0) {
          call(rank, at, "Recv", rank - 1);
        }
        if (rank < STAGES - 1) {
          call(rank, at + 0.03, "Send", rank + 1);
        }
      }
      for (int rank = STAGES - 1; rank >= 0; rank--) {
        double at = 1.5 + step + 0.05 * (STAGES - 1 - rank);
        if (rank < STAGES - 1) {
          call(rank, at, "Recv", rank + 1);
        }
        if (rank > 0) {
          call(rank, at + 0.03, "Send", rank - 1);
        }
      }
    }
  }

  /// The stage takes its input and does not pass it on; the one behind it waits for that, and those
  /// before it for their gradients.
  private void standInTheMidstOf(int step, int stage) {
    double at = 1 + step;
    for (int rank = 0; rank <= stage; rank++) {
      if (rank > 0) {
        call(rank, at + 0.05 * rank, "Recv", rank - 1);
      }
      if (rank < stage) {
        call(rank, at + 0.05 * rank + 0.03, "Send", rank + 1);
        call(rank, at + 0.5, "Recv", rank + 1);
      }
    }
    for (int rank = stage + 1; rank < STAGES; rank++) {
      call(rank, at + 0.05 * rank, "Recv", rank - 1);
    }
  }

  private final Map<Integer, Integer> calls = new TreeMap<>();

  private void call(int rank, double seconds, String operation, int peer) {
    int number = calls.merge(rank, 1, Integer::sum) - 1;
    say(
        rank,
        seconds,
        "%s: opCount %x sendbuff (nil) recvbuff 0x7f count 4194304 datatype 9 op 0 root %d comm 0x55%d [nranks=%d] stream 0x5580"
            .formatted(operation, number, peer, rank, STAGES));
  }

  private void say(int rank, double seconds, String message) {
    of(rank).add("%s stage-%d:100:100 [0] NCCL INFO %s".formatted(stamped(seconds), rank, message));
  }

  private List<String> of(int rank) {
    return lines.computeIfAbsent(rank, _ -> new ArrayList<>());
  }

  /// A line each ten seconds after the last step.
  private void print(int seconds, int... ranks) {
    for (int at = 10; at <= seconds; at += 10) {
      for (int rank : ranks) {
        of(rank).add(stamped(STEPS + 2 + at) + " heartbeat: alive");
      }
    }
  }

  private static String stamped(double seconds) {
    return BEGIN.plusNanos(Math.round(seconds * 1e9)) + " stdout F";
  }

  private List<Finding> hangs() {
    return judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.HANG)
        .toList();
  }

  private List<NotJudged> notJudged() {
    return judged().runs().getLast().notJudged();
  }

  private Verdict judged() {
    var files = new TreeMap<String, List<String>>();
    lines.forEach((rank, text) -> files.put("pp-node-0-%d.log".formatted(rank), text));
    return Recorded.of(files).judged();
  }
}
