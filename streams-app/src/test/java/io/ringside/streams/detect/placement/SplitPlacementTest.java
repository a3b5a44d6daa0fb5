package io.ringside.streams.detect.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SplitPlacementTest {
  private static final int PODS = 2;

  @Test
  void warnsOfPodsInOneKubeletsTree() {
    assertThat(
            split(
                "pods/ml_train-node-0-%d_5f0c7f64-0000-4000-8000-00000000000%<d/trainer/0.log", 1))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.ranks()).containsExactly(0, 1);
              assertThat(finding.expected()).contains("one pod a node");
            });
  }

  @Test
  void notesThatPodsWithUnlikeBusIdsMayShareAMachine() {
    assertThat(split("train-node-0-%d.log", 1))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
              assertThat(finding.summary()).startsWith("2 pods may share a machine");
            });
  }

  @Test
  void saysNothingOfPodsThatHoldGpusOfOneBusId() {
    assertThat(split("train-node-0-%d.log", 0)).isEmpty();
  }

  /// NCCL counts one rank on each: they are two machines, whatever they are called.
  @Test
  void saysNothingOfMachinesThatAreCalledAlike() {
    assertThat(split("nccl.worker.%d", 1, "worker")).isEmpty();
  }

  private static List<Finding> split(String file, int apart) {
    return split(file, apart, "train-node-0-%d");
  }

  /// Two pods of one GPU that talk over the network.
  ///
  /// @param apart by how much the bus ids of their GPUs differ
  /// @param host of each rank
  private static List<Finding> split(String file, int apart, String host) {
    Map<String, List<String>> files = new TreeMap<>();
    for (int rank = 0; rank < PODS; rank++) {
      var head = host.formatted(rank) + ":%d:%d [0] NCCL INFO ".formatted(100 + rank, 200 + rank);
      var lines = new ArrayList<String>();
      for (var phase : List.of("START", "COMPLETE")) {
        lines.add(
            head
                + "ncclCommInitRank comm 0x55 rank %d nranks 2 cudaDev 0 nvmlDev 0 busId %x000 commId 0xabc - Init %s"
                    .formatted(rank, 1 + apart * rank, phase));
      }
      lines.add(
          head
              + "comm 0x55 rank %d nRanks 2 nNodes 2 localRanks 1 localRank 0 MNNVL 0"
                  .formatted(rank));
      lines.add(
          head + "Channel 00/0 : %d[0] -> %d[0] [send] via NET/Socket/0".formatted(rank, 1 - rank));
      files.put(file.formatted(rank), lines);
    }
    return Recorded.of(files).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.SPLIT_PLACEMENT)
        .toList();
  }
}
