package io.ringside.streams.publish.fleet;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.judge.suspect.NodeMemory;
import io.ringside.streams.publish.InstanceHoldings;
import io.ringside.streams.publish.JobViews;
import io.ringside.streams.publish.NodeViews;
import io.ringside.streams.publish.ResultsSnapshot;
import io.ringside.streams.publish.ViewsUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/// The results of the whole fleet: this instance's own and the answers of the others, partition by
/// partition. If two instances claim a partition, which can happen for a moment when it moves, the
/// one that the group agreed on counts. If no instance has a partition, the query waits for it and
/// finally reports it as missing. Thread-safe.
///
/// @param own data of this instance; may throw {@link ViewsUnavailable}
/// @param patience how long an answer may take
public record FleetViews(
    Supplier<InstanceHoldings> own, Instances instances, Peers peers, Duration patience)
    implements JobViews, NodeViews {
  private static final Duration PAUSE = Duration.ofMillis(100);

  @Override
  public ResultsSnapshot look() {
    var gathered = gather();
    var runs = new ArrayList<RunSummary>();
    var findings = new ArrayList<Finding>();
    for (var results : gathered.jobs().values()) {
      runs.addAll(results.runs());
      findings.addAll(results.findings());
    }
    return new ResultsSnapshot(runs, findings, gathered.missing());
  }

  @Override
  public List<NodeMemory> nodes() {
    return lookAtNodes().nodes();
  }

  @Override
  public NodesSnapshot lookAtNodes() {
    var gathered = gather();
    return new NodesSnapshot(
        gathered.nodes().values().stream().flatMap(List::stream).toList(), gathered.missing());
  }

  /// The combined answers of all instances.
  private record Gathered(
      Map<Integer, InstanceHoldings.Results> jobs,
      Map<Integer, List<NodeMemory>> nodes,
      List<String> missing) {}

  private Gathered gather() {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      var gathered = ask(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
      if (gathered.missing().isEmpty() || System.nanoTime() + PAUSE.toNanos() >= deadline) {
        if (gathered.jobs().isEmpty() && !gathered.missing().isEmpty()) {
          throw new ViewsUnavailable(String.join("; ", gathered.missing()), new RuntimeException());
        }
        return gathered;
      }
      pause();
    }
  }

  private Gathered ask(Duration left) {
    var missing = new ArrayList<String>();
    var owners = new TreeMap<>(instances.owners());
    var answers = new TreeMap<String, InstanceHoldings>();
    var asked = new TreeMap<String, Future<InstanceHoldings>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var address : owners.keySet()) {
        if (!address.equals(instances.own())) {
          // half of the time, so that time to ask again remains if an instance hangs
          asked.put(address, threads.submit(() -> peers.ask(address, left.dividedBy(2))));
        }
      }
      try {
        answers.put(instances.own(), own.get());
      } catch (ViewsUnavailable e) {
        missing.add("this instance: " + e.getMessage());
      }
      asked.forEach((address, answer) -> take(address, answer, answers, missing));
    }
    return merge(owners, answers, missing);
  }

  private static void take(
      String address,
      Future<InstanceHoldings> answer,
      Map<String, InstanceHoldings> into,
      List<String> missing) {
    try {
      into.put(address, answer.get());
    } catch (ExecutionException e) {
      var cause = e.getCause() == null ? e : e.getCause();
      missing.add(address + ": " + cause.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      missing.add(address + ": interrupted");
    }
  }

  private Gathered merge(
      Map<String, Set<Integer>> owners,
      Map<String, InstanceHoldings> answers,
      List<String> missing) {
    var jobs = new TreeMap<Integer, InstanceHoldings.Results>();
    var nodes = new TreeMap<Integer, List<NodeMemory>>();
    for (var answer : answers.entrySet()) {
      var owned = owners.getOrDefault(answer.getKey(), Set.of());
      var holdings = answer.getValue();
      holdings
          .jobs()
          .forEach(
              (partition, results) -> {
                if (owned.contains(partition)) {
                  jobs.put(partition, results);
                } else {
                  jobs.putIfAbsent(partition, results);
                }
              });
      holdings.nodes().forEach(nodes::putIfAbsent);
    }
    var unseen = new TreeSet<Integer>();
    for (int partition = 0; partition < instances.partitions(); partition++) {
      if (!jobs.containsKey(partition)) {
        unseen.add(partition);
      }
    }
    if (!unseen.isEmpty()) {
      missing.add("partitions that no instance has at the moment: " + unseen);
    }
    return new Gathered(jobs, nodes, missing);
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ViewsUnavailable("interrupted while asking other instances", e);
    }
  }
}
