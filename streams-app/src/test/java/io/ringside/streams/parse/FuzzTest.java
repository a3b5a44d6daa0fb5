package io.ringside.streams.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/// Lines of all golden files, mutated: no exception, no hang, spans within the line. The number of
/// lines is `-Dfuzz.lines`, the seed `-Dfuzz.seed`; 10 million were run by hand.
class FuzzTest {

  private static final int LINES = Integer.getInteger("fuzz.lines", 200_000);
  private static final long SEED = Long.getLong("fuzz.seed", 20261120L);
  private static final int MIB = 1 << 20;

  private final long[] outcomes = new long[Outcome.values().length];

  private static List<String> originals() throws IOException {
    var lines = new ArrayList<String>();
    for (var folder : List.of("nccl", "frameworks")) {
      try (var files = Files.walk(Path.of("src/test/resources", folder))) {
        for (var file : files.filter(f -> f.toString().endsWith(".log")).sorted().toList()) {
          lines.addAll(Files.readAllLines(file));
        }
      }
    }
    return lines;
  }

  @Test
  void survivesMutatedLines() throws IOException {
    var originals = originals();
    var random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
    for (var i = 0; i < LINES; i++) {
      var line = new StringBuilder(pick(originals, random));
      for (var n = random.nextInt(4); n >= 0; n--) {
        mutate(line, originals, random);
      }
      parse(line.toString());
    }
    assertThat(outcomes).as("lines of every outcome").doesNotContain(0L);
  }

  @Test
  void survivesLinesOfAMebibyteInTime() throws IOException {
    var originals = originals();
    var random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
    for (var i = 0; i < 60; i++) {
      var line = mebibyte(originals, random, i % 4);
      Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> parse(line));
    }
    assertThat(outcomes[Outcome.EVENTS.ordinal()]).isPositive();
  }

  private static String mebibyte(List<String> originals, RandomGenerator random, int kind) {
    var line = new StringBuilder(MIB);
    var piece = pick(originals, random);
    while (line.length() < MIB) {
      switch (kind) {
        case 0 -> line.append(piece).append('x');
        case 1 -> line.append(line.isEmpty() ? piece : "").append('9');
        case 2 -> line.append(line.isEmpty() ? piece : "").append('[');
        default -> line.append(pick(originals, random)).append(' ');
      }
    }
    return line.toString();
  }

  private void parse(String line) {
    var text = Text.of(line);
    var from = text.length() / 7;
    outcomes[Parsed.of(line).outcome().ordinal()]++;
    // and from the middle of a text, without copies
    new LineParser(text).parse(from, text.length(), (head, event, start, end) -> {});
  }

  private static String pick(List<String> lines, RandomGenerator random) {
    return lines.get(random.nextInt(lines.size()));
  }

  private static void mutate(StringBuilder line, List<String> others, RandomGenerator random) {
    var length = line.length();
    if (length == 0) {
      line.append((char) random.nextInt(0x3000));
      return;
    }
    var at = random.nextInt(length);
    switch (random.nextInt(9)) {
      case 0 -> line.setLength(at);
      case 1 -> line.delete(0, at);
      case 2 -> line.insert(at, pick(others, random));
      case 3 -> line.setCharAt(at, (char) (line.charAt(at) ^ 1 << random.nextInt(8)));
      case 4 -> line.setCharAt(at, (char) random.nextInt(0x10000));
      case 5 -> line.delete(at, Math.min(length, at + 1 + random.nextInt(20)));
      case 6 -> line.insert(at, String.valueOf(random.nextLong()));
      case 7 -> line.insert(at, "\r");
      default -> {
        var other = pick(others, random);
        line.setLength(at);
        line.append(other, random.nextInt(other.length() + 1), other.length());
      }
    }
  }
}
