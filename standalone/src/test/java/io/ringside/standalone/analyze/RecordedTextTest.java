package io.ringside.standalone.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedTextTest {
  @TempDir Path folder;

  @Test
  void linesAreWholeWhereverTheBufferEnds() throws IOException {
    var expected = new ArrayList<String>();
    for (int line = 0; line < 5_000; line++) {
      expected.add(line + "é".repeat(line % 97));
    }
    Files.write(folder.resolve("a.csv"), expected);

    assertThat(lines()).isEqualTo(expected);
  }

  @Test
  void cutsLongLinesAndKnowsEmptyOnes() throws IOException {
    Files.writeString(folder.resolve("a.csv"), "\n" + "x".repeat(200_000) + "\nlast");

    assertThat(lines()).extracting(String::length).containsExactly(0, 16 * 1024, 4);
  }

  private List<String> lines() throws IOException {
    var lines = new ArrayList<String>();
    try (var text = RecordedText.open(folder.resolve("a.csv"))) {
      for (Optional<String> line = text.next(); line.isPresent(); line = text.next()) {
        lines.add(line.get());
      }
    }
    return lines;
  }
}
