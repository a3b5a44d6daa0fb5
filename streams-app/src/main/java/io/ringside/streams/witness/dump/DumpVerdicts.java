package io.ringside.streams.witness.dump;

import io.ringside.streams.parse.flightrecorder.Call;
import io.ringside.streams.parse.flightrecorder.Dump;
import io.ringside.streams.parse.flightrecorder.DumpReading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Judges the dumps of a run together. It accuses the ranks at the end of a chain of waits. It does
/// not accuse a rank that waits itself, even if that made fewer calls than others.
public final class DumpVerdicts {
  /// Most missing calls of a rank that waited for a dead one and was killed meanwhile.
  private static final int SURVIVORS_LAG = 1;

  /// A rank that has waited for so long is stuck, even if the dumps are from different moments:
  /// they are made within seconds, and ranks at work rarely wait in a call for so long.
  public static final Duration STANDS = Duration.ofSeconds(10);

  private final RunDumps dumps;
  private final Set<Integer> missing;
  private final boolean allRead;
  private final Set<Integer> waiting = new TreeSet<>();
  private final Map<Integer, AccusedRank> culprits = new TreeMap<>();
  private final Set<Integer> involved = new TreeSet<>();
  private String dispute = "";
  private final List<String> statements = new ArrayList<>();

  private DumpVerdicts(RunDumps dumps, Collection<DumpReading.Refused> unread, boolean allIn) {
    this.dumps = dumps;
    missing = dumps.world();
    missing.removeAll(dumps.ranks());
    allRead = unread.isEmpty() && allIn;
    for (var refused : unread) {
      missing.remove(refused.rank());
      statements.add(
          "%s cannot be read: %s"
              .formatted(
                  refused.rank() < 0 ? refused.file() : "the dump of rank " + refused.rank(),
                  refused.reason()));
    }
    if (!allIn && !missing.isEmpty()) {
      statements.add("the dumps of %s are not here yet".formatted(RankPhrases.ranks(missing)));
      missing.clear();
    }
  }

  /// What the dumps prove.
  ///
  /// @param unread files that look like dumps but cannot be read: their ranks are not missing, only
  ///   without a statement
  /// @param allIn whether no further dumps are expected: until then no rank counts as missing
  public static DumpVerdict of(
      Collection<Dump> dumps, Collection<DumpReading.Refused> unread, boolean allIn) {
    return new DumpVerdicts(new RunDumps(dumps), unread, allIn).verdict();
  }

  private DumpVerdict verdict() {
    for (int rank : dumps.ranks()) {
      if (!dumps.pending(rank).isEmpty() || !dumps.pendingUnseen(rank).isEmpty()) {
        waiting.add(rank);
      }
    }
    if (!missing.isEmpty()) {
      statements.add(
          "%s left no dump: dead, stopped, or could not write"
              .formatted(RankPhrases.ranks(missing)));
    }
    var older = older();
    if (!older.isEmpty()) {
      // of the others, only those that had been waiting for long before still wait
      waiting.removeIf(rank -> older.contains(rank) || !stands(rank));
      statements.add("the dumps are of different moments: calls go on between them");
    }
    if (!waiting.isEmpty()) {
      var graph = DumpWaits.of(dumps, waiting, missing);
      if (older.isEmpty()) {
        mismatches();
      }
      if (culprits.isEmpty() && involved.isEmpty()) {
        ends(graph);
        culprits.keySet().removeAll(older);
      }
      if (older.isEmpty()
          && culprits.isEmpty()
          && involved.isEmpty()
          && missing.isEmpty()
          && allRead) {
        statements.add("all ranks made the same calls: look at GPUs and network");
      }
    }
    return new DumpVerdict(
        List.copyOf(culprits.values()),
        involved,
        dispute,
        waiting,
        missing,
        statements,
        call(),
        since(),
        newest());
  }

  private long newest() {
    return dumps.all().stream().mapToLong(Dump::lastNanos).max().orElse(0);
  }

  private long since() {
    return waiting.stream()
        .flatMap(rank -> dumps.pending(rank).stream().limit(1))
        .mapToLong(Call::createdNanos)
        .filter(nanos -> nanos > 0)
        .min()
        .orElseGet(this::newest);
  }

