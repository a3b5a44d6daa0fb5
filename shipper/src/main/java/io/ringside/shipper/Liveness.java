package io.ringside.shipper;

import io.ringside.shipper.source.Source;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Whether the loops of the sources still run. A send may wait for the broker and a child process
/// for its driver, but neither takes two minutes.
record Liveness(List<Source> sources, LongSupplier ticker) {
  private static final Duration DEAD = Duration.ofMinutes(2);

  /// Names of the sources whose loops have not moved for two minutes.
  List<String> stuck() {
    return sources.stream()
        .filter(source -> silent(source).compareTo(DEAD) > 0)
        .map(Source::name)
        .toList();
  }

  /// Why the agent should be restarted; empty if it need not be.
  Optional<String> dead() {
    return sources.stream()
        .filter(source -> silent(source).compareTo(DEAD) > 0)
        .findFirst()
        .map(
            source ->
                "%s has not moved for %d s".formatted(source.name(), silent(source).toSeconds()));
  }

  private Duration silent(Source source) {
    return Duration.ofNanos(ticker.getAsLong() - source.lastBeatNanos());
  }
}
