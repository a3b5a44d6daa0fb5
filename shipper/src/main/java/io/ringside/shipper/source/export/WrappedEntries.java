package io.ringside.shipper.source.export;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.shipper.source.export.Entry.Labels;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Joins lines that a terminal broke. Not thread-safe.
final class WrappedEntries implements Export.Source {
  /// Most pieces of one line: more than any message has, as a limit for text that only looks
  /// broken.
  private static final int MOST_PIECES = 64;

  private final BufferedReader in;
  private final int width;
  private @Nullable String ahead;

  WrappedEntries(InputStream in) throws IOException {
    var head = in.readNBytes(Export.HEAD);
    this.width =
        Wrapping.width(new String(head, StandardCharsets.UTF_8), head.length < Export.HEAD);
    this.in =
        new BufferedReader(
            new InputStreamReader(
                new SequenceInputStream(new ByteArrayInputStream(head), in),
                StandardCharsets.UTF_8),
            64 * 1024);
    this.ahead = this.in.readLine();
  }

  @Override
  public @Nullable Entry next() throws IOException {
    var piece = ahead;
    if (piece == null) {
      return null;
    }
    var line = new StringBuilder(piece);
    ahead = in.readLine();
    for (int pieces = 1; pieces < MOST_PIECES; pieces++) {
      var following = ahead;
      if (following == null || Wrapping.width(piece) != width || Wrapping.begins(following)) {
        break;
      }
      line.append(following);
      piece = following;
      ahead = in.readLine();
    }
    return new Entry(line.toString(), NO_TIME, Labels.NONE);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
