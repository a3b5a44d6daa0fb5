package io.ringside.streams.detect.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A launcher's pod prints what mpirun gathers from all workers; the agent of its node reads it.
class GatheredHostsTest {
  private static final String LAUNCHER = "pods/training_bert-launcher-x7k2p_0a1b2c/launcher/0.log";

  @Test
  void areMachinesOfTheirOwnWhoeverReadsTheLog() {
    assertThat(sockets("worker-0", "worker-1"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.nodes()).containsExactly("worker-0", "worker-1");
            });
  }

  @Test
  void leaveTheAgentsNodeToALogOfOneHost() {
    assertThat(sockets("worker-0", "worker-0"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
              assertThat(finding.nodes()).containsExactly("local");
            });
  }

  /// NCCL 2.16.2 says nothing of nodes.
  private static List<Finding> sockets(String first, String second) {
    var lines = new ArrayList<String>();
    for (int rank = 0; rank < 2; rank++) {
      var host = rank == 0 ? first : second;
      lines.add(line(host, rank, "Using network Socket"));
      lines.add(
          line(
              host,
              rank,
              "comm 0x55d%d rank %d nranks 2 cudaDev %d busId %db000 commId 0xabc - Init START"
                  .formatted(rank, rank, rank, rank + 1)));
      lines.add(
          line(
              host,
              rank,
              "Channel 00/0 : %d[%db000] -> %d[%db000] [send] via NET/Socket/0"
                  .formatted(rank, rank + 1, 1 - rank, 2 - rank)));
      lines.add(
          line(
              host,
              rank,
              "comm 0x55d%d rank %d nranks 2 cudaDev %d busId %db000 commId 0xabc - Init COMPLETE"
                  .formatted(rank, rank, rank, rank + 1)));
    }
    return Recorded.of(Map.of(LAUNCHER, lines)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.SOCKET_TRANSPORT)
        .toList();
  }

  private static String line(String host, int rank, String message) {
    return "2026-11-21T09:00:0%d.000000001Z stdout F [1,%d]<stdout>:%s:%d:%d [%d] NCCL INFO %s"
        .formatted(rank, rank, host, 100 + rank, 100 + rank, rank, message);
  }
}
