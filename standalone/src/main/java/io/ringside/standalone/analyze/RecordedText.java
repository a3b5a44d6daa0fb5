package io.ringside.standalone.analyze;

import io.ringside.shipper.source.log.line.LineScan;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/// Reads a text file line by line, unpacking it if its name ends with `.gz`. Memory is bounded
/// whatever the content. Not thread-safe.
final class RecordedText implements AutoCloseable {
  /// Most bytes kept of a line; the widest row of nvidia-smi has a few hundred.
  private static final int LONGEST_LINE = 16 * 1024;

  /// Most bytes read of a file that is read whole; the largest `topo -m` has a few thousand.
  private static final int LARGEST_TEXT = 1024 * 1024;

  private final Path path;
  private final InputStream in;
  private final byte[] buffer = new byte[64 * 1024];
  private int from;
  private int to;

  private RecordedText(Path path, InputStream in) {
    this.path = path;
    this.in = in;
  }

  static RecordedText open(Path path) throws IOException {
    try {
      var raw = Files.newInputStream(path);
      var in = path.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
      return new RecordedText(path, in);
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  /// The whole text of a small file.
  static String of(Path path) throws IOException {
    try (var text = open(path)) {
      return new String(text.in.readNBytes(LARGEST_TEXT), StandardCharsets.UTF_8);
    }
  }

  /// The next line without its line end, cut if it is too long; empty at the end of the file.
  Optional<String> next() throws IOException {
    try {
      if (from == to && !fill()) {
        return Optional.empty();
      }
      int end = LineScan.indexOf(buffer, (byte) '\n', from, to);
      if (end < 0) {
        return Optional.of(gathered());
      }
      var line = text(from, Math.min(end, from + LONGEST_LINE));
      from = end + 1;
      return Optional.of(line);
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  /// Reads a line of which only the beginning is in the buffer.
  private String gathered() throws IOException {
    var line = new ByteArrayOutputStream(256);
    int end;
    do {
      end = LineScan.indexOf(buffer, (byte) '\n', from, to);
      int stop = end < 0 ? to : end;
      line.write(buffer, from, Math.min(stop - from, LONGEST_LINE - line.size()));
      from = end < 0 ? to : end + 1;
    } while (end < 0 && fill());
    return line.toString(StandardCharsets.UTF_8);
  }

  /// Fills the buffer; false at the end.
  private boolean fill() throws IOException {
    from = 0;
    to = Math.max(0, in.read(buffer, 0, buffer.length));
    return to > 0;
  }

  private String text(int begin, int end) {
    return new String(buffer, begin, end - begin, StandardCharsets.UTF_8);
  }

  private static IOException unreadable(Path path, IOException e) {
    return new IOException("cannot read " + path + ": " + e.getMessage(), e);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
