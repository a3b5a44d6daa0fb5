package io.ringside.lab.bakeoff;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringside.schemas.event.FindingKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/// The scorer's own tests. Needs Python 3.9 or newer.
class BakeoffTest {
  private static final Path FOLDER = Path.of("bakeoff");

  /// What is about Ringside's own sight is nobody's fault.
  private static final EnumSet<FindingKind> NO_FAULT =
      EnumSet.of(
          FindingKind.PLACEMENT_ADVICE,
          FindingKind.SENSOR_STALLED,
          FindingKind.TELEMETRY_GAP,
          FindingKind.TIMING_UNRELIABLE,
          FindingKind.UNPARSED_LINES);

  @Test
  void scoresRight() throws Exception {
    assumeTrue(
        Arrays.stream(System.getenv("PATH").split(":", -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3"))),
        "no python3");
    var tests =
        new ProcessBuilder("python3", "-B", "-m", "unittest", "-v")
            .directory(FOLDER.toFile())
            .redirectErrorStream(true)
            .start();
    var said = new String(tests.getInputStream().readAllBytes(), UTF_8);

    assertThat(tests.waitFor()).as(said).isZero();
    assertThat(said).contains("test_asks_for_just_the_ranks_to_blame");
  }

  @Test
  void hasAClassForEveryFault() throws Exception {
    var scorer = Files.readString(FOLDER.resolve("bakeoff.py"));

    assertThat(EnumSet.complementOf(NO_FAULT))
        .allSatisfy(kind -> assertThat(scorer).contains('"' + kind.label() + '"'));
  }
}
