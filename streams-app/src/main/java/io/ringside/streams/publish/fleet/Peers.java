package io.ringside.streams.publish.fleet;

import io.ringside.streams.publish.Holdings;
import io.ringside.streams.publish.ViewsUnavailable;
import java.time.Duration;

/// Asks other instances. Thread-safe.
@FunctionalInterface
public interface Peers {
  /// What the instance holds now.
  ///
  /// @param address its `host:port`
  /// @throws ViewsUnavailable if it does not answer within this time or cannot
  Holdings ask(String address, Duration patience);
}
