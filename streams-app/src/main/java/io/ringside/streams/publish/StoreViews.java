package io.ringside.streams.publish;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.judge.suspect.NodeMemory;
import io.ringside.streams.node.Heartbeat;
import io.ringside.streams.topology.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.TaskMetadata;
import org.apache.kafka.streams.TopologyDescription;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.StreamsNotStartedException;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/// Interactive queries over this instance's active tasks, never over standbys, so that exactly one
/// instance exports a job. During a rebalance a query waits up to a limit. An instance without any
/// partition returns nothing, which is not an error.
public final class StoreViews implements JobViews, NodeViews, AgentViews {
  private static final Duration PAUSE = Duration.ofMillis(50);

  /// Seconds without a heartbeat after which the group gives an instance up; see StreamsSettings.
  private static final double STALE_SECONDS = 6;

  private final KafkaStreams streams;
  private final Map<String, Set<Integer>> owners;
  private final Duration patience;

  /// @param topology description of the topology of `streams`
  /// @param patience how long a query may wait for a rebalance; zero if it must not wait
  public StoreViews(KafkaStreams streams, TopologyDescription topology, Duration patience) {
    this.streams = streams;
    this.owners = owners(topology);
    this.patience = patience;
  }

  @Override
  public ResultsSnapshot look() {
    return new ResultsSnapshot(all(Stores.RUNS), all(Stores.FINDINGS), List.of());
  }

  @Override
  public List<NodeMemory> nodes() {
    return all(Stores.NODE_MEMORY);
  }

  @Override
  public List<Heartbeat> agents() {
    return all(Stores.AGENTS);
  }

  /// The data of this instance by partition. Does not wait: a partition that is being moved is left
  /// out.
  ///
  /// @throws ViewsUnavailable while the group gets no heartbeat from this instance: others may have
  ///   its partitions
  public InstanceHoldings holdings() {
    if (!streams.state().isRunningOrRebalancing()) {
      throw new ViewsUnavailable("the stream is " + streams.state(), new IllegalStateException());
    }
    double silent = secondsSinceHeartbeat();
    if (silent > STALE_SECONDS) {
      throw new ViewsUnavailable(
          "the group has not heard of this instance for %.0f s".formatted(silent),
          new IllegalStateException());
    }
    var jobs = new HashMap<Integer, InstanceHoldings.Results>();
    for (int partition : partitions(Stores.FINDINGS)) {
      Optional<List<RunSummary>> runs = read(Stores.RUNS, partition);
      Optional<List<Finding>> findings = read(Stores.FINDINGS, partition);
      if (runs.isPresent() && findings.isPresent()) {
        jobs.put(partition, new InstanceHoldings.Results(runs.get(), findings.get()));
      }
    }
    var nodes = new HashMap<Integer, List<NodeMemory>>();
    for (int partition : partitions(Stores.NODE_MEMORY)) {
      Optional<List<NodeMemory>> memory = read(Stores.NODE_MEMORY, partition);
      memory.ifPresent(of -> nodes.put(partition, of));
    }
    return new InstanceHoldings(jobs, nodes);
  }

  private Set<Integer> partitions(String store) {
    var subtopologies = owners.getOrDefault(store, Set.of());
    return streams.metadataForLocalThreads().stream()
        .flatMap(thread -> thread.activeTasks().stream())
        .map(TaskMetadata::taskId)
        .filter(task -> subtopologies.contains(task.subtopology()))
        .map(TaskId::partition)
        .collect(Collectors.toSet());
  }

  private <T> Optional<List<T>> read(String name, int partition) {
    try {
      ReadOnlyKeyValueStore<String, T> store =
          streams.store(
              StoreQueryParameters.<ReadOnlyKeyValueStore<String, T>>fromNameAndType(
                      name, QueryableStoreTypes.keyValueStore())
                  .withPartition(partition));
      return Optional.of(values(store));
    } catch (InvalidStateStoreException e) {
      return Optional.empty();
    }
  }

  /// Seconds since the last heartbeat of the stream thread that was silent the longest. A process
  /// that was paused detects this way that it is stale before it answers.
  private double secondsSinceHeartbeat() {
    double most = 0;
    for (var metric : streams.metrics().entrySet()) {
      if (metric.getKey().name().equals("last-heartbeat-seconds-ago")
          && metric.getValue().metricValue() instanceof Double seconds
          && Double.isFinite(seconds)) {
        most = Math.max(most, seconds);
      }
    }
    return most;
  }

  private <T> List<T> all(String name) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        return read(name);
      } catch (StreamsNotStartedException e) {
        throw new ViewsUnavailable("the stream has not started yet", e);
      } catch (InvalidStateStoreException e) {
        if (ownsNoPartOf(name)) {
          return List.of();
        }
        if (!mayComeBack() || System.nanoTime() >= deadline) {
          throw new ViewsUnavailable(
              "store '%s' cannot be read while the stream is %s: %s"
                  .formatted(name, streams.state(), e.getMessage()),
              e);
        }
        pause(e);
      }
    }
  }

  private <T> List<T> read(String name) {
    ReadOnlyKeyValueStore<String, T> store =
        streams.store(
            StoreQueryParameters.fromNameAndType(name, QueryableStoreTypes.keyValueStore()));
    return values(store);
  }

  private static <T> List<T> values(ReadOnlyKeyValueStore<String, T> store) {
    var values = new ArrayList<T>();
    try (var entries = store.all()) {
      entries.forEachRemaining(
          entry -> {
            if (entry.value != null) { // null: the value cannot be read
              values.add(entry.value);
            }
          });
    }
    return List.copyOf(values);
  }

  /// Whether this instance runs but has no active task with this store, because there are more
  /// instances than partitions.
  private boolean ownsNoPartOf(String store) {
    var subtopologies = owners.getOrDefault(store, Set.of());
    return streams.state() == KafkaStreams.State.RUNNING
        && streams.metadataForLocalThreads().stream()
            .flatMap(thread -> thread.activeTasks().stream())
            .noneMatch(task -> subtopologies.contains(task.taskId().subtopology()));
  }

  private static Map<String, Set<Integer>> owners(TopologyDescription topology) {
    var owners = new HashMap<String, Set<Integer>>();
    for (var part : topology.subtopologies()) {
      for (var node : part.nodes()) {
        if (node instanceof TopologyDescription.Processor processor) {
          for (var store : processor.stores()) {
            owners.computeIfAbsent(store, _ -> new HashSet<>()).add(part.id());
          }
        }
      }
    }
    return Map.copyOf(owners);
  }

  private boolean mayComeBack() {
    return streams.state().isRunningOrRebalancing()
        || streams.state() == KafkaStreams.State.CREATED;
  }

  private static void pause(InvalidStateStoreException reason) {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ViewsUnavailable("interrupted while waiting for a rebalance", reason);
    }
  }
}
