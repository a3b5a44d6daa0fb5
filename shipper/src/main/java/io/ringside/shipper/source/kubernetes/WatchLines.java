package io.ringside.shipper.source.kubernetes;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// The lines of a watch. Lines longer than any pod are skipped.
final class WatchLines {
  /// Longest line in bytes; etcd takes objects of 1.5 MiB.
  static final int LONGEST = 2 << 20;

  /// Most bytes without a line end; no API server sends more.
  static final int ENDLESS = 16 << 20;

  private final InputStream in;
  private final KubernetesCounts counts;
  private final byte[] block = new byte[16 * 1024];
  private int from;
  private int to;

  WatchLines(InputStream in, KubernetesCounts counts) {
    this.in = in;
    this.counts = counts;
  }

  /// The bytes of the next line, null at the end. A last line without a line end is dropped.
  byte @Nullable [] next() throws IOException {
    var line = new ByteArrayOutputStream(1024);
    long length = 0;
    while (from < to || fill()) {
      int end = lineEnd();
      length += end - from;
      if (length <= LONGEST) {
        line.write(block, from, end - from);
      } else if (length > ENDLESS) {
        counts.failures.count(Failure.TOO_LARGE);
        return null;
      }
      from = end;
      if (end < to) {
        from++;
        if (length <= LONGEST) {
          return line.toByteArray();
        }
        counts.failures.count(Failure.TOO_LARGE);
        line.reset();
        length = 0;
      }
    }
    return null;
  }

  private boolean fill() throws IOException {
    from = 0;
    to = Math.max(0, in.read(block, 0, block.length));
    return to > 0;
  }

  /// Where the line ends in the block, or the block does.
  private int lineEnd() {
    int end = from;
    while (end < to && block[end] != '\n') {
      end++;
    }
    return end;
  }
}
