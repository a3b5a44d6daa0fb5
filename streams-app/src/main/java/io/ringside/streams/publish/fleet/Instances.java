package io.ringside.streams.publish.fleet;

import java.util.Map;
import java.util.Set;

/// Who is there, as the group last agreed. Thread-safe.
public interface Instances {
  /// The address of this one, empty where it told none.
  String own();

  /// Every instance that told its address, this one too, with the partitions of the jobs' stores it
  /// owns.
  Map<String, Set<Integer>> owners();

  /// How many partitions the jobs' stores have.
  int partitions();
}
