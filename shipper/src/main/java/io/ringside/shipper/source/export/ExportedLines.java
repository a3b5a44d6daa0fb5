package io.ringside.shipper.source.export;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/// The lines of an export's entries as a stream of bytes. Not thread-safe.
final class ExportedLines extends InputStream {
  private static final byte[] NOTHING = {};

  private final Export.Source entries;
  private final Function<Entry, List<String>> written;
  private byte[] bytes = NOTHING;
  private int at;

  /// @param written formats an entry as lines
  ExportedLines(Export.Source entries, Function<Entry, List<String>> written) {
    this.entries = entries;
    this.written = written;
  }

  @Override
  public int read() throws IOException {
    return fill() ? bytes[at++] & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    var count = Math.min(length, bytes.length - at);
    System.arraycopy(bytes, at, into, from, count);
    at += count;
    return count;
  }

  private boolean fill() throws IOException {
    while (at == bytes.length) {
      var entry = entries.next();
      if (entry == null) {
        return false;
      }
      bytes = (String.join("\n", written.apply(entry)) + "\n").getBytes(StandardCharsets.UTF_8);
      at = 0;
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    entries.close();
  }
}