  /// Ranks whose dumps are older than others. According to its dump, such a rank had not yet made a
  /// call that others have completed, or was one of several in the middle of it: a call ends on all
  /// ranks at about the same time.
  private Set<Integer> older() {
    var older = new TreeSet<Integer>();
    for (var group : dumps.groups()) {
      var members = dumps.members(group);
      members.removeIf(rank -> dumps.of(rank).isEmpty());
      var within =
          members.stream()
              .filter(rank -> StuckCall.find(dumps, rank, group).isPresent() && !stands(rank))
              .toList();
      if (within.size() > 1 && !stopped(within, members, group)) {
        older.addAll(within);
      }
      long farthest =
          members.stream().mapToLong(rank -> dumps.completed(rank, group)).max().orElse(-1);
      for (int rank : members) {
        long called = dumps.called(rank, group);
        if (called >= 0
            && called < farthest
            && members.stream().anyMatch(r -> passed(r, group, called))) {
          older.add(rank);
        }
      }
    }
    return older;
  }

  /// Whether several ranks are stuck in a call that the others completed, as where their GPUs
  /// failed. Then all others have come exactly as far as each other, as ranks do that wait. Whoever
  /// asks ranks for their dumps one after the other while they train asks the first of them first.
  ///
  /// @param members of the group that left dumps, in order
  private boolean stopped(List<Integer> within, Set<Integer> members, String group) {
    boolean first = members.stream().limit(within.size()).toList().equals(within);
    var states =
        members.stream()
            .filter(rank -> !within.contains(rank))
            .map(rank -> List.of(dumps.completed(rank, group), dumps.called(rank, group)))
            .distinct()
            .count();
    return !first && states == 1;
  }

  private boolean stands(int rank) {
    return dumps.pending(rank).stream()
        .findFirst()
        .filter(
            call -> call.createdNanos() > 0 && newest() - call.createdNanos() > STANDS.toNanos())
        .isPresent();
  }

  private boolean passed(int rank, String group, long called) {
    return dumps.completed(rank, group) > called
        && dumps.at(rank, group, called + 1).stream()
            .noneMatch(call -> StuckCall.rooted(call.operation()));
  }

  private void mismatches() {
    for (var mismatch : Mismatches.of(dumps)) {
      if (mismatch.odd().isEmpty()) {
        involved.addAll(mismatch.all());
        dispute = "ranks disagree in " + mismatch.words();
        statements.add(dispute);
      }
      for (int rank : mismatch.odd()) {
        dispute = "rank %d differs in %s".formatted(rank, mismatch.words());
        accuse(rank, AccusationReason.MISMATCH, dispute);
      }
    }
  }

  private void ends(WaitGraph graph) {
    var ends = graph.ends();
    var absent = new TreeSet<Integer>();
    for (var end : ends) {
      if (end.size() > 1) {
        CrossedCalls.among(end, dumps).ifPresent(this::crossed);
      } else if (missing.containsAll(end)) {
        absent.addAll(end);
      } else {
        alone(end.iterator().next(), graph);
      }
    }
    absent(absent, graph);
  }

  private void alone(int rank, WaitGraph graph) {
    var first =
        graph.onto(rank).stream()
            .min(Comparator.comparing(Wait::why).thenComparingLong(Wait::call))
            .orElseThrow();
    boolean waits = !dumps.pending(rank).isEmpty();
    if (first.why() == AccusationReason.STUCK
        || (!waits && first.why() != AccusationReason.BEHIND)
        || stuck(rank)) {
      accuse(rank, first.why(), sentence(rank, first, graph));
    } else if (first.why() == AccusationReason.NOT_BEGUN) {
      accuse(rank, first.why(), sentence(rank, first, graph));
    } else if (first.why() != AccusationReason.BEHIND) {
      statements.add(sentence(rank, first, graph) + ", but it waits itself");
    }
  }

  /// Whether others have completed the call in which the rank waits first.
  private boolean stuck(int rank) {
    return dumps.pending(rank).stream()
        .findFirst()
        .filter(call -> StuckCall.find(dumps, rank, call.group()).isPresent())
        .isPresent();
  }

