package io.ringside.shipper.source.log.follow;

import io.ringside.shipper.source.log.chunk.ChunkLimits;
import io.ringside.shipper.source.log.find.Roots;
import java.time.Duration;
import java.util.List;

/// How files are tailed.
///
/// @param globs which files, see `LogFiles`
/// @param poll how often a busy file is looked at; a quiet one up to ten times less
/// @param scan how often the globs are read again
public record TailSettings(List<String> globs, Duration poll, Duration scan, ChunkLimits limits) {
  /// The containers of a node.
  public static final List<String> KUBELET = List.of("/var/log/pods/*/*/*.log");

  public TailSettings {
    globs = List.copyOf(globs);
    if (poll.toMillis() < 1 || scan.compareTo(poll) < 0) {
      throw new IllegalArgumentException(
          "poll must be at least PT0.001S and at most scan, were %s and %s".formatted(poll, scan));
    }
    for (String glob : globs) {
      if (glob.isBlank()) {
        throw new IllegalArgumentException("a glob must not be blank");
      }
    }
  }

  /// Where files are read: links lead to nowhere else.
  public Roots roots() {
    return Roots.of(globs);
  }

  /// 100 ms, 1 s, usual limits.
  public static TailSettings of(List<String> globs) {
    return new TailSettings(
        globs, Duration.ofMillis(100), Duration.ofSeconds(1), ChunkLimits.DEFAULT);
  }
}
