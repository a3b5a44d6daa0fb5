package io.ringside.benchmarks.parse;

import io.ringside.schemas.event.Text;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Lines of training jobs: those of a file, or made up by {@link Runs}.
///
/// @param lines without line feeds
public record Corpus(List<String> lines) {

  public Corpus {
    lines = List.copyOf(lines);
  }

  /// Writes so many made-up lines to a file, each with a line feed.
  public static void write(Path file, int count) throws IOException {
    var runs = new Runs();
    try (var out = Files.newBufferedWriter(file)) {
      var written = 0;
      while (written < count) {
        var run = runs.next();
        for (var line : run.subList(0, Math.min(run.size(), count - written))) {
          out.write(line);
          out.write('\n');
        }
        written += run.size();
      }
    }
  }

  /// So many lines of a file, from its beginning again where it is shorter; made up if the name is
  /// empty.
  static Corpus of(String file, int count) throws IOException {
    if (file.isEmpty()) {
      return madeUp(count);
    }
    var all = Files.readAllLines(Path.of(file), StandardCharsets.UTF_8);
    var lines = new ArrayList<String>(count);
    while (lines.size() < count) {
      lines.addAll(all.subList(0, Math.min(all.size(), count - lines.size())));
    }
    return new Corpus(lines);
  }

  private static Corpus madeUp(int count) {
    var runs = new Runs();
    var lines = new ArrayList<String>(count);
    while (lines.size() < count) {
      lines.addAll(runs.next());
    }
    return new Corpus(lines.subList(0, count));
  }

  /// All lines as the chunks that a Kafka record carries, of up to 64 KiB.
  List<Text> chunks() {
    var chunks = new ArrayList<Text>();
    var chunk = new StringBuilder();
    for (var line : lines) {
      if (chunk.length() + line.length() >= 64 * 1024) {
        chunks.add(Text.of(chunk.toString()));
        chunk.setLength(0);
      }
      chunk.append(line).append('\n');
    }
    chunks.add(Text.of(chunk.toString()));
    return List.copyOf(chunks);
  }
}
