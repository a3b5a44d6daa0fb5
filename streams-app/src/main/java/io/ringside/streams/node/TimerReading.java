package io.ringside.streams.node;

import io.ringside.streams.fact.Fact;
import io.ringside.streams.parse.event.LoopEvent;
import io.ringside.streams.parse.event.MegatronEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Combines Megatron-LM's timers of all ranks (`--timing-log-option all`) into one statement for
/// each report: which ranks computed for longer than the others and waited less for the others'
/// gradients, by about as much. If no timer covers waiting, the duration of the iteration counts
/// instead. Remembered from chunk to chunk. Owned by one stream thread.
final class TimerReading {
  /// With fewer ranks, none can stand out.
  private static final int LEAST_RANKS = 4;

  private static final int MOST_RANKS = 1 << 16;

  /// Least time of a slow rank, as a multiple of the median rank's.
  private static final double SLOW = 1.15;

  private static final double MAY_BE_SLOW = 1.05;

  /// Share of the extra time by which the others must have waited longer: a delay that no rank
  /// waits for does no harm.
  private static final double FELT = 0.5;

  /// Longest iteration that still counts as caused by a rank, as a multiple of the time the rank
  /// computes. In a longer one the others may have waited for something else.
  private static final double AS_LONG = 1.25;

  /// At most one rank in this many stands out; more are a stage of a pipeline.
  private static final int ONE_OF = 4;

  private String timer = "";
  private boolean pipeline;
  private final Map<Integer, Double> computing = new HashMap<>();
  private final Map<Integer, Double> waiting = new HashMap<>();

  /// The lines of ranks that may turn out to be slow.
  private final Map<Integer, Fact> lines = new HashMap<>();

  private double forward;

  /// Milliseconds that an iteration took before this report, NaN if no line states it.
  private double iteration = Double.NaN;

  /// What the report before this line states, once it is complete.
  List<Fact> read(MegatronEvent event, Fact line) {
    return switch (event) {
      case MegatronEvent.TimersBegun _ -> {
        clear();
        yield List.of();
      }
      case MegatronEvent.Timer(String name) -> {
        timer = name;
        // stages of a pipeline do different work
        pipeline |= name.startsWith("forward-recv") || name.startsWith("backward-recv");
        // later timers are the optimizer's
        yield name.equals("optimizer") ? complete(line) : List.of();
      }
      case MegatronEvent.RankTime(int rank, double millis) -> {
        took(rank, millis, line);
        yield List.of();
      }
      case MegatronEvent.TensorParallel _, MegatronEvent.TensorGroups _ -> List.of();
      case MegatronEvent.Iteration e -> {
        var complete = complete(line);
        iteration = e.millisPerIteration();
        yield complete;
      }
    };
  }

  private void took(int rank, double millis, Fact line) {
    if (computing.size() >= MOST_RANKS) {
      return;
    }
    switch (timer) {
      case "forward-compute" -> {
        if (computing.size() < LEAST_RANKS || millis > MAY_BE_SLOW * forward / computing.size()) {
          lines.put(rank, line);
        }
        forward += millis;
        computing.merge(rank, millis, Double::sum);
      }
      case "backward-compute" -> computing.merge(rank, millis, Double::sum);
      case "all-grads-sync" -> waiting.put(rank, millis);
      default -> {
        // the other timers show nothing about a single rank
      }
    }
  }

  private List<Fact> complete(Fact line) {
    var compared = new ArrayList<Fact>();
    if (!pipeline
        && computing.size() >= LEAST_RANKS
        && (computing.keySet().equals(waiting.keySet())
            || waiting.isEmpty() && !Double.isNaN(iteration))) {
      compared.add(line.saying(new LoopEvent.RanksCompared(LoopEvent.By.MEGATRON)));
      for (int rank : slow()) {
        compared.add(
            lines
                .getOrDefault(rank, line)
                .saying(new LoopEvent.RanksSlow(LoopEvent.By.MEGATRON, List.of(rank))));
      }
    }
    clear();
    return compared;
  }

  private List<Integer> slow() {
    double work = middle(computing);
    double wait = waiting.isEmpty() ? 0 : middle(waiting);
    var slow = new ArrayList<Integer>();
    computing.forEach(
        (rank, took) -> {
          // without waiting times, the others waited if the iteration lasted as long as this rank
          boolean felt =
              waiting.isEmpty()
                  ? iteration >= took && iteration <= AS_LONG * took
                  : wait - waiting.getOrDefault(rank, wait) > FELT * (took - work);
          if (took > SLOW * work && felt) {
            slow.add(rank);
          }
        });
    return slow.size() <= computing.size() / ONE_OF ? slow : List.of();
  }

  private void clear() {
    timer = "";
    pipeline = false;
    forward = 0;
    computing.clear();
    waiting.clear();
    lines.clear();
  }

  private static double middle(Map<Integer, Double> values) {
    var sorted = values.values().stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
