package io.ringside.shipper.source.log.follow;

import io.ringside.shipper.source.log.chunk.ChunkLimits;
import io.ringside.shipper.source.log.find.Roots;
import java.time.Duration;
import java.util.List;

/// Settings of the tailer.
///
/// @param globs patterns of the files to follow, see `LogFiles`
/// @param poll how often a busy file is checked; a quiet one is checked up to ten times less often
/// @param scan how often the globs are evaluated again
public record TailSettings(List<String> globs, Duration poll, Duration scan, ChunkLimits limits) {
  /// Logs of all containers of a node.
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

  /// The folders in which files are read; links that lead out of them are not followed.
  public Roots roots() {
    return Roots.of(globs);
  }

  /// The given globs with a poll of 100 ms, a scan of 1 s and default limits.
  public static TailSettings of(List<String> globs) {
    return new TailSettings(
        globs, Duration.ofMillis(100), Duration.ofSeconds(1), ChunkLimits.DEFAULT);
  }
}
