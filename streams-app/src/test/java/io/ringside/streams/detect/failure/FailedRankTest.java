package io.ringside.streams.detect.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Two pods of two ranks in one file, as `kubectl logs --prefix` writes them: containers number
/// their processes alike.
class FailedRankTest {
  private static final int RANKS = 4;
  private static final int EACH = 2;

  @Test
  void theTableTellsWhichOfTwoProcessesWithOnePidWasKilled() {
    assertThat(ranks(killed(1, -9), table(1, "llm-node-1-0", 3, -9))).containsExactly(3);
  }

  @Test
  void theTableOfTheOtherPodTellsOnlyOfItsOwnExitCode() {
    assertThat(
            ranks(
                killed(1, -9),
                table(1, "llm-node-1-0", 3, -9),
                killed(0, -6),
                table(0, "llm-node-0-0", 1, -6)))
        .containsExactly(3);
  }

  @Test
  void withoutATableNeitherOfThemIsNamed() {
    assertThat(ranks(killed(1, -9))).isEmpty();
  }

  @SafeVarargs
  private static List<Integer> ranks(List<String>... parts) {
    var log = new ArrayList<String>();
    for (int rank = 0; rank < RANKS; rank++) {
      log.add(
          pod(rank / EACH)
              + "llm-node-%d-0:%d:%d [%d] NCCL INFO ncclCommInitRankConfig comm 0x55d0%04x rank %d nranks %d cudaDev %d nvmlDev %d busId %x000 commId 0x9c1f - Init COMPLETE"
                  .formatted(
                      rank / EACH,
                      pid(rank),
                      pid(rank),
                      rank % EACH,
                      rank,
                      rank,
                      RANKS,
                      rank % EACH,
                      rank % EACH,
                      0x1b + 0x10 * (rank % EACH)));
    }
    for (var part : parts) {
      log.addAll(part);
    }
    return Recorded.of(Map.of("llm.log", log)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.JOB_FAILED)
        .map(Finding::ranks)
        .findFirst()
        .orElseThrow();
  }

  /// The second process of this pod.
  private static List<String> killed(int pod, int code) {
    return List.of(
        pod(pod)
            + "E1120 10:00:53.241000 64 torch/distributed/elastic/multiprocessing/api.py:882] failed (exitcode: %d) local_rank: 1 (pid: %d) of binary: /usr/bin/python3"
                .formatted(code, pid(1)));
  }

  private static List<String> table(int pod, String host, int rank, int code) {
    return List.of(
        pod(pod) + "Root Cause (first observed failure):",
        pod(pod) + "[0]:",
        pod(pod) + "  time      : 2026-11-20_10:00:53",
        pod(pod) + "  host      : " + host,
        pod(pod) + "  rank      : %d (local_rank: %d)".formatted(rank, rank % EACH),
        pod(pod) + "  exitcode  : %d (pid: %d)".formatted(code, pid(rank)),
        pod(pod) + "  error_file: <N/A>");
  }

  private static int pid(int rank) {
    return 91 + rank % EACH;
  }

  private static String pod(int number) {
    return "[pod/llm-node-%d-0/trainer] ".formatted(number);
  }
}
