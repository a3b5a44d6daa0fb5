package io.ringside.streams.detect.failure;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.streams.examine.Examination;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.witness.dump.AccusationReason;
import io.ringside.streams.witness.dump.AccusedRank;
import java.util.Collection;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/// Finds ranks that died without a message: killed, or ended by a crash that a container's log does
/// not hold. Ranks that lost their connection to them complain, but are victims.
final class VanishedRanks {
  private VanishedRanks() {}

  /// A log that ended longer than this before the first complaint ended for another reason.
  private static final long SHORTLY_NANOS = 120_000_000_000L;

  /// The vanished ranks according to the dumps, else according to RAS. Else the one rank whose log
  /// reports nothing while the logs of all others do, or all ranks of one machine; empty if
  /// unknown.
  static Set<Integer> ranks(Collection<FailureCause> told, Examination examination) {
    var ranks = new TreeSet<>(unheard(told, examination));
    var run = examination.run();
    // a rank that shut down in order has not died
    ranks.removeIf(rank -> run.ofRank(rank).filter(TrainingProcess::tornDown).isPresent());
    return ranks;
  }

  private static Set<Integer> unheard(Collection<FailureCause> told, Examination examination) {
    var witnesses = examination.witnesses();
    var byDumps = new TreeSet<Integer>();
    witnesses
        .dumps()
        .ifPresent(
            verdict ->
                verdict.culprits().stream()
                    .filter(accused -> accused.why() == AccusationReason.NO_DUMP)
                    .map(AccusedRank::rank)
                    .forEach(byDumps::add));
    if (!byDumps.isEmpty()) {
      return byDumps;
    }
    var byRas = new TreeSet<Integer>();
    witnesses.ras().forEach(verdict -> byRas.addAll(verdict.missing()));
    return byRas.isEmpty() ? mute(told, examination) : byRas;
  }

  private static Set<Integer> mute(Collection<FailureCause> told, Examination examination) {
    var run = examination.run();
    var mute = new TreeSet<Integer>();
    run.byRank().forEach(process -> mute.add(run.rank(process)));
    if (mute.size() < run.nranks() || mute.size() < 2) {
      return Set.of(); // some ranks have no log
    }
    for (var process : run.byRank()) {
      if (!process.warnings().isEmpty() || tells(process, told)) {
        mute.remove(run.rank(process));
      }
    }
    mute.removeAll(run.watchdogs().keySet());
    told.forEach(cause -> mute.remove(cause.rank()));
    return mute.size() == 1 || oneMachine(mute, told, examination) ? mute : Set.of();
  }

  /// Whether these are all ranks of one machine or pod, and their logs end shortly before the first
  /// complaint.
  private static boolean oneMachine(
      Set<Integer> mute, Collection<FailureCause> told, Examination examination) {
    var run = examination.run();
    var theirs = new TreeSet<String>();
    var hosts = new TreeSet<String>();
    var others = new TreeSet<String>();
    for (var process : run.byRank()) {
      boolean silent = mute.contains(run.rank(process));
      (silent ? theirs : others).add(process.source().id());
      (silent ? hosts : others).add(process.hostId());
    }
    long complained =
        told.stream().mapToLong(cause -> cause.sign().atNanos()).min().orElse(NO_TIME);
    if (hosts.size() != 1
        || complained == NO_TIME
        || !Collections.disjoint(theirs, others)
        || !Collections.disjoint(hosts, others)) {
      return false;
    }
    long last =
        theirs.stream()
            .map(examination.job().sources()::get)
            .filter(Objects::nonNull)
            .mapToLong(JobState.Source::lineNanos)
            .max()
            .orElse(NO_TIME);
    return last != NO_TIME && last < complained && complained - last < SHORTLY_NANOS;
  }

  private static boolean tells(TrainingProcess process, Collection<FailureCause> told) {
    return told.stream().anyMatch(cause -> cause.sign().source().equals(process.source().id()));
  }
}
