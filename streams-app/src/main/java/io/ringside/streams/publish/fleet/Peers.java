package io.ringside.streams.publish.fleet;

import io.ringside.streams.publish.InstanceHoldings;
import io.ringside.streams.publish.ViewsUnavailable;
import java.time.Duration;

/// Queries other instances. Thread-safe.
@FunctionalInterface
public interface Peers {
  /// The data that the instance holds now.
  ///
  /// @param address its `host:port`
  /// @throws ViewsUnavailable if it cannot answer, or not within this time
  InstanceHoldings ask(String address, Duration patience);
}
