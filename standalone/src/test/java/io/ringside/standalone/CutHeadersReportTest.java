package io.ringside.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.serde.EventJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A log whose `host:pid:tid` somebody cut away says what it said of transports, and blames nobody
/// for the lack.
class CutHeadersReportTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"seed-g6e-efa-fallback", "seed-p4d-four-pods-efa", "healthy", "noplugin"})
  void sayNothingNew(String recording) throws IOException {
    var whole = new StringBuilder();
    try (var files = Files.walk(Path.of("../examples/recordings", recording))) {
      for (var file : files.filter(f -> f.toString().endsWith(".log.gz")).sorted().toList()) {
        try (var in = new GZIPInputStream(Files.newInputStream(file))) {
          whole.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    }
    var cut =
        whole
            .toString()
            .replaceAll(
                "(?m)^.*?[^ :]+:\\d+:\\d+ \\[-?\\d+] (?:.*? )?NCCL (INFO|WARN) ", "NCCL $1 ");
    assertThat(cut).isNotEqualTo(whole.toString());

    assertThat(graveIn(cut)).isEqualTo(graveIn(whole.toString()));
  }

  /// Kinds of the findings above info.
  private Set<String> graveIn(String log) throws IOException {
    var console = new CapturedConsole();
    var file = Files.writeString(folder.resolve("train.log"), log);
    RingsideMain.execute(
        console.console(), Map.of(), "analyze", "--format", "json", file.toString());
    var kinds = new TreeSet<String>();
    for (var job : EventJson.MAPPER.readTree(console.out()).path("jobs")) {
      assertThat(job.path("runs")).isNotEmpty();
      for (var finding : job.path("findings")) {
        if (!finding.path("severity").asString().equals("info")) {
          kinds.add(finding.path("kind").asString());
        }
      }
    }
    return kinds;
  }
}
