package io.ringside.streams.detect.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VanishedRanksTest {
  private static final int RANKS = 6;
  private static final int EACH = 2;

  @Test
  void allRanksOfAMachineWhoseLogEndsBeforeOthersComplain() {
    var failed = failed(Map.of(1, 40), Map.of(0, 61, 2, 68));

    assertThat(failed.ranks()).containsExactly(2, 3);
    assertThat(failed.summary()).contains("ranks 2, 3: their logs just end");
  }

  @Test
  void nobodyWhereTwoMachinesFallSilent() {
    assertThat(failed(Map.of(1, 40, 2, 40), Map.of(0, 61)).ranks()).doesNotContain(2, 3, 4, 5);
  }

  @Test
  void nobodyWhereALogEndedLongBefore() {
    assertThat(failed(Map.of(1, 2), Map.of(0, 361, 2, 368)).ranks()).doesNotContain(2, 3);
  }

  @Test
  void nobodyWhereItsLogGoesOnAfterTheComplaints() {
    assertThat(failed(Map.of(1, 70), Map.of(0, 61, 2, 68)).ranks()).doesNotContain(2, 3);
  }

  /// @param silent machines that say nothing of the end, with the second of their last line
  /// @param complaining the others, with the second in which they complain
  private static Finding failed(Map<Integer, Integer> silent, Map<Integer, Integer> complaining) {
    Map<String, List<String>> logs = new HashMap<>();
    silent.forEach((machine, last) -> logs.put(file(machine), log(machine, last)));
    complaining.forEach(
        (machine, second) -> {
          var lines = log(machine, 40);
          for (int rank = EACH * machine; rank < EACH * (machine + 1); rank++) {
            lines.add(
                at(second)
                    + "[rank%d]: torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:3690, remote process exited or there was a network error"
                        .formatted(rank));
          }
          logs.put(file(machine), lines);
        });
    return Recorded.of(logs).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.JOB_FAILED)
        .findFirst()
        .orElseThrow();
  }

  private static String file(int machine) {
    return "llama-node-0-%d.log".formatted(machine);
  }

  private static List<String> log(int machine, int last) {
    var lines = new ArrayList<String>();
    for (int rank = EACH * machine; rank < EACH * (machine + 1); rank++) {
      var head =
          "llama-node-0-%d:%d:%d [%d] NCCL INFO ".formatted(machine, 90 + rank, 90 + rank, rank);
      for (var phase : List.of("START", "COMPLETE")) {
        lines.add(
            at(1)
                + head
                + "ncclCommInitRankConfig comm 0x55d0%04x rank %d nranks %d cudaDev %d nvmlDev %d busId %x000 commId 0xabc1 - Init %s"
                    .formatted(rank, rank, RANKS, rank % EACH, rank % EACH, 0x1b + rank, phase));
      }
    }
    for (int second = 2; second <= last; second++) {
      lines.add(at(second) + "step %d loss 2.5 step_time 1.0s".formatted(second));
    }
    return lines;
  }

  private static String at(int second) {
    return "2026-11-20T10:%02d:%02d.000000000Z stdout F ".formatted(second / 60, second % 60);
  }
}
