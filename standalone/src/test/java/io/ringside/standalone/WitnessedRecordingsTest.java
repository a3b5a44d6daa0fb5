package io.ringside.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Recorded jobs of `examples/witnesses`, with RAS's answers and dumps beside their logs: what lies
/// in the folder is found without a flag.
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
        "collective | 3 | ✖ rec-collective · training: the job hangs: a rank waits for rank 1 in all_reduce 184 of default_pg",
        "crossed  | 0 | • rec-crossed · training: paused: 2 ranks have waited in all_reduce 61 of experts for 23 s",
        "mismatch | 3 | ✖ rec-mismatch · training: the job hangs: rank 2 differs in call 97 of default_pg: ranks 0, 1 and 3 all_reduce of [33554432] Float, rank 2 broadcast of [33554432] Float",
        "meshgroup | 0 | • rec-meshgroup · training: paused: a rank has waited for rank 3 in all_reduce 31 of mesh_tp for 29 s",
        "meshslow | 3 | ▲ rec-meshslow · training: rank 3 keeps the others waiting: late 70 times by 152 ms on average; 76 % of these 14 s were spent waiting for it",
        "timeddumps | 3 | ▲ rec-timeddumps · training: rank 1 keeps the others waiting: late 82 times by 151 ms on average; 75 % of these 16.6 s were spent waiting for it",
        "often | 3 | ▲ rec-often · training: rank 1 keeps the others waiting: late 298 times by 30 ms on average; 35 % of these 25.8 s were spent waiting for it",
        "checkpoint | 0 | ✓ rec-checkpoint · training: No fault found. Not judged: waits.",
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
    "crossed, the flight recorder names nobody; RAS names nobody",
    "crossed4, the flight recorder names rank 2",
    "meshgroup, the flight recorder names rank 3; RAS names rank 3; they agree",
    "oom, the job died on rank 1: OutOfMemoryError",
  })
  void saysWhoTestifies(String folder, String words) {
    analyze(folder);
    assertThat(captured.out()).contains(words);
  }

  /// Rank 2 comes late to one group because it waits for rank 3 in the other.
  @Test
  void whoIsHeldUpItselfIsNoStraggler() {
    analyze("meshslow");
    assertThat(captured.out()).doesNotContain("rank 2 keeps");
  }

  /// The log begins below NCCL's init lines and ends above what the watchdog wrote.
  @Test
  void fillInWhereTheJobWasJoinedWhileItRan(@TempDir Path folder) throws IOException {
    var recorded = RECORDINGS.resolve("collective");
    Files.copy(recorded.resolve("ras.txt.gz"), folder.resolve("ras.txt.gz"));
    joined(recorded, 400, folder);

    analyze(folder);

    assertThat(captured.out())
        .contains(
            "joined while running", "have waited for rank 1", "RAS: rank 1 launched 178 AllReduce");
  }

  /// The Inspector knows groups of two of the job's four ranks, and their numbers within them.
  @Test
  void ranksOfGroupsAreNotTheJobsWhereItWasJoinedWhileItRan(@TempDir Path folder)
      throws IOException {
    var recorded = RECORDINGS.resolve("meshslow");
    var inspector = Files.createDirectory(folder.resolve("inspector"));
    try (var files = Files.list(recorded.resolve("inspector"))) {
      for (var file : files.toList()) {
        Files.copy(file, inspector.resolve(file.getFileName()));
      }
    }
    joined(recorded, 204, folder);

    analyze(folder);

    assertThat(captured.out()).contains("4 of 4 ranks").doesNotContain("rank 1 keeps");
  }

  /// Its logs without the first lines, and without what a watchdog wrote.
  private static void joined(Path recorded, int lost, Path folder) throws IOException {
    try (var files = Files.walk(recorded.resolve("pods"))) {
      for (var log : files.filter(Files::isRegularFile).toList()) {
        var late = folder.resolve(recorded.relativize(log).toString().replace(".gz", ""));
        Files.createDirectories(late.getParent());
        try (var in = new GZIPInputStream(Files.newInputStream(log))) {
          var lines = new String(in.readAllBytes(), UTF_8).lines().skip(lost);
          Files.write(late, lines.takeWhile(line -> !line.contains("Watchdog caught")).toList());
        }
      }
    }
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
