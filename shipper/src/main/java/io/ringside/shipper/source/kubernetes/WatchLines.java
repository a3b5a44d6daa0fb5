package io.ringside.shipper.source.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
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

  WatchLines(InputStream in, KubernetesCounts counts) {
    this.in = new BufferedInputStream(in, 16 * 1024);
    this.counts = counts;
  }

  /// The next line, null at the end. A last line without a line end is dropped.
  @Nullable String next() throws IOException {
    var line = new ByteArrayOutputStream(1024);
    long length = 0;
    for (int b = in.read(); b >= 0; b = in.read()) {
      if (b == '\n') {
        if (length <= LONGEST) {
          return line.toString(UTF_8);
        }
        counts.failures.count(Failure.TOO_LARGE);
        line.reset();
        length = 0;
      } else if (++length <= LONGEST) {
        line.write(b);
      } else if (length > ENDLESS) {
        counts.failures.count(Failure.TOO_LARGE);
        return null;
      }
    }
    return null;
  }
}
