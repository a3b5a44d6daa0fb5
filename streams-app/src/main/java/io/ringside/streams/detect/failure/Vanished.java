package io.ringside.streams.detect.failure;

import io.ringside.streams.examine.Examination;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.witness.dump.Accused;
import io.ringside.streams.witness.dump.Why;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/// Ranks that died without a word: killed, or ended by a crash that a container's log does not hold. Whoever lost its
/// connection to them speaks, and is a victim.
final class Vanished {
  private Vanished() {}

  /// By the dumps, else by RAS, else the one rank whose log says nothing while those of all others do; empty where nobody
  /// can tell.
  static Set<Integer> ranks(Collection<Cause> told, Examination examination) {
    var ranks = new TreeSet<>(unheard(told, examination));
    var run = examination.run();
    // who has left in order has not died
    ranks.removeIf(rank -> run.ofRank(rank).filter(TrainingProcess::tornDown).isPresent());
    return ranks;
  }

  private static Set<Integer> unheard(Collection<Cause> told, Examination examination) {
    var witnesses = examination.witnesses();
    var byDumps = new TreeSet<Integer>();
    witnesses
        .dumps()
        .ifPresent(
            verdict ->
                verdict.culprits().stream()
                    .filter(accused -> accused.why() == Why.NO_DUMP)
                    .map(Accused::rank)
                    .forEach(byDumps::add));
    if (!byDumps.isEmpty()) {
      return byDumps;
    }
    var byRas = new TreeSet<Integer>();
    witnesses.ras().forEach(verdict -> byRas.addAll(verdict.missing()));
    return byRas.isEmpty() ? mute(told, examination) : byRas;
  }

  private static Set<Integer> mute(Collection<Cause> told, Examination examination) {
    var run = examination.run();
    var mute = new TreeSet<Integer>();
    run.byRank().forEach(process -> mute.add(run.rank(process)));
    if (mute.size() < run.nranks() || mute.size() < 2) {
      return Set.of(); // not all of them are seen
    }
    for (var process : run.byRank()) {
      if (!process.warnings().isEmpty() || tells(process, told)) {
        mute.remove(run.rank(process));
      }
    }
    mute.removeAll(run.watchdogs().keySet());
    told.forEach(cause -> mute.remove(cause.rank()));
    return mute.size() == 1 ? mute : Set.of();
  }

  private static boolean tells(TrainingProcess process, Collection<Cause> told) {
    return told.stream().anyMatch(cause -> cause.sign().source().equals(process.source().id()));
  }
}
