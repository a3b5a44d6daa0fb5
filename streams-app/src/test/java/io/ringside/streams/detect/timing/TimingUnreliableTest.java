package io.ringside.streams.detect.timing;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Lines;
import io.ringside.streams.recorded.Recorded;
import io.ringside.streams.recorded.WrittenRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TimingUnreliableTest {
  @Test
  void tellsThatLinesCarryNoTimes() {
    assertThat(told("%3$s"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.summary()).contains("the lines carry no times");
              assertThat(finding.cause()).contains("NCCL_DEBUG_TIMESTAMP_LEVELS=ALL");
            });
  }

  @Test
  void tellsThatStampsAreTooCoarse() {
    assertThat(told("[2026-11-21 12:00:%1$02d] %3$s"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.summary()).contains("whole seconds only"));
  }

  @Test
  void isNothingWhereTheRuntimeStampsEachLine() {
    assertThat(told("2026-11-21T12:00:%1$02d.%2$09dZ stdout F %3$s")).isEmpty();
  }

  /// The runtime stamps whole blocks of one rank's lines, which are not cut.
  @Test
  void tellsWhoseLinesComeInBursts() {
    assertThat(held(true))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.summary()).contains("calls of rank 2 come in bursts");
              assertThat(finding.ranks()).containsExactly(2);
              assertThat(finding.cause()).contains("PYTHONUNBUFFERED=1");
            });
    assertThat(held(false)).isEmpty();
  }

  /// One line of rank 1 is stamped minutes ahead.
  @Test
  void tellsOfAStampThatCannotBeTrue() {
    assertThat(stamped(300))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.summary()).contains("1 call was not made when its stamp says");
              assertThat(finding.observed()).contains("5 min late on rank 1");
              assertThat(finding.ranks()).containsExactly(1);
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
              assertThat(finding.state()).isEqualTo(Finding.State.CLEARED);
            });
    assertThat(stamped(0)).isEmpty();
  }

  private static List<Finding> stamped(int secondsAhead) {
    Map<String, List<String>> files = new HashMap<>();
    for (int rank = 0; rank < 2; rank++) {
      var lines = new ArrayList<String>();
      var begin = Instant.parse("2026-11-21T12:00:00.100001Z");
      Lines.start(rank, 2).forEach(line -> lines.add(begin + " stdout F " + line));
      for (int call = 0; call < 60; call++) {
        boolean odd = rank == 1 && call == 30;
        lines.add(
            begin.plusSeconds(10 + call + (odd ? secondsAhead : 0))
                + " stdout F host:100:200 [0] NCCL INFO AllReduce: opCount %x sendbuff 0x7f recvbuff 0x8f count 4096 datatype 7 op 0 root 0 comm 0x55 [nranks=2] stream 0x9"
                    .formatted(call));
      }
      files.put("job-node-0-%d.log".formatted(rank), lines);
    }
    return Recorded.of(files).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.TIMING_UNRELIABLE)
        .toList();
  }

  private static List<Finding> held(boolean back) {
    var run = WrittenRun.of(1, 4, "P2P/CUMEM");
    for (int call = 0; call < 100; call++) {
      for (int rank = 0; rank < 4; rank++) {
        double at =
            back && rank == 2 ? 1 + 10 * (call / 20 + 1) + 2e-5 * (call % 20) : 1 + 0.5 * call;
        run.allReduce(at, rank, 4096);
      }
    }
    return WrittenRun.recorded(run).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.TIMING_UNRELIABLE)
        .toList();
  }

  /// @param line of second, nanosecond and text
  private static List<Finding> told(String line) {
    Map<String, List<String>> files = new HashMap<>();
    for (int rank = 0; rank < 2; rank++) {
      var texts = new ArrayList<>(Lines.start(rank, 2));
      for (int call = 0; call < 20; call++) {
        texts.add(
            "host:100:200 [0] NCCL INFO AllReduce: opCount %x sendbuff 0x7f recvbuff 0x8f count 4096 datatype 7 op 0 root 0 comm 0x55 [nranks=2] stream 0x9"
                .formatted(call));
      }
      var lines = new ArrayList<String>();
      for (int at = 0; at < texts.size(); at++) {
        lines.add(line.formatted(at, 1_000_000 + rank, texts.get(at)));
      }
      files.put("job-node-0-%d.log".formatted(rank), lines);
    }
    return Recorded.of(files).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.TIMING_UNRELIABLE)
        .toList();
  }
}
