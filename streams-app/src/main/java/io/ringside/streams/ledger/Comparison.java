package io.ringside.streams.ledger;

import io.ringside.schemas.event.LabelledEnum;
import io.ringside.schemas.event.RunAggregates.Steps;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.examine.DurationWords;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What differs between two runs of a job according to their summaries in the ledger.
///
/// @param before ID of the earlier run
/// @param after ID of the later run
/// @param changes the differences, transports first; empty if there are none
/// @param stepRatio step time of the later run divided by that of the earlier one, null if they
///   cannot be compared
public record Comparison(
    String before, String after, List<Change> changes, @Nullable Double stepRatio) {

  public Comparison {
    changes = List.copyOf(changes);
  }

  /// One difference.
  ///
  /// @param what for example `transport inter-node`, `channels`, `NCCL_ALGO`
  /// @param before empty if it did not exist before
  /// @param after empty if it no longer exists
  public record Change(String what, String before, String after, Effect effect) {}

  /// What a change means for speed.
  public enum Effect implements LabelledEnum {
    WORSE,
    BETTER,
    /// The effect is unknown.
    OTHER
  }

  /// Variables that differ from run to run without any meaning.
  private static final Set<String> PER_RUN =
      Set.of("NCCL_DEBUG_FILE", "NCCL_COMM_ID", "NCCL_HOSTID", "NCCL_TOPO_DUMP_FILE");

  /// Compares each run with the one before it.
  ///
  /// @param runs oldest first
  public static List<Comparison> each(List<RunSummary> runs) {
    var comparisons = new ArrayList<Comparison>();
    for (int later = 1; later < runs.size(); later++) {
      comparisons.add(of(runs.get(later - 1), runs.get(later)));
    }
    return comparisons;
  }

  /// Compares two summaries of the ledger.
  public static Comparison of(RunSummary before, RunSummary after) {
    var changes = new ArrayList<>(ofTransports(before, after));
    text("network", before.network(), after.network(), networkEffect(before, after), changes);
    number("channels", before.channels(), after.channels(), true, changes);
    number("ranks", before.nranks(), after.nranks(), false, changes);
    number("nodes", before.nodes().size(), after.nodes().size(), false, changes);
    number("pods", before.pods().size(), after.pods().size(), false, changes);
    text("instance type", before.instanceType(), after.instanceType(), Effect.OTHER, changes);
    text("NCCL version", before.ncclVersion(), after.ncclVersion(), Effect.OTHER, changes);
    text("plugin version", before.pluginVersion(), after.pluginVersion(), Effect.OTHER, changes);
    text(
        "libfabric version",
        before.libfabricVersion(),
        after.libfabricVersion(),
        Effect.OTHER,
        changes);
    environment(before, after, changes);
    var ratio = steps(before, after, changes);
    return new Comparison(before.run(), after.run(), changes, ratio);
  }

  /// A text on how the transport got worse; empty if it did not.
  public Optional<String> worseTransport() {
    var worse =
        changes.stream()
            .filter(
                change -> change.effect() == Effect.WORSE && change.what().startsWith("transport"))
            .map(
                change ->
                    "%s from %s to %s"
                        .formatted(
                            change.what().substring("transport ".length()),
                            change.before(),
                            change.after()))
            .toList();
    return worse.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", worse));
  }

  /// Changes of transport, by reach of the edges: the worst grade of each reach counts.
  static List<Change> ofTransports(RunSummary before, RunSummary after) {
    var changes = new ArrayList<Change>();
    var was = byReach(before);
    var is = byReach(after);
    var reaches = new TreeSet<>(was.keySet());
    reaches.addAll(is.keySet());
    for (var reach : reaches) {
      var from = was.getOrDefault(reach, new TreeSet<>());
      var to = is.getOrDefault(reach, new TreeSet<>());
      if (!from.equals(to)) {
        changes.add(
            new Change(
                "transport " + reach,
                String.join(" + ", from),
                String.join(" + ", to),
                effect(worst(from), worst(to))));
      }
    }
    return changes;
  }

  private static Map<String, TreeSet<String>> byReach(RunSummary run) {
    var transports = new TreeMap<String, TreeSet<String>>();
    for (var transport : run.transports()) {
      transports
          .computeIfAbsent(transport.edgeClass(), _ -> new TreeSet<>())
          .add(transport.transport());
    }
    return transports;
  }

  /// The worst grade of these transports, if any.
  static Optional<TransportGrade> worst(Iterable<String> transports) {
    var grades = EnumSet.noneOf(TransportGrade.class);
    transports.forEach(transport -> grades.add(TransportGrade.of(transport)));
    return grades.stream().findFirst();
  }

  private static Effect effect(Optional<TransportGrade> before, Optional<TransportGrade> after) {
    if (before.isEmpty() || after.isEmpty()) {
      return Effect.OTHER;
    }
    int change = after.get().compareTo(before.get());
    return change < 0 ? Effect.WORSE : change > 0 ? Effect.BETTER : Effect.OTHER;
  }

  /// Effect of a changed network. Every single-node job prints `Socket`, so it matters only if
  /// edges go over a network.
  private static Effect networkEffect(RunSummary before, RunSummary after) {
    boolean beyond =
        after.transports().stream().anyMatch(edge -> edge.transport().startsWith("NET"));
    if (!beyond) {
      return Effect.OTHER;
    }
    if (after.network().equals("Socket")) {
      return Effect.WORSE;
    }
    return before.network().equals("Socket") ? Effect.BETTER : Effect.OTHER;
  }

  private static void text(
      String what, String before, String after, Effect effect, List<Change> changes) {
    if (!before.equals(after) && !before.isEmpty() && !after.isEmpty()) {
      changes.add(new Change(what, before, after, effect));
    }
  }

  private static void number(
      String what, int before, int after, boolean moreIsBetter, List<Change> changes) {
    if (before != after && before > 0 && after > 0) {
      var effect = moreIsBetter ? (after < before ? Effect.WORSE : Effect.BETTER) : Effect.OTHER;
      changes.add(new Change(what, Integer.toString(before), Integer.toString(after), effect));
    }
  }

  private static void environment(RunSummary before, RunSummary after, List<Change> changes) {
    var names = new TreeSet<>(before.environment().keySet());
    names.addAll(after.environment().keySet());
    names.removeAll(PER_RUN);
    for (var name : names) {
      var was = before.environment().getOrDefault(name, "");
      var is = after.environment().getOrDefault(name, "");
      if (!was.equals(is)) {
        changes.add(new Change(name, was, is, Effect.OTHER));
      }
    }
  }

  private static @Nullable Double steps(RunSummary before, RunSummary after, List<Change> changes) {
    var was = steps(before);
    var is = steps(after);
    if (was == null || is == null) {
      return null;
    }
    if (!Objects.equals(was.globalBatch(), is.globalBatch())) {
      changes.add(
          new Change(
              "global batch", shown(was.globalBatch()), shown(is.globalBatch()), Effect.OTHER));
      return null;
    }
    var from = millis(was);
    var to = millis(is);
    if (from == null || to == null || from <= 0 || !was.source().equals(is.source())) {
      return null;
    }
    double ratio = to / from;
    if (Math.abs(ratio - 1) >= 0.05) {
      changes.add(
          new Change(
              "step time",
              DurationWords.time(from / 1000),
              DurationWords.time(to / 1000),
              ratio > 1 ? Effect.WORSE : Effect.BETTER));
    }
    return ratio;
  }

  /// Whether the two values are equal or one of them is unknown.
  public static boolean sameIfKnown(@Nullable Double one, @Nullable Double other) {
    return one == null || other == null || one.equals(other);
  }

  /// Normal step time of the run in milliseconds.
  public static @Nullable Double millis(Steps steps) {
    return steps.baselineMillis() == null ? steps.medianMillis() : steps.baselineMillis();
  }

  /// Seconds that the run's steps took beyond those of the run that they are compared with.
  ///
  /// @param millis normal step time of the run
  /// @param ratio [#stepRatio]
  public static double lostSeconds(Steps steps, double millis, double ratio) {
    return steps.steps() * (millis - millis / ratio) / 1000;
  }

  /// The run's steps, null if no line reports them.
  public static @Nullable Steps steps(RunSummary run) {
    return run.aggregates() == null ? null : run.aggregates().steps();
  }

  private static String shown(@Nullable Double value) {
    return value == null ? "" : "%.0f".formatted(value);
  }
}
