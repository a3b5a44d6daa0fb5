package io.ringside.streams.detect.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// One pod's log of two attempts: what the second one does is no life of the first.
class RestartedInOneFileTest {
  private final List<String> lines = new ArrayList<>();

  @Test
  void theFirstAttemptDiedThoughTheSecondWentWell() {
    attempt("0xaaa", 100);
    died();
    attempt("0xbbb", 200);
    lines.add(
        "I1012 14:06:13.722000 14 torch/distributed/elastic/agent/server/api.py:935] Local worker group finished (WorkerState.SUCCEEDED). Waiting 300 seconds for other agents to finish");

    assertThat(failures())
        .singleElement()
        .satisfies(
            failed -> {
              assertThat(failed.run()).isEqualTo("0xaaa");
              assertThat(failed.failureClass()).isEqualTo(FailureClass.GPU_OUT_OF_MEMORY);
              assertThat(failed.ranks()).containsExactly(1);
            });
  }

  /// The same processes come up again after they caught it.
  @Test
  void whatTheSameProcessesOutliveIsNoDeath() {
    attempt("0xaaa", 100);
    lines.add("[rank1]: Traceback (most recent call last):");
    lines.add("[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.91 GiB.");
    attempt("0xbbb", 100);

    assertThat(failures()).isEmpty();
  }

  private void attempt(String comm, int pid) {
    for (int rank = 0; rank < 2; rank++) {
      lines.add(
          "node-0:%d:%d [%d] NCCL INFO ncclCommInitRank comm 0x55 rank %d nranks 2 cudaDev %d nvmlDev %d busId %d000 commId %s - Init COMPLETE"
              .formatted(pid + rank, pid + rank, rank, rank, rank, rank, rank + 1, comm));
    }
    for (int step = 10; step <= 200; step += 10) {
      lines.add("step %d/400 loss=7.5 step_ms=833.6".formatted(step));
    }
  }

  private void died() {
    lines.add("[rank1]: Traceback (most recent call last):");
    lines.add("[rank1]:   File \"/workspace/train.py\", line 214, in <module>");
    lines.add("[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.91 GiB.");
    lines.add(
        "E1012 14:00:56.946000 14 torch/distributed/elastic/multiprocessing/api.py:882] failed (exitcode: 1) local_rank: 1 (pid: 101) of binary: /opt/venv/bin/python");
  }

  private List<Finding> failures() {
    return Recorded.of(Map.of("job.log", lines)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.JOB_FAILED)
        .toList();
  }
}
