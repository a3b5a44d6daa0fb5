package io.ringside.streams.detect.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Pasted edges without the lines that start a communicator: who prints an edge holds one of its
/// ranks.
class FragmentEdgesTest {
  @Test
  void edgesBetweenTwoGpusOfOneProcessStayOnItsNode() {
    var finding =
        socket(
            "a:7:10 [0] NCCL INFO Channel 00/0 : 1[1] -> 0[0] [receive] via NET/Socket/1",
            "a:7:10 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] [send] via NET/Socket/1",
            "a:7:11 [1] NCCL INFO Channel 00/0 : 0[0] -> 1[1] [receive] via NET/Socket/2",
            "a:7:11 [1] NCCL INFO Channel 00/0 : 1[1] -> 0[0] [send] via NET/Socket/2");

    assertThat(finding.severity()).isEqualTo(Severity.INFO);
    assertThat(finding.summary()).contains("on one node");
  }

  @Test
  void anEdgeToARankThatNobodyPrintsLeavesTheNode() {
    var finding =
        socket(
            "a:7:10 [0] NCCL INFO Channel 00/0 : 3[1] -> 0[0] [receive] via NET/Socket/1",
            "a:7:11 [1] NCCL INFO Channel 00/0 : 1[1] -> 2[0] [send] via NET/Socket/1");

    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
  }

  /// In the one communicator the process is rank 0, in the other rank 1.
  @Test
  void ranksOfSeveralCommunicatorsAreNotToldApart() {
    var finding =
        socket(
            "a:7:10 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/Socket/1",
            "a:7:11 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [receive] via NET/Socket/1");

    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
  }

  private static Finding socket(String... lines) {
    return Recorded.of(Map.of("job.log", List.of(lines))).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.SOCKET_TRANSPORT)
        .findFirst()
        .orElseThrow();
  }
}
