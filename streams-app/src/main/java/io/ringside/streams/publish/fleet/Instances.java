package io.ringside.streams.publish.fleet;

import java.util.Map;
import java.util.Set;

/// The instances of the service, as the group last agreed. Thread-safe.
public interface Instances {
  /// The address of this instance, empty if it advertises none.
  String own();

  /// Every instance that advertises an address, including this one, with its partitions of the
  /// jobs' stores.
  Map<String, Set<Integer>> owners();

  /// Number of partitions of the jobs' stores.
  int partitions();
}
