package io.ringside.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Recorded jobs of `examples/witnesses`, with RAS's answers and dumps beside their logs: what lies in the folder is found
/// without a flag.
class WitnessedRecordingsTest {
  private static final Path RECORDINGS = Path.of("..", "examples", "witnesses");

  private final CapturedConsole captured = new CapturedConsole();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "killed   | 3 | ✖ live-kill · training: the job hangs: a rank waits for rank 1 in all_reduce 619 of default_pg",
        "pipeline | 3 | ✖ live-p2p · training: the job hangs: a rank waits for rank 1 in recv of default_pg",
        "stopped  | 3 | ✖ live-stop · training: the job hangs: a rank waits for rank 1 in all_reduce 622 of default_pg",
        "stall    | 0 | ✓ live-stall · training: Healthy: no fault found.",
      })
  void isJudgedAsItWas(String folder, int exit, String verdict) {
    assertThat(analyze(folder)).isEqualTo(exit);
    assertThat(captured.out().strip().lines().reduce("", (_, last) -> last)).isEqualTo(verdict);
  }

  @ParameterizedTest
  @CsvSource({
    "killed, ras: rank 1 does not answer RAS",
    "killed, flight-recorder: rank 1 left no dump",
    "stopped, ras: rank 1 does not answer RAS",
    "stopped, gpu-power: the GPUs of the waiting ranks are busy",
    "stopped, they agree",
    "pipeline, rank 1 never posted its side: rank 0 waits in",
  })
  void saysWhoTestifies(String folder, String words) {
    analyze(folder);
    assertThat(captured.out()).contains(words);
  }

  @Test
  void aDumpThatIsTooLargeIsNotMissing(@TempDir Path folder) throws IOException {
    var dumps = Files.createDirectory(folder.resolve("flightrecorder"));
    var recorded = RECORDINGS.resolve("pipeline/flightrecorder");
    Files.copy(recorded.resolve("nccl_trace_rank_0"), dumps.resolve("nccl_trace_rank_0"));
    var large = Files.readAllBytes(recorded.resolve("nccl_trace_rank_1"));
    Files.write(dumps.resolve("nccl_trace_rank_1"), Arrays.copyOf(large, 40 << 20));

    analyze(folder);

    assertThat(captured.out())
        .contains("the dump of rank 1 cannot be read", "too large")
        .doesNotContain("left no dump");
  }

  private int analyze(String folder) {
    return analyze(RECORDINGS.resolve(folder));
  }

  private int analyze(Path folder) {
    return RingsideMain.execute(
        captured.console(), Map.of(), "analyze", "--fail-on=warning", folder.toString());
  }
}
