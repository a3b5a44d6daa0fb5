package io.ringside.streams.witness.ras;

import io.ringside.streams.parse.ras.RasAnswer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Judges RAS's answers over time, communicator by communicator.
public final class RasVerdicts {
  private final String commId;
  private final List<Standing> answers = new ArrayList<>();
  private final Map<Integer, Integer> pids = new TreeMap<>();
  private int nranks;

  /// Whether there is only one answer and nothing else will show whether it stays so.
  private final boolean onlyOne;

  private RasVerdicts(String commId, boolean onlyOne) {
    this.commId = commId;
    this.onlyOne = onlyOne;
  }

  /// The verdicts by communicator. Answers may come in any order.
  public static List<RasVerdict> of(Collection<RasAnswer> answers) {
    return of(answers, false);
  }

  /// Verdicts from a single answer if nothing else is known. Ranks that do not answer count,
  /// because the query had a reason. Counts that differ prove nothing, because they are read while
  /// they move.
  public static List<RasVerdict> ofOne(RasAnswer answer) {
    return of(List.of(answer), true);
  }

  private static List<RasVerdict> of(Collection<RasAnswer> answers, boolean onlyOne) {
    var byComm = new LinkedHashMap<String, RasVerdicts>();
    answers.stream()
        .sorted(Comparator.comparingLong(RasAnswer::atNanos))
        .forEach(
            answer ->
                answer
                    .comms()
                    .forEach(
                        comm -> {
                          var own =
                              byComm.computeIfAbsent(
                                  comm.commId(), id -> new RasVerdicts(id, onlyOne));
                          own.answers.add(Standing.of(answer, comm));
                          own.pids.putAll(comm.pids());
                          own.nranks = Math.max(own.nranks, comm.ranks());
                        }));
    return byComm.values().stream().map(RasVerdicts::verdict).toList();
  }

  private RasVerdict verdict() {
    var last = answers.getLast();
    int first = answers.size() - 1;
    while (first > 0 && answers.get(first - 1).same(last)) {
      first--;
    }
    boolean stands = first < answers.size() - 1 && !last.unknown();
    var behind = new TreeSet<Integer>();
    var ahead = new TreeSet<Integer>();
    var statements = new ArrayList<String>();
    last.ops()
        .forEach(
            (op, counts) -> {
              behind.addAll(counts.behind().keySet());
              ahead.addAll(counts.ahead().keySet());
              counts.say(op, statements);
            });
    // a rank that launched more of one operation and fewer of another makes different calls and is
    // not ahead; of two ranks, it is unknown which one does
    if (!ahead.equals(behind) || last.ops().values().stream().noneMatch(Counts::pair)) {
      ahead.removeAll(behind);
    }
    var missing = new TreeSet<>(last.missing());
    if (answers.size() > 1) {
      missing.retainAll(answers.get(answers.size() - 2).missing());
    } else if (!onlyOne) {
      missing.clear();
    }
    if (!missing.isEmpty()) {
      first = Math.min(first, missingSince(missing));
    }
    int at = 0; // before its consequences
    for (int rank : missing) {
      statements.add(at++, "rank %d does not answer RAS".formatted(rank));
    }
    return new RasVerdict(
        commId,
        nranks,
        pids,
        stands ? behind : Set.of(),
        missing,
        ahead,
        stands || !missing.isEmpty() ? Math.max(1, answers.get(first).atNanos()) : 0,
        alikeSince(last),
        last.atNanos(),
        longest(first),
        statements);
  }

  /// Epoch nanoseconds since when the last answers show the same counts for all ranks; 0 if they do
  /// not.
  private long alikeSince(Standing last) {
    int first = answers.size() - 1;
    while (first > 0 && answers.get(first - 1).alike(last)) {
      first--;
    }
    return first < answers.size() - 1 ? answers.get(first).atNanos() : 0;
  }

  /// Index of the answer since which one of these is gone.
  private int missingSince(Set<Integer> missing) {
    int since = answers.size() - 1;
    while (since > 0 && !Collections.disjoint(answers.get(since - 1).missing(), missing)) {
      since--;
    }
    return since;
  }

  /// Longest time, in nanoseconds, for which counts differed in the same way before they moved
  /// again.
  private long longest(int end) {
    long longest = 0;
    for (int i = 0; i < end; i++) {
      int j = i;
      while (j + 1 < end && answers.get(j + 1).same(answers.get(i))) {
        j++;
      }
      if (!answers.get(i).outliers().isEmpty()) {
        longest = Math.max(longest, answers.get(j).atNanos() - answers.get(i).atNanos());
      }
      i = j;
    }
    return longest;
  }

