package io.ringside.streams.publish;

/// The current results, of this instance's partitions or of all instances. Thread-safe.
@FunctionalInterface
public interface JobViews {
  /// @throws ViewsUnavailable while the stores move between instances
  ResultsSnapshot look();
}
