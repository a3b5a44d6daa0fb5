package io.ringside.shipper.source.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopologyMatrixTest {
  private static final String H200 =
      """
      \t\u001b[4mGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\u001b[0m
      GPU0\t X \tNV18\t0-63\t0\t\tN/A
      GPU1\tNV18\t X \t0-63\t0\t\tN/A

      Legend:

        X    = Self
      """;

  /// The form of a p4d with network interfaces among the columns.
  private static final String WITH_NICS =
      """
              GPU0  GPU1  NIC0  NIC1  CPU Affinity  NUMA Affinity
      GPU0     X    NV12  PXB   SYS   0-23          0
      GPU1    PHB    X    PXB   SYS   0-23          0
      NIC0    PXB   PXB    X    SYS
      NIC1    SYS   SYS   SYS    X

      NIC Legend:
        NIC0: rdmap16s27
      """;

  @Test
  void readsColouredTabs() {
    assertThat(TopologyMatrix.parse(H200).orElseThrow().links())
        .containsExactly(List.of("X", "NV18"), List.of("NV18", "X"));
  }

  @Test
  void leavesNetworkInterfacesOut() {
    assertThat(TopologyMatrix.parse(WITH_NICS).orElseThrow().links())
        .containsExactly(List.of("X", "NV12"), List.of("PHB", "X"));
  }

  @Test
  void becomesARecordOfANode() {
    var topology = TopologyMatrix.parse(H200).orElseThrow().ofNode("c", "n", Instant.EPOCH);
    assertThat(topology.link(0, 1)).contains("NV18");
    assertThat(topology.gpus()).hasSize(2);
  }

  @Test
  void recognisesAMatrixAndNothingElse() {
    assertThat(TopologyMatrix.recognises(H200)).isTrue();
    assertThat(TopologyMatrix.recognises("GPU0\tGPU1\nGPU0\tX\n")).isFalse();
    assertThat(TopologyMatrix.recognises("\tGPU0\tGPU1\nGPU0\tX\tOK\nGPU1\tOK\tX\n")).isFalse();
    assertThat(TopologyMatrix.recognises("llama:1:2 [0] NCCL INFO Channel 00/02 : 0 1")).isFalse();
  }
}
