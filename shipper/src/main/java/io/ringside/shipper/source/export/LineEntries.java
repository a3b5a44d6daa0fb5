package io.ringside.shipper.source.export;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.shipper.source.export.Entry.Labels;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Reads one JSON object per line; any other line becomes an entry as it is. Memory is bounded
/// whatever the lines. Not thread-safe.
final class LineEntries implements Export.Source {
  /// Longest line in bytes; longer ones are cut and then no longer parse as objects.
  private static final int LONGEST = 1 << 20;

  private final InputStream in;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(512);

  LineEntries(InputStream in) {
    this.in = new BufferedInputStream(in, 64 * 1024);
  }

  @Override
  public @Nullable Entry next() throws IOException {
    line.reset();
    int b = in.read();
    if (b < 0) {
      return null;
    }
    for (; b >= 0 && b != '\n'; b = in.read()) {
      if (line.size() < LONGEST) {
        line.write(b);
      }
    }
    var text = line.toString(StandardCharsets.UTF_8);
    var object = text.startsWith("{") ? Entries.parsed(text) : null;
    var entry = object == null ? null : Entries.of(object, Labels.NONE);
    return entry == null ? new Entry(text, NO_TIME, Labels.NONE) : entry;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
