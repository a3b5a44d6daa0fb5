package io.ringside.streams.detect.hang;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.examine.Witnesses;
import io.ringside.streams.witness.dump.DumpVerdict;
import io.ringside.streams.witness.ras.RasVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What witnesses outside the log show about a hang.
///
/// @param culprits ranks named by the flight recorder, else by RAS; empty if neither proves any
/// @param undecided whether ranks contradict each other, or wait for each other, and nothing says
///   which of them are wrong
/// @param dispute the contradiction between ranks in words, empty if there is none
/// @param waiting ranks that wait, as far as dumps show
/// @param words what each witness names in words, and whether they agree
/// @param witnesses the same as separate entries
/// @param call the call in which most ranks wait, empty if unknown
/// @param sinceNanos start of the hang in Unix epoch nanoseconds, 0 if unknown
/// @param dumpedNanos when the newest call in the dumps was made, 0 without dumps
/// @param longestNanos the longest pause that the run has come back from
/// @param leftAlone whether the only fact is that ranks of a live job no longer answer RAS: ranks
///   of a job that ends do so too
record WitnessEvidence(
    Set<Integer> culprits,
    boolean undecided,
    String dispute,
    Set<Integer> waiting,
    String words,
    String call,
    List<Finding.Witness> witnesses,
    List<Evidence> proofs,
    long sinceNanos,
    long dumpedNanos,
    long longestNanos,
    boolean leftAlone) {

  /// Words for ranks that call in different orders, as RAS shows it.
  private static final String CIRCLE =
      "who is behind on one communicator or operation is ahead on another: each waits for the other";

  WitnessEvidence {
    witnesses = List.copyOf(witnesses);
    proofs = List.copyOf(proofs);
  }

  /// What the witnesses show; empty if none of them sees a hang.
  static Optional<WitnessEvidence> of(Witnesses witnesses) {
    var dumps = witnesses.dumps().filter(DumpVerdict::hangs);
    var standing = witnesses.ras().stream().filter(RasVerdict::hangs).toList();
    if (dumps.isEmpty() && standing.isEmpty()) {
      return Optional.empty();
    }
    var byDumps = new TreeSet<Integer>(dumps.map(DumpVerdict::ranks).orElse(Set.of()));
    var byRas = byRas(standing);
    var proofs = new ArrayList<Evidence>();
    dumps.ifPresent(verdict -> proofs.addAll(proofs(verdict, witnesses)));
    for (var verdict : standing) {
      verdict.statements().stream()
          .limit(3)
          .forEach(words -> proofs.add(witnesses.rasProof(words, verdict.lastNanos())));
    }
    long since = dumps.map(DumpVerdict::sinceNanos).orElse(0L);
    for (var verdict : standing) {
      since = since == 0 ? verdict.standsSinceNanos() : Math.min(since, verdict.standsSinceNanos());
    }
    boolean undecided =
        dumps.isPresent() ? dumps.get().undecided() : byRas.isEmpty() && behind(standing);
    return Optional.of(
        new WitnessEvidence(
            undecided ? Set.of() : byDumps.isEmpty() ? byRas : byDumps,
            undecided,
            dumps.map(DumpVerdict::dispute).orElse(undecided ? CIRCLE : ""),
            dumps.map(DumpVerdict::waiting).orElse(Set.of()),
            words(dumps.isPresent(), byDumps, !standing.isEmpty(), byRas),
            dumps.map(DumpVerdict::call).orElse(""),
            witnesses(dumps, byDumps, standing, byRas),
            proofs,
            since,
            dumps.map(DumpVerdict::newestNanos).orElse(0L),
            witnesses.ras().stream().mapToLong(RasVerdict::longestNanos).max().orElse(0),
            dumps.isEmpty()
                && (witnesses.rasLive()
                    || standing.stream().allMatch(verdict -> verdict.commId().isEmpty()))
                && standing.stream().allMatch(verdict -> verdict.behind().isEmpty())));
  }

  /// The ranks that do not answer; if all do, those that are behind and nowhere ahead. A rank that
  /// waits for a dead rank may be behind too. A rank that waits in a small group is behind in the
  /// large group.
  private static Set<Integer> byRas(List<RasVerdict> standing) {
    var missing = new TreeSet<Integer>();
    var behind = new TreeSet<Integer>();
    var ahead = new TreeSet<Integer>();
    for (var verdict : standing) {
      missing.addAll(verdict.missing());
      behind.addAll(verdict.behind());
      ahead.addAll(verdict.ahead());
    }
    if (!missing.isEmpty()) {
      return missing;
    }
    behind.removeAll(ahead);
    return behind;
  }

  private static boolean behind(List<RasVerdict> standing) {
    return standing.stream().anyMatch(verdict -> !verdict.behind().isEmpty());
  }

  private static List<Finding.Witness> witnesses(
      Optional<DumpVerdict> dumps,
      Set<Integer> byDumps,
      List<RasVerdict> standing,
      Set<Integer> byRas) {
    var witnesses = new ArrayList<Finding.Witness>();
    dumps.ifPresent(
        verdict ->
            witnesses.add(
                new Finding.Witness(
                    "flight-recorder",
                    List.copyOf(byDumps),
                    Stream.concat(
                            verdict.culprits().stream().map(it -> it.words()),
                            verdict.statements().stream())
                        .findFirst()
                        .orElse("dumps name nobody"))));
    standing.stream()
        .findFirst()
        .ifPresent(
            verdict ->
                witnesses.add(
                    new Finding.Witness(
                        "ras",
                        List.copyOf(byRas),
                        verdict.statements().stream().findFirst().orElse("nothing moves"))));
    return witnesses;
  }

  private static List<Evidence> proofs(DumpVerdict verdict, Witnesses witnesses) {
    var proofs = new ArrayList<Evidence>();
    for (var accused : verdict.culprits()) {
      proofs.add(witnesses.dumpProof(accused.rank(), accused.words(), verdict.sinceNanos()));
    }
    int first = verdict.waiting().stream().min(Integer::compare).orElse(-1);
    for (var statement : verdict.statements()) {
      proofs.add(witnesses.dumpProof(first, statement, verdict.sinceNanos()));
    }
    return proofs.stream().limit(5).toList();
  }

  private static String words(
      boolean dumped, Set<Integer> byDumps, boolean ras, Set<Integer> byRas) {
    var said = new ArrayList<String>();
    if (dumped) {
      said.add("the flight recorder names " + name(byDumps));
    }
    if (ras) {
      said.add("RAS names " + name(byRas));
    }
    if (!byDumps.isEmpty() && !byRas.isEmpty()) {
      said.add(byDumps.equals(byRas) ? "they agree" : "they do not agree");
    }
    return String.join("; ", said);
  }

  private static String name(Set<Integer> ranks) {
    return ranks.isEmpty() ? "nobody" : RankText.words(ranks);
  }
}
