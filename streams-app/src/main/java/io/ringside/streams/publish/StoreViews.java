package io.ringside.streams.publish;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.detect.suspect.NodeMemory;
import io.ringside.streams.topology.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.TopologyDescription;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.StreamsNotStartedException;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/// Interactive queries over this instance's active tasks, never over standbys: a job is exported by
/// exactly one instance. While a rebalance is under way a query waits, at most as long as it is told
/// to. An instance without any partition sees nothing, which is no error.
public final class StoreViews implements JobViews, NodeViews {
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final KafkaStreams streams;
  private final Map<String, Set<Integer>> owners;
  private final Duration patience;

  /// @param topology of `streams`, as its description
  /// @param patience how long a query may wait for a rebalance; zero for not at all
  public StoreViews(KafkaStreams streams, TopologyDescription topology, Duration patience) {
    this.streams = streams;
    this.owners = owners(topology);
    this.patience = patience;
  }

  @Override
  public List<RunSummary> runs() {
    return all(Stores.RUNS);
  }

  @Override
  public List<Finding> findings() {
    return all(Stores.FINDINGS);
  }

  @Override
  public List<NodeMemory> nodes() {
    return all(Stores.NODE_MEMORY);
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
    var values = new ArrayList<T>();
    try (var entries = store.all()) {
      entries.forEachRemaining(entry -> values.add(entry.value));
    }
    return List.copyOf(values);
  }

  /// A running instance with no active task that has this store: there are more instances than
  /// partitions.
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
