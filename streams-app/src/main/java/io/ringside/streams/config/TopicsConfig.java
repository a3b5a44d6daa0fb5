package io.ringside.streams.config;

import io.ringside.platform.config.Require;

/// Settings for Ringside's topics where they are missing.
///
/// @param create whether the service may create topics
/// @param partitions number of partitions of every topic; an existing topic is left as it is
/// @param replicas replication factor
public record TopicsConfig(boolean create, int partitions, int replicas) {
  public TopicsConfig {
    Require.between("partitions", 1, 10_000, partitions);
    Require.between("replicas", 1, 100, replicas);
  }
}
