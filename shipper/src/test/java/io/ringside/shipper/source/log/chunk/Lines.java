package io.ringside.shipper.source.log.chunk;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.shipper.source.log.line.LineCounts;
import io.ringside.shipper.source.log.recorded.RecordedLog;
import io.ringside.shipper.source.log.recorded.Recording;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Runs bytes through the decoder as a recording and shows what came out.
public record Lines(
    List<String> text, List<Long> offsets, List<Long> times, List<Integer> cut, LineCounts counts) {
  static final LogSource SOURCE = new LogSource("", "n", "", "p", "", "", "j", "/var/log/p.log");

  /// A plain file of a node `n`.
  public static LogSource source(Path file) {
    String pod = file.getFileName().toString().replaceFirst("\\.log$", "");
    return new LogSource("c", "n", "", pod, "", "", "j", file.toString());
  }

  static Lines of(String content) {
    return of(content.getBytes(StandardCharsets.UTF_8), ChunkLimits.DEFAULT);
  }

  static Lines of(byte[] content, ChunkLimits limits) {
    try {
      Path file = Files.createTempFile("lines", ".log");
      try {
        Files.write(file, content);
        return ofFile(file, limits);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static Lines ofFile(Path file, ChunkLimits limits) throws IOException {
    var counts = new LineCounts();
    var chunks = new ArrayList<LogChunk>();
    Recording.ship(List.of(new RecordedLog(file, SOURCE)), limits, chunks::add, _ -> {}, counts);
    return ofChunks(chunks, counts);
  }

  public static Lines ofChunks(List<LogChunk> chunks, LineCounts counts) {
    var lines =
        new Lines(
            new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), counts);
    for (LogChunk chunk : chunks) {
      for (int cut : chunk.cut()) {
        lines.cut.add(lines.text.size() + cut);
      }
      if (chunk.lines() > 0) {
        lines.text.addAll(List.of(chunk.text().toString().split("\n", -1)));
      }
      for (int i = 0; i < chunk.lines(); i++) {
        lines.offsets.add(chunk.offset(i));
        lines.times.add(chunk.timeNanos(i));
      }
    }
    return lines;
  }
}
