package io.ringside.standalone.analyze;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/// A text file line by line, unpacked if its name ends with `.gz`, in bounded memory whatever is in
/// it. Not thread-safe.
final class RecordedText implements AutoCloseable {
  /// Bytes kept of a line; the widest row of nvidia-smi has a few hundred.
  private static final int LONGEST_LINE = 16 * 1024;

  /// Bytes read of a file that is wanted whole; the largest `topo -m` has a few thousand.
  private static final int LARGEST_TEXT = 1024 * 1024;

  private final Path path;
  private final InputStream in;

  private RecordedText(Path path, InputStream in) {
    this.path = path;
    this.in = in;
  }

  static RecordedText open(Path path) throws IOException {
    try {
      var raw = Files.newInputStream(path);
      var in = path.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
      return new RecordedText(path, new BufferedInputStream(in, 64 * 1024));
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  /// All of a small file.
  static String of(Path path) throws IOException {
    try (var text = open(path)) {
      return new String(text.in.readNBytes(LARGEST_TEXT), StandardCharsets.UTF_8);
    }
  }

  /// The next line without its end, cut if it is long; empty at the end of the file.
  Optional<String> next() throws IOException {
    try {
      var line = new ByteArrayOutputStream(256);
      int b = in.read();
      if (b < 0) {
        return Optional.empty();
      }
      for (; b >= 0 && b != '\n'; b = in.read()) {
        if (line.size() < LONGEST_LINE) {
          line.write(b);
        }
      }
      return Optional.of(line.toString(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  private static IOException unreadable(Path path, IOException e) {
    return new IOException("cannot read " + path + ": " + e.getMessage(), e);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
