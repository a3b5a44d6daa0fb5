package io.ringside.streams.witness.inspector;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The bandwidths of a run's communicators, each compared with its own past and with others of the
/// same shape. Only large calls that end together on all ranks show the state of links. Limited in
/// size. Not thread-safe.
final class GroupSpeeds {
  /// Least size of a call as a power of two, in bytes. Smaller calls show latency, which varies
  /// several-fold with other load.
  static final int LEAST_BITS = 23;

  /// Least number of peers, not counting the compared communicator.
  private static final int FEWEST_PEERS = 3;

  /// Share of the peers that must be alike.
  private static final double ALIKE = 0.8;

  private static final int MOST_SERIES = 2_048;

  private static final Set<String> OPS = Set.of("AllReduce", "AllGather", "ReduceScatter");

  private final Map<String, Group> groups = new TreeMap<>();
  private int series;

  /// Adds a round, with the bandwidth of the rank that came last.
  void add(String comm, int nranks, int nnodes, String op, long bytes, float busGBps, long at) {
    int bits = 63 - Long.numberOfLeadingZeros(Math.max(1, bytes));
    if (bits < LEAST_BITS || !(busGBps > 0) || !OPS.contains(op)) {
      return;
    }
    var group = groups.computeIfAbsent(comm, _ -> new Group(nranks, nnodes));
    var kind = op + " " + bits;
    if (!group.byKind.containsKey(kind)) {
      if (series >= MOST_SERIES) {
        return;
      }
      series++;
      group.byKind.put(kind, new SpeedSeries());
    }
    group.byKind.get(kind).add(busGBps, at);
  }

  /// Communicators that are slow by either comparison, each once.
  List<SlowGroup> slow() {
    var slow = new ArrayList<SlowGroup>();
    groups.forEach(
        (comm, group) -> fallen(comm, group).or(() -> behind(comm, group)).ifPresent(slow::add));
    return slow;
  }

  /// The slow communicator compared with its own past. A failing link slows all large calls; if
  /// only one kind is slow, other work of the program slows it.
  private static Optional<SlowGroup> fallen(String comm, Group group) {
    return group.byKind.entrySet().stream()
        .flatMap(
            entry ->
                entry
                    .getValue()
                    .fall()
                    .map(fall -> fallen(comm, group, entry.getKey(), fall))
                    .stream())
        .filter(slow -> group.byKind.values().stream().allMatch(other -> fellToo(other, slow)))
        .max(Comparator.comparingDouble(SlowGroup::seconds));
  }

  private static SlowGroup fallen(String comm, Group group, String kind, SpeedSeries.Fall fall) {
    return slow(
        comm,
        group,
        kind,
        fall.busGBps(),
        fall.reached(),
        0,
        fall.fromMicros(),
        fall.toMicros(),
        fall.on());
  }

  private static boolean fellToo(SpeedSeries other, SlowGroup slow) {
    float then = other.within(slow.fromMicros(), slow.toMicros());
    return then == 0 || then < SpeedSeries.STEADY * other.reached();
  }

  private Optional<SlowGroup> behind(String comm, Group group) {
    var peers =
        groups.values().stream().filter(other -> other != group && other.alike(group)).toList();
    return group.byKind.keySet().stream()
        .flatMap(kind -> behind(comm, group, kind, peers).stream())
        .filter(_ -> group.byKind.keySet().stream().allMatch(kind -> slower(group, kind, peers)))
        .max(Comparator.comparingDouble(slow -> slow.expectedGBps() / slow.busGBps()));
  }

  private static Optional<SlowGroup> behind(
      String comm, Group group, String kind, List<Group> peers) {
    var points = group.points(kind);
    var theirs = speeds(kind, peers).toList();
    if (points.size() < 2 * FEWEST_PEERS || theirs.size() < FEWEST_PEERS) {
      return Optional.empty();
    }
    float usual = theirs.get(theirs.size() / 2);
    long alike = theirs.stream().filter(it -> it >= SpeedSeries.STEADY * usual).count();
    boolean always =
        points.stream().allMatch(point -> point.busGBps() < SpeedSeries.STEADY * usual);
    float own = Speed.median(points);
    return alike >= ALIKE * theirs.size() && always && own < SpeedSeries.FALLEN * usual
        ? Optional.of(
            slow(
                comm,
                group,
                kind,
                own,
                usual,
                theirs.size(),
                points.getFirst().fromMicros(),
                points.getLast().toMicros(),
                true))
        : Optional.empty();
  }

  /// Whether the group is slower in this kind as well, or that is unknown.
  private static boolean slower(Group group, String kind, List<Group> peers) {
    var theirs = speeds(kind, peers).toList();
    float own = Speed.median(group.points(kind));
    return own == 0
        || theirs.size() < FEWEST_PEERS
        || own < SpeedSeries.STEADY * theirs.get(theirs.size() / 2);
  }

  private static Stream<Float> speeds(String kind, List<Group> groups) {
    return groups.stream()
        .map(group -> group.points(kind))
        .filter(points -> points.size() >= FEWEST_PEERS)
        .map(Speed::median)
        .sorted();
  }

  private static SlowGroup slow(
      String comm,
      Group group,
      String kind,
      float busGBps,
      float expected,
      int peers,
      long from,
      long to,
      boolean on) {
    int blank = kind.indexOf(' ');
    return new SlowGroup(
        comm,
        group.nranks,
        group.nnodes,
        kind.substring(0, blank),
        1L << Integer.parseInt(kind.substring(blank + 1)),
        busGBps,
        expected,
        peers,
        from,
        to,
        on);
  }

  /// The bandwidth series of one communicator.
  static final class Group {
    int nranks;
    int nnodes;
    Map<String, SpeedSeries> byKind = new TreeMap<>();

    Group() {}

    Group(int nranks, int nnodes) {
      this.nranks = nranks;
      this.nnodes = nnodes;
    }

    boolean alike(Group other) {
      return nranks == other.nranks && nnodes == other.nnodes;
    }

    List<Speed> points(String kind) {
      var series = byKind.get(kind);
      return series == null ? List.of() : series.points;
    }
  }
}
