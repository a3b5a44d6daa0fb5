package io.ringside.standalone.analyze;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.standalone.input.Inputs;
import io.ringside.standalone.report.LineNumbers.Line;
import io.ringside.standalone.report.LineNumbers.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvidenceLinesTest {
  private static final Path RECORDINGS = Path.of("..", "examples", "recordings");

  @TempDir Path folder;

  @Test
  void findsTheLineOfEveryPieceOfEvidenceOfARecording() throws Exception {
    var inputs = Inputs.of(List.of(RECORDINGS.resolve("slowcoll").toString()));
    var findings =
        new DirectAnalyzer(InstantSource.fixed(Instant.EPOCH), 2)
            .analyze(inputs, new Labels("", "", ZoneOffset.UTC, null), new NoProgress())
            .findings();
    var numbers = EvidenceLines.of(inputs, findings);

    var evidence = findings.stream().flatMap(finding -> finding.evidence().stream()).toList();
    assertThat(evidence).hasSizeGreaterThan(10);
    for (var each : evidence) {
      if (each.offset() >= 0) {
        var line = numbers.byPlace().get(new Place(each.file(), each.offset()));
        assertThat(line).isNotNull();
        assertThat(lines(Path.of(line.file())).get((int) line.number() - 1))
            .contains(each.text().substring(0, 40));
      }
    }
  }

  @Test
  void countsInThePartThatHoldsTheLine() throws Exception {
    packed("t.log.1.gz", "a\nb\n");
    Files.writeString(folder.resolve("t.log"), "c\nd\n");
    var log = folder.resolve("t.log").toString();

    var numbers =
        EvidenceLines.of(
            Inputs.of(List.of(folder.toString())), List.of(finding(log, 0, 2, 4, 6, 8)));

    var before = folder.resolve("t.log.1.gz").toString();
    assertThat(numbers.byPlace())
        .containsEntry(new Place(log, 0), new Line(before, 1))
        .containsEntry(new Place(log, 2), new Line(before, 2))
        .containsEntry(new Place(log, 4), new Line(log, 1))
        .containsEntry(new Place(log, 6), new Line(log, 2))
        .doesNotContainKey(new Place(log, 8));
  }

  @Test
  void countsBeyondOneBuffer() throws Exception {
    var log = Files.writeString(folder.resolve("t.log"), "x\n".repeat(200_000)).toString();

    var numbers =
        EvidenceLines.of(
            Inputs.of(List.of(log)), List.of(finding(log, 0, 131_072, 131_074, 399_998)));

    assertThat(numbers.byPlace().values())
        .extracting(Line::number)
        .containsExactlyInAnyOrder(1L, 65_537L, 65_538L, 200_000L);
  }

  /// Its lines are not those of the file.
  @Test
  void knowsNoLinesOfAnExport() throws Exception {
    var log =
        Files.writeString(
                folder.resolve("t.csv"),
                "timestamp,message\n1700000000000,NCCL INFO Using network Socket\n")
            .toString();

    assertThat(EvidenceLines.of(Inputs.of(List.of(log)), List.of(finding(log, 0))).byPlace())
        .isEmpty();
  }

  private static Finding finding(String file, long... offsets) {
    var evidence =
        java.util.Arrays.stream(offsets)
            .mapToObj(offset -> new Evidence(null, "local", "pod", file, offset, "text"))
            .toList();
    return Finding.of("id", FindingKind.NCCL_ERROR, Severity.INFO, its -> its.evidence = evidence);
  }

  private static List<String> lines(Path file) throws IOException {
    try (var in = new GZIPInputStream(Files.newInputStream(file))) {
      return new String(in.readAllBytes(), UTF_8).lines().toList();
    }
  }

  private void packed(String name, String text) throws IOException {
    try (var out = new GZIPOutputStream(Files.newOutputStream(folder.resolve(name)))) {
      out.write(text.getBytes(UTF_8));
    }
  }
}