  /// The counts of one answer that both of its forms contain: the majority's count, and the ranks
  /// that differ.
  record Standing(long atNanos, Map<String, Counts> ops, Set<Integer> missing) {

    static Standing of(RasAnswer answer, RasAnswer.Comm comm) {
      var byOp = new TreeMap<String, List<RasAnswer.Count>>();
      comm.counts()
          .forEach(count -> byOp.computeIfAbsent(count.op(), _ -> new ArrayList<>()).add(count));
      var ops = new TreeMap<String, Counts>();
      byOp.forEach((op, counts) -> ops.put(op, Counts.of(counts)));
      ops.values()
          .removeIf(
              counts ->
                  counts.most() == 0 && counts.behind().isEmpty() && counts.ahead().isEmpty());
      return new Standing(answer.atNanos(), ops, new TreeSet<>(comm.missing()));
    }

    /// Whether both show the same differences. Text answers name only operations in which ranks
    /// differ.
    boolean same(Standing other) {
      var own = outliers();
      return own.equals(other.outliers())
          && !own.isEmpty()
          && own.keySet().stream().allMatch(op -> most(ops, op) == most(other.ops, op));
    }

    boolean alike(Standing other) {
      return !ops.isEmpty() && ops.equals(other.ops) && unknown() && missing.isEmpty();
    }

    private static long most(Map<String, Counts> ops, String op) {
      var counts = ops.get(op);
      return counts == null ? -1 : counts.most();
    }

    Map<String, Map<Integer, Long>> outliers() {
      var outliers = new TreeMap<String, Map<Integer, Long>>();
      ops.forEach(
          (op, counts) -> {
            var all = new TreeMap<>(counts.behind());
            all.putAll(counts.ahead());
            if (!all.isEmpty()) {
              outliers.put(op, all);
            }
          });
      return outliers;
    }

    boolean unknown() {
      return outliers().isEmpty();
    }
  }

  /// The launches of one operation. Of two ranks, the one with fewer is behind: the other can wait
  /// only for it.
  ///
  /// @param most launches of most ranks; of two ranks, those of the one with more
  /// @param behind ranks with fewer launches, with their counts
  record Counts(long most, Map<Integer, Long> behind, Map<Integer, Long> ahead) {

    static Counts of(List<RasAnswer.Count> counts) {
      var ranks = new HashMap<Long, Integer>();
      counts.forEach(count -> ranks.merge(count.launched(), count.ranks(), Integer::sum));
      int all = ranks.values().stream().mapToInt(Integer::intValue).sum();
      var behind = new TreeMap<Integer, Long>();
      var ahead = new TreeMap<Integer, Long>();
      for (var entry : ranks.entrySet()) {
        if (2 * entry.getValue() > all) {
          long most = entry.getKey();
          for (var count : counts) {
            if (count.rank() >= 0 && count.launched() != most) {
              (count.launched() < most ? behind : ahead).put(count.rank(), count.launched());
            }
          }
          return new Counts(most, behind, ahead);
        }
      }
      if (counts.size() == 2 && all == 2) {
        boolean first = counts.getFirst().launched() < counts.getLast().launched();
        var less = first ? counts.getFirst() : counts.getLast();
        var more = first ? counts.getLast() : counts.getFirst();
        if (less.rank() >= 0 && more.rank() >= 0) {
          behind.put(less.rank(), less.launched());
          ahead.put(more.rank(), more.launched());
          return new Counts(more.launched(), behind, ahead);
        }
      }
      return new Counts(-1, behind, ahead); // no majority, so no rank is an outlier
    }

    private boolean pair() {
      return behind.size() == 1 && ahead.size() == 1 && ahead.containsValue(most);
    }

    void say(String op, List<String> statements) {
      var name = op.isEmpty() ? "collectives" : op;
      behind.forEach(
          (rank, count) ->
              statements.add(
                  "rank %d launched %d %s, %s %d"
                      .formatted(rank, count, name, pair() ? "the other" : "most others", most)));
      if (!ahead.isEmpty() && !pair()) {
        statements.add(
            "ranks %s launched more %s than most: they are ahead, not late"
                .formatted(ahead.keySet(), name));
      }
    }
  }
}
