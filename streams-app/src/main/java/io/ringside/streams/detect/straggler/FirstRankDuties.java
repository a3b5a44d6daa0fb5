package io.ringside.streams.detect.straggler;

import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import io.ringside.streams.waits.Streak;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Distinguishes duties of a job's first rank beside training from a slow machine.
///
/// Rank 0 logs, evaluates, samples and writes checkpoints every few steps while the others wait. If
/// each host does its own, the first rank of each host is late. A slow machine is late in most
/// steps. And some ranks only wait for what another rank hands out to them.
final class FirstRankDuties {
  /// With fewer steps between late turns, a rank is late in more than every other step: such a
  /// delay is no duty that comes now and then.
  private static final double LEAST_STEPS_APART = 2;

  /// At most this many steps between late turns: the rank is late in nearly every step.
  private static final double MOST_STEPS_APART = 1.5;

  /// A share of lost time that is too large for a duty. Checkpoints and evaluations of rank 0 cost
  /// up to a fifth, and duties of other ranks cost less.
  static final double TOO_DEAR = 0.25;

  private FirstRankDuties() {}

  private static final Pattern HANDED_OUT = Pattern.compile("Broadcast: opCount .* root (\\d+) ");

  /// Whether such duties explain the late ranks: they are late in few steps, or by far more in a
  /// few steps than in the others.
  ///
  /// @param together delays of ranks that were late together
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

  /// Whether a duty may keep the rank's GPU idle while it is late: a duty of rank 0, or one that
  /// comes every few steps.
  static boolean mayIdle(Delay delay) {
    return delay.rank() == 0 || delay.stepsApart() > MOST_STEPS_APART;
  }

  static boolean handOut(List<Delay> together, Run run) {
    return together.stream().allMatch(delay -> handsOut(delay, run));
  }

  /// Whether the others wait for data that this rank hands out to them in a separate group, such as
  /// a trainer's weights for the rollout workers. In a group of the whole job, lateness of the root
  /// is its own fault.
  private static boolean handsOut(Delay delay, Run run) {
    var proofs = delay.streak().proofs();
    return delay.comm().nranks() < run.nranks()
        && !proofs.isEmpty()
        && proofs.stream()
            .map(line -> HANDED_OUT.matcher(line.text()))
            .allMatch(it -> it.find() && it.group(1).equals(String.valueOf(delay.streak().rank())));
  }

  /// Whether rare waits may be such duties. They may for rank 0. If they cost little, they may also
  /// for other ranks that programs choose: the first of a host or the last of all.
  static boolean mayBe(Streak streak, Communicator comm, Run run) {
    return run.process(comm, streak.rank())
        .map(run::rank)
        .filter(rank -> !mayBe(rank, streak.share(), run.nranks(), firstRanks(run)))
        .isEmpty();
  }

  /// @param share share of the time that is lost, 0 to 1
  /// @param first the first rank of each host; if each host has one rank, this distinguishes none
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
