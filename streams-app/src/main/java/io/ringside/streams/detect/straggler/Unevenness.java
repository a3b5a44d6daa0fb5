package io.ringside.streams.detect.straggler;

import io.ringside.streams.job.Run;
import io.ringside.streams.waits.Streak;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// Distinguishes a straggler from work that is uneven by itself.
///
/// Batches sorted by length, packed documents and experts make each rank slower by a few percent
/// for tens or hundreds of steps, now one rank and then another. A machine that is slow by as
/// little stays slow. So a small delay is believed once it has lasted, and not if other ranks have
/// such stretches too.
final class Unevenness {
  /// A delay that costs a tenth of the time is believed after about fifty late turns, one that
  /// costs a twentieth after about two hundred.
  private static final double BELIEVED = 0.7;

  /// A smaller share may come from how the work is divided for the whole run: shards and experts
  /// differ by up to a tenth.
  private static final double LEAST_SHARE = 0.1;

  /// A larger share of the time cannot come from uneven data.
  private static final double PLAIN_SHARE = 0.25;

  /// This many other ranks with similar delays show that delays move from rank to rank.
  private static final int OTHERS = 2;

  /// Delays are similar if the smaller is at least this share of the larger.
  private static final double ALIKE = 0.4;

  /// A stretch this many times as long as another is not similar to it. Of lengths drawn by chance
  /// from one exponential distribution, one in e^8 is this many times the mean.
  private static final int LONGER = 8;

  /// This many ranks that draw their own data do not all draw longer data together for dozens of
  /// steps.
  private static final int MANY = 4;

  private Unevenness() {}

  /// Whether a delay is more than uneven work.
  ///
  /// @param together delays of one rank, or of ranks that were late together
  /// @param episodes number of their late turns
  /// @param share share of the time lost in the delay, 0 to 1
  static boolean beyond(List<Delay> together, long episodes, double share) {
    return share >= PLAIN_SHARE
        || together.stream().anyMatch(Unevenness::stalls)
        || (share >= LEAST_SHARE && lasted(draws(together, episodes), share) && !wanders(together));
  }

  /// Number of late turns that are independent draws, since delays of other ranks persist for
  /// several turns.
  private static double draws(List<Delay> together, long episodes) {
    double held =
        together.stream()
            .mapToDouble(delay -> delay.comm().waits().persistence(delay.streak().rank()))
            .min()
            .orElse(0);
    return episodes * (1 - held);
  }

  /// Whether the rank has stalls: no batch takes so many steps longer than the others. Stalls that
  /// cost little, such as rank 0's checkpoints, say nothing about its other delays.
  private static boolean stalls(Delay delay) {
    return delay.comm().waits().stalls().stream()
        .anyMatch(
            stall ->
                stall.rank() == delay.streak().rank()
                    && stall.convicted()
                    && stall.share() >= LEAST_SHARE);
  }

  /// Whether such a small loss has lasted long enough.
  static boolean lasted(double episodes, double share) {
    return share * Math.sqrt(episodes) >= BELIEVED;
  }

  /// The same if its GPU shows that data are not the reason.
  static boolean lastedByItsGpu(long episodes, double share) {
    return share * Math.sqrt(episodes) >= BELIEVED / 2;
  }

  /// Whether all ranks of a host, at least four, began to be late together, for long enough. Each
  /// rank draws its own data only if no group but the whole job joins them, as ranks of one group
  /// work on the same batch. The host of rank 0 does not count, as it may write checkpoints beside
  /// training.
  static boolean excludedByHost(List<Delay> together, long episodes, double share, Run run) {
    long hosts = together.stream().map(delay -> delay.process().hostId()).distinct().count();
    return together.stream().map(Delay::rank).distinct().count() >= MANY * hosts
        && lastedByItsGpu(episodes, share)
        && GroupPositions.wholeHosts(together, run)
        && together.stream()
            .allMatch(
                delay ->
                    delay.rank() > 0
                        && delay.streak().provesDelay()
                        && run.communicators().stream()
                            .filter(comm -> delay.rankIn(comm) >= 0)
                            .allMatch(comm -> comm.nranks() == run.nranks()));
  }

  private static boolean wanders(List<Delay> together) {
    var own = new HashSet<Integer>();
    together.forEach(delay -> own.add(delay.streak().rank()));
    for (var delay : together) {
      var streaks = new ArrayList<>(delay.comm().waits().closedStreaks());
      streaks.addAll(delay.comm().waits().openStreaks());
      double late = delay.streak().lateSeconds();
      var others = new HashSet<Integer>();
      for (var streak : streaks) {
        if (!own.contains(streak.rank())
            && streak.delaysOthers()
            && apart(streak, delay.streak())
            && LONGER * streak.delays() >= delay.streak().delays()
            && streak.lateSeconds() >= ALIKE * late) {
          others.add(streak.rank());
        }
      }
      if (others.size() >= OTHERS) {
        return true;
      }
    }
    return false;
  }

  /// Whether the two lasted at different times: a rank that is late while another is late may be
  /// waiting for it.
  private static boolean apart(Streak one, Streak other) {
    return one.untilNanos() < other.sinceNanos() || other.untilNanos() < one.sinceNanos();
  }
}
