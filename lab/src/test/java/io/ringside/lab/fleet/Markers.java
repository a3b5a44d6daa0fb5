package io.ringside.lab.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.stream.IntStream;

/// Small jobs that fall on all partitions: when each has its finding, every partition has somebody
/// again.
final class Markers {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private Markers() {}

  /// Sends them and waits for all their findings.
  ///
  /// @param round tells them from those of other rounds, at most one each for 100 markers
  /// @param since a moment of `System.nanoTime`
  /// @return seconds since then
  static double secondsUntilAllPartitionsAnswer(
      int partitions, int round, long since, Traffic traffic, Results results) {
    int first = round * 100;
    var markers = IntStream.range(first, first + 3 * partitions).mapToObj(Traffic::marker).toList();
    markers.forEach(marker -> traffic.send(marker.records().stream()));
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    var missing = new ArrayList<>(markers.stream().map(marker -> marker.plan().name()).toList());
    while (!missing.isEmpty()) {
      var known = results.look().keySet();
      missing.removeIf(name -> known.stream().anyMatch(key -> key.contains("|" + name + "|")));
      assertThat(System.nanoTime()).as("no finding for %s", missing).isLessThan(deadline);
    }
    return (System.nanoTime() - since) / 1e9;
  }
}
