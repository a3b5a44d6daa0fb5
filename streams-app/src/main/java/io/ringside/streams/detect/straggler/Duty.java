package io.ringside.streams.detect.straggler;

import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import io.ringside.streams.waits.Streak;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Tells what a job's first rank does beside training from a slow machine.
///
/// Rank 0 logs, evaluates, samples and writes checkpoints while the others wait, each few steps;
/// where each host does its own, the first rank of each is late. A machine that is slow is so in
/// most steps. And some only wait for what another one hands out to them.
final class Duty {
  /// Who is late in more than every other step has no time of its own between.
  private static final double LEAST_STEPS_APART = 2;

  /// Who is late in nearly every step is no farther apart.
  private static final double MOST_STEPS_APART = 1.5;

  /// Such a share of the time is lost to no duty of a rank other than 0, and too much for one of
  /// rank 0's: checkpoints and evaluations cost up to a fifth.
  static final double TOO_DEAR = 0.25;

  private Duty() {}

  private static final Pattern HANDED_OUT = Pattern.compile("Broadcast: opCount .* root (\\d+) ");

  /// Whether such duties explain who is late: in few steps, or by far more in few of them than in
  /// the others.
  ///
  /// @param together who was late together
  static boolean explains(List<Delay> together, Run run) {
    var late = new HashSet<Integer>();
    for (var delay : together) {
      if (delay.stepsApart() < LEAST_STEPS_APART && !delay.streak().mostlyFew()) {
        return false;
      }
      late.add(delay.rank());
    }
    return late.contains(0) && firstRanks(run).containsAll(late);
  }

  /// Whether a duty may keep the rank's GPU idle while it is late: one of rank 0's, or one that
  /// comes each few steps.
  static boolean mayIdle(Delay delay) {
    return delay.rank() == 0 || delay.stepsApart() > MOST_STEPS_APART;
  }

  static boolean handOut(List<Delay> together, Run run) {
    return together.stream().allMatch(delay -> handsOut(delay, run));
  }

  /// Whether the others wait for what this rank hands out to them, in a group of their own: a
  /// trainer's weights to the workers that roll out. In a group of the whole job a root's lateness
  /// is its own.
  private static boolean handsOut(Delay delay, Run run) {
    var proofs = delay.streak().proofs();
    return delay.comm().nranks() < run.nranks()
        && !proofs.isEmpty()
        && proofs.stream()
            .map(line -> HANDED_OUT.matcher(line.text()))
            .allMatch(it -> it.find() && it.group(1).equals(String.valueOf(delay.streak().rank())));
  }

  /// Whether rare waits may be such duties: for rank 0, or, as long as they cost little, for
  /// another rank that programs choose, the first of a host or the last of all.
  static boolean mayBe(Streak streak, Communicator comm, Run run) {
    return run.process(comm, streak.rank())
        .map(run::rank)
        .filter(rank -> !mayBe(rank, streak.share(), run.nranks(), firstRanks(run)))
        .isEmpty();
  }

  /// @param share of the time that is lost
  /// @param first the first rank of each host; where each host has one rank, that sets nobody apart
  static boolean mayBe(int rank, double share, int ranks, Set<Integer> first) {
    boolean chosen = rank == ranks - 1 || first.size() < ranks && first.contains(rank);
    return rank == 0 || share < TOO_DEAR && chosen;
  }

  /// The first rank of each host.
  private static Set<Integer> firstRanks(Run run) {
    var hosts = new HashSet<String>();
    var first = new HashSet<Integer>();
    for (var process : run.byRank()) {
      if (hosts.add(process.hostId())) {
        first.add(run.rank(process));
      }
    }
    return first;
  }
}