  private String sentence(int rank, Wait wait, WaitGraph graph) {
    var group = dumps.words(wait.group());
    var waiting = new TreeSet<Integer>();
    graph.onto(rank).stream()
        .filter(other -> other.group().equals(wait.group()))
        .forEach(other -> waiting.add(other.rank()));
    return switch (wait.why()) {
      case NEVER_CALLED -> {
        long called = dumps.called(rank, wait.group());
        var last =
            dumps.at(rank, wait.group(), called).stream()
                .findFirst()
                .map(call -> ", %s%s".formatted(call.words(), at(call)))
                .orElse("");
        yield "rank %d: last enqueued call %d of %s%s, others up to %d; %s wait in call %d, %s"
            .formatted(
                rank,
                called,
                group,
                last,
                most(wait.group()),
                RankPhrases.ranks(waiting),
                wait.call(),
                wait.words());
      }
      case NEVER_POSTED ->
          "rank %d never posted its side: rank %d waits in %s of %s"
              .formatted(rank, wait.rank(), wait.words(), group);
      case STUCK ->
          "rank %d still waits in call %d of %s, which %s completed"
              .formatted(
                  rank, dumps.completed(rank, wait.group()) + 1, group, done(rank, wait.group()));
      case NOT_BEGUN ->
          "the GPU of rank %d did not begin call %d of %s, %s, in which %s wait"
              .formatted(rank, wait.call(), group, wait.words(), RankPhrases.ranks(waiting));
      case NO_DUMP, MISMATCH, CROSSED, BEHIND ->
          "%s wait for rank %d in call %d of %s, %s"
              .formatted(RankPhrases.ranks(waiting), rank, wait.call(), group, wait.words());
    };
  }

  private static String at(Call call) {
    return call.frame().isEmpty() ? "" : " (%s)".formatted(call.frame());
  }

  private long most(String group) {
    return dumps.ranks().stream().mapToLong(rank -> dumps.called(rank, group)).max().orElse(-1);
  }

  private String done(int rank, String group) {
    long own = dumps.completed(rank, group);
    return RankPhrases.ranks(
        dumps.members(group).stream()
            .filter(r -> dumps.of(r).isPresent() && dumps.completed(r, group) > own)
            .toList());
  }

  /// Accuses missing ranks, but only if they are few: the person who collected dumps may have left
  /// out a whole node.
  private void absent(Set<Integer> absent, WaitGraph graph) {
    int world = dumps.world().size();
    boolean few = missing.size() == 1 ? world > 2 : missing.size() * 8 <= world;
    if (absent.isEmpty() || !few || !involved.isEmpty()) {
      return;
    }
    boolean survivors =
        culprits.values().stream()
            .allMatch(
                accused ->
                    accused.why() == AccusationReason.NEVER_CALLED
                        && graph.onto(accused.rank()).stream()
                            .allMatch(wait -> wait.lag() <= SURVIVORS_LAG));
    if (!survivors) {
      return;
    }
    culprits.clear();
    for (int rank : absent) {
      graph.onto(rank).stream()
          .min(Comparator.comparingLong(Wait::call))
          .ifPresent(
              wait ->
                  accuse(
                      rank,
                      AccusationReason.NO_DUMP,
                      "rank %d left no dump, and %s".formatted(rank, sentence(rank, wait, graph))));
    }
  }

  private void crossed(CrossedCalls.Crossing crossing) {
    if (crossing.odd().isEmpty()) {
      involved.addAll(crossing.all());
      dispute = crossing.words();
      statements.add(dispute);
    }
    crossing.odd().forEach(rank -> accuse(rank, AccusationReason.CROSSED, crossing.words()));
  }

  private void accuse(int rank, AccusationReason why, String words) {
    culprits.merge(
        rank, new AccusedRank(rank, why, words), (a, b) -> a.why().compareTo(b.why()) <= 0 ? a : b);
  }

  /// The call in which most ranks wait, as text.
  private String call() {
    var counts = new HashMap<String, Integer>();
    for (int rank : waiting) {
      dumps.pending(rank).stream()
          .findFirst()
          .ifPresent(
              call ->
                  counts.merge(
                      call.p2p()
                          ? "%s of %s".formatted(call.operation(), dumps.words(call.group()))
                          : "%s %d of %s"
                              .formatted(
                                  call.operation(), call.collective(), dumps.words(call.group())),
                      1,
                      Integer::sum));
    }
    return counts.entrySet().stream()
        .max(
            Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .orElse("");
  }
}
