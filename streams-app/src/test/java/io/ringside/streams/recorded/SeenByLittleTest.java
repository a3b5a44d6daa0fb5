package io.ringside.streams.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Saved logs of which hardly a line says that a job trains or serves.
class SeenByLittleTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[rank0]:[W604 11:18:57.117195760 ProcessGroupNCCL.cpp:1476] Warning: WARNING: destroy_process_group() was not called before program exit, which can leak resources. (function operator())",
        "[rank0]:[W604 11:18:57.117195760 ProcessGroupNCCL.cpp:1250] Warning: WARNING: process group has NOT been destroyed before we destruct ProcessGroupNCCL. On normal program exit, (function operator())",
        "[1,mpirank:3,algo-1]<stderr>:INFO:root:Reducer buckets have been rebuilt in this iteration.",
        "[I1120 20:42:27.100000000 reducer.cpp:1305] Reducer buckets have been rebuilt in this iteration.",
        "2026-09-21 13:21:05,188 sagemaker-training-toolkit INFO     Reporting training SUCCESS",
        "    Message:               PyTorchJob vision is successfully completed.",
        "    Message:               MPIJob ml/vision successfully completed."
      })
  void isAJob(String line) {
    var judged = Recorded.of(Map.of("job.log", List.of("starting", line))).judged();

    assertThat(judged.runs()).hasSize(1);
    assertThat(judged.findings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Reporting training metrics",
        "    Message:               Job vision is created.",
        "WARNING: the reducer buckets were not rebuilt"
      })
  void isNone(String line) {
    assertThat(Recorded.of(Map.of("job.log", List.of("starting", line))).judged().runs()).isEmpty();
  }

  /// One node's toolkit may have reported before another one's rank died.
  @Test
  void isDeadWhereAnotherNodeFailedAllTheSame() {
    var judged =
        Recorded.of(
                Map.of(
                    "vision-node-0-0.log",
                    List.of("starting", "Reporting training SUCCESS"),
                    "vision-node-1-0.log",
                    List.of("starting", "Segmentation fault (core dumped)")))
            .judged();

    assertThat(judged.findings()).hasSize(1);
  }
}
