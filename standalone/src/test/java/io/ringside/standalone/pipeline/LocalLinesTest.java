package io.ringside.standalone.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalLinesTest {
  @TempDir Path folder;

  private final LocalLines lines = new LocalLines();
  private Path log = Path.of("");

  @BeforeEach
  void write() throws IOException {
    log =
        Files.writeString(
            folder.resolve("0.log"), "first\n2026-11-20T20:42:34Z stdout F second\nthird\n");
  }

  @Test
  void countsInWhateverOrderItIsAsked() {
    assertThat(numbers(at(43, "third"), at(0, "first"), at(6, "second")))
        .containsExactly(3L, 1L, 2L);
    assertThat(numbers(at(6, "second"))).containsExactly(2L);
  }

  @Test
  void countsOnInAFileThatGrows() throws IOException {
    assertThat(numbers(at(43, "third"))).containsExactly(3L);
    Files.writeString(log, Files.readString(log) + "x\n".repeat(100_000) + "last\n");

    assertThat(numbers(at(200_049, "last"))).containsExactly(100_004L);
  }

  @Test
  void saysNothingOfAFileThatHoldsSomethingElseByNow() throws IOException {
    assertThat(numbers(at(6, "second"))).containsExactly(2L);
    Files.writeString(log, "an other log\nwith others in it\n");

    assertThat(numbers(at(6, "second"), at(7, "second"), at(4_000, "second"))).containsOnly(0L);
  }

  @Test
  void saysNothingOfWhatIsNoFileHere() {
    assertThat(
            numbers(
                evidence("/nowhere/0.log", 0, "first"),
                evidence("0.log", 0, "first"),
                evidence(folder.toString(), 0, "first"),
                evidence("nvidia-smi", -1, "first"),
                evidence("a\0b", 0, "first")))
        .containsOnly(0L);
  }

  /// 0 where none is said.
  private List<Long> numbers(Evidence... evidence) {
    var finding =
        Finding.of(
            "id",
            FindingKind.NCCL_ERROR,
            Severity.INFO,
            its -> its.evidence = Arrays.asList(evidence));
    return lines.apply(finding).evidence().stream()
        .map(line -> Objects.requireNonNullElse(line.line(), 0L))
        .toList();
  }

  private Evidence at(long offset, String text) {
    return evidence(log.toString(), offset, text);
  }

  private static Evidence evidence(String file, long offset, String text) {
    return new Evidence(null, "local", "pod", file, offset, text);
  }
}
