package io.ringside.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.serde.EventJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// Recorded jobs of `examples/faults`: four processes that a script made fail, hang or wait in a
/// way that it wrote down before anything was judged. All of them talk over sockets, which is told
/// of each and left out here.
class RecordedFaultsTest {
  private static final Path RECORDINGS = Path.of("..", "examples", "faults");

  /// Follows from each death, as the lines that say so.
  private static final List<String> BESIDE = List.of("socket-transport", "nccl-error");

  /// @param told kinds above info with the ranks that they name, in order of weight; empty where
  ///   nothing is wrong
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "checkpoints-of-rank-0  | -",
        "evaluation-on-rank-0   | -",
        "pauses-in-turn         | -",
        "uneven-for-a-while     | -",
        "sizes-differ           | -",
        "stopped-in-order       | -",
        "late-rank              | straggler [1]",
        "late-each-fifth-step   | straggler [2]",
        "exception              | job-failed:exception [2]",
        "device-assert          | job-failed:exception [2]",
        "disk-full              | job-failed:exception [0]",
        "gpu-out-of-memory      | job-failed:gpu-out-of-memory [3]",
        "loader-worker-killed   | job-failed:killed [2]",
        "killed                 | hang [2], job-failed:killed [2]",
        "killed-then-stopped    | job-failed:killed [0]",
        "exit-without-a-word    | job-failed:killed [2]",
        "segfault               | job-failed:killed [1]",
        "left-early             | hang [2], job-failed:network []",
        "one-broadcast-too-many | job-failed:network []",
        "one-call-left-out      | hang [1]",
        "crossed-order          | hang [1]",
        "pipeline               | hang [1]",
        "sigstop                | hang [1]",
        "stands-in-own-code     | hang [2]",
        "mismatch-in-detail     | job-failed:exception []",
        "monitored-barrier      | hang [3], job-failed:exception []",
        "rank-missing           | job-failed:exception []",
        "wrong-algorithm        | job-failed:nccl []",
        "wrong-interface        | job-failed:configuration []",
      })
  void isJudgedAsItWas(String folder, String told) {
    assertThat(told(folder).stream().sorted().collect(Collectors.joining(", ")))
        .isEqualTo(told == null ? "" : told);
  }

  /// Two ranks are late one after the other: one of them at least is named, and nobody else.
  @Test
  void ofTwoThatAreLateInTurnNobodyElseIsNamed() {
    assertThat(told("late-in-turn")).isNotEmpty().isSubsetOf("straggler [1]", "straggler [3]");
  }

  /// The job stood for 15 s when it was stopped: a note, with its rank.
  @Test
  void aHangInAGroupOfADeviceMeshIsANoteAtFirst() {
    assertThat(findings("device-mesh"))
        .filteredOn(finding -> finding.path("kind").asString().equals("hang"))
        .singleElement()
        .satisfies(hang -> assertThat(hang.path("ranks").get(0).asInt()).isEqualTo(3));
  }

  @Test
  void eachRecordingIsJudged() throws Exception {
    try (var folders = Files.list(RECORDINGS)) {
      assertThat(folders.filter(Files::isDirectory)).hasSize(31);
    }
  }

  private static List<String> told(String folder) {
    return findings(folder).stream()
        .filter(finding -> !finding.path("severity").asString().equals("info"))
        .filter(finding -> !BESIDE.contains(finding.path("kind").asString()))
        .map(RecordedFaultsTest::words)
        .toList();
  }

  private static String words(JsonNode finding) {
    var failed = finding.path("class").asString("");
    return finding.path("kind").asString()
        + (failed.isEmpty() ? "" : ":" + failed)
        + " "
        + finding.path("ranks").toString().replace(",", ", ");
  }

  private static List<JsonNode> findings(String folder) {
    var console = new CapturedConsole();
    RingsideMain.execute(
        console.console(),
        Map.of(),
        "analyze",
        "--format",
        "json",
        RECORDINGS.resolve(folder).toString());
    var findings = new ArrayList<JsonNode>();
    EventJson.MAPPER
        .readTree(console.out())
        .path("jobs")
        .forEach(job -> job.path("findings").forEach(findings::add));
    return findings;
  }
}
