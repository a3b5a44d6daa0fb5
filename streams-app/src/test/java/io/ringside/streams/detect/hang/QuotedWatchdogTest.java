package io.ringside.streams.detect.hang;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.recorded.Recorded;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A job that prints at its start what the watchdog of the attempt before said, and trains on.
class QuotedWatchdogTest {
  private static final Instant BEGIN = Instant.parse("2026-11-21T08:00:00Z");
  private static final String QUOTE =
      "[rank3]:[E1121 08:00:01.808939324 ProcessGroupNCCL.cpp:689] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1931, OpType=ALLREDUCE, NumelIn=134217728, NumelOut=134217728, Timeout(ms)=600000) ran for 600212 milliseconds before timing out.";

  @Test
  void isNoHangWhereCallsGoOnForLongAfterIt() {
    assertThat(hangs(120)).isFalse();
    assertThat(hangs(5)).as("a few calls may be on their way").isTrue();
  }

  private static boolean hangs(int seconds) {
    var lines = new ArrayList<String>();
    for (int rank = 0; rank < 2; rank++) {
      nccl(
          lines,
          0,
          rank,
          "ncclCommInitRankConfig comm 0x55%d rank %d nranks 2 cudaDev %d nvmlDev %d busId %d000 commId 0xc5194a2a2d53c3b9 - Init COMPLETE"
              .formatted(rank, rank, rank, rank, rank + 1));
    }
    lines.add(stamped(1) + QUOTE);
    for (int call = 0; call < 2 * seconds; call++) {
      for (int rank = 0; rank < 2; rank++) {
        nccl(
            lines,
            2 + 0.5 * call,
            rank,
            "AllReduce: opCount %x sendbuff 0x7f recvbuff 0x7f count 1048576 datatype 7 op 0 root 0 comm 0x55%d [nranks=2] stream 0x5580"
                .formatted(call, rank));
      }
    }
    return Recorded.of(Map.of("job.log", lines)).judged().findings().stream()
        .anyMatch(finding -> finding.kind() == FindingKind.HANG);
  }

  private static void nccl(List<String> lines, double seconds, int rank, String message) {
    lines.add(
        "%sworker-0:%d:%d [%d] NCCL INFO %s"
            .formatted(stamped(seconds), 100 + rank, 100 + rank, rank, message));
  }

  private static String stamped(double seconds) {
    return BEGIN.plusNanos(Math.round(seconds * 1e9)) + " stdout F ";
  }
}
