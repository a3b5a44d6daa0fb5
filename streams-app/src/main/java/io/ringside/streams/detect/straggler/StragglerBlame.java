package io.ringside.streams.detect.straggler;

import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import io.ringside.streams.waits.Streak;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Separates culprits from ranks that are late because they waited for a culprit, and groups ranks
/// that were late together.
///
/// With tensor parallelism a rank that is late in its small group makes the whole group late in the
/// large one. Of ranks that are late together in a communicator, those are victims whose smaller
/// group has a rank that is late alone.
///
/// @param stages delays of ranks that are late as a stage of a pipeline: they have no victims
record StragglerBlame(List<Delay> delays, List<Delay> stages, Run run) {
  /// This many late turns in the smaller group make a rank the culprit there, even before it is
  /// convicted.
  private static final int LEAD = 3;

  /// The culprit's delay in the smaller group is at least this share of the victim's in the larger.
  private static final double EXPLAINS = 0.3;

  private static final double FAR_MORE = 1.5;

  /// A rank that costs this share of the time is late, whatever other communicators show.
  private static final double PLAIN_SHARE = 0.1;

  /// Ranks are late together if their delays overlap for at least this share of the time, and are
  /// similar in size.
  private static final double TOGETHER = 0.5;

  /// A rank that itself waited for at least this share of its delay was late because of that wait.
  private static final double MOST_OF_IT = 0.6;

  /// A delay below this share of another is small beside it.
  private static final double LITTLE = 0.25;

  /// A rank was in time in the busier communicator if its blamed time there is below this share.
  private static final double IN_TIME = 0.1;

  /// The delays of culprits, in groups that make one finding each.
  static List<List<Delay>> group(List<Delay> delays, List<Delay> stages, Run run) {
    return new StragglerBlame(delays, stages, run).group();
  }

  private List<List<Delay>> group() {
    var groups = new ArrayList<List<Delay>>();
    var sorted = new ArrayList<>(delays);
    sorted.sort(Delay.FIRST_CONVINCED);
    for (var delay : sorted) {
      if (!victim(delay) && !outOfOrder(delay) && !outweighed(delay) && !aside(delay)) {
        groups.stream()
            .filter(group -> group.stream().anyMatch(other -> belongs(delay, other)))
            .findFirst()
            .orElseGet(
                () -> {
                  var group = new ArrayList<Delay>();
                  groups.add(group);
                  return group;
                })
            .add(delay);
      }
    }
    return groups;
  }

  private static boolean belongs(Delay delay, Delay other) {
    return delay.rank() == other.rank() || delay.overlap(other) >= TOGETHER && delay.alike(other);
  }

  /// Whether another rank was late by far more at that time. A slightly late rank is then late by
  /// chance, or because a wait changed the order of calls.
  private boolean outweighed(Delay delay) {
    return delays.stream()
        .anyMatch(
            other ->
                other.rank() != delay.rank()
                    && delay.within(other) >= TOGETHER
                    && delay.streak().share() < LITTLE * other.streak().share());
  }

  /// Whether the same rank was late by far more at another time. This delay then comes from its
  /// data or chance, is unrelated, and would dilute the finding.
  private boolean aside(Delay delay) {
    return delays.stream()
        .anyMatch(
            other ->
                other.rank() == delay.rank()
                    && delay.within(other) == 0
                    && delay.streak().blamedSeconds() < other.streak().blamedSeconds()
                    && !delay.alike(other));
  }

  private boolean victim(Delay delay) {
    for (var smaller : run.communicators()) {
      int own = smaller == delay.comm() ? -1 : delay.rankIn(smaller);
      if (own < 0) {
        continue;
      }
      if (smaller.nranks() >= delay.comm().nranks()) {
        if (waited(smaller, own, delay) || waitedMeanwhile(smaller, own, delay)) {
          return true;
        }
        continue;
      }
      if (waitedAmongItsOwn(smaller, own, delay)) {
        return true;
      }
      double most = blamedMost(smaller, own);
      if (most > 0 && most >= EXPLAINS * delay.streak().blamedSeconds()) {
        return true;
      }
      for (var streak : smaller.waits().leads()) {
        if (streak.rank() != own && explains(streak, delay)) {
          return true;
        }
      }
      for (var streak : smaller.waits().closedStreaks()) {
        if (streak.rank() != own && explains(streak, delay)) {
          return true;
        }
      }
    }
    return false;
  }

  /// Whether the rank waited in a smaller group for most of its delay in the larger one, while
  /// others of that group did not. This holds even if too many ranks are late there, such as two of
  /// three, to blame one.
  private static boolean waitedAmongItsOwn(Communicator smaller, int own, Delay delay) {
    var streak = delay.streak();
    var waited = smaller.waits().series().waitedSeconds(streak.sinceNanos(), streak.untilNanos());
    return waited.length > own
        && waited[own] - Arrays.stream(waited).min().orElse(0)
            >= MOST_OF_IT * streak.blamedSeconds();
  }

  /// Whether the rank was in time in a communicator that is no smaller, and waited there for
  /// another rank for a good part of its delay here. Groups of tensor parallelism are often larger
  /// than those of data parallelism.
  private static boolean waited(Communicator comm, int own, Delay delay) {
    double most = blamedMost(comm, own);
    return most > 0
        && most >= EXPLAINS * delay.streak().blamedSeconds()
        && comm.waits().blamedSeconds(own) < LITTLE * most
        && comm.waits().waitSeconds(own) >= EXPLAINS * delay.streak().blamedSeconds();
  }

  /// The same for just that time: log lines and checkpoints of rank 0 before it also count as
  /// delays of others.
  private boolean waitedMeanwhile(Communicator comm, int own, Delay delay) {
    var waits = comm.waits();
    boolean inTime =
        Stream.concat(waits.leads().stream(), waits.closedStreaks().stream())
            .noneMatch(streak -> streak.rank() == own && explains(streak, delay));
    return inTime
        && waits.waitSeconds(own) >= EXPLAINS * delay.streak().blamedSeconds()
        && Stream.concat(waits.openStreaks().stream(), waits.closedStreaks().stream())
            .anyMatch(
                streak ->
                    streak.rank() != own && !ofAStage(streak, comm) && explains(streak, delay));
  }

  private boolean ofAStage(Streak streak, Communicator comm) {
    return stages.stream()
        .anyMatch(stage -> stage.comm() == comm && stage.rankIn(comm) == streak.rank());
  }

  /// Of the few ranks in a communicator for which others waited far longer than for all the rest:
  /// the smallest of their wait times, in seconds. 0 if there are no such ranks, or if this rank is
  /// one of them.
  private static double blamedMost(Communicator comm, int rank) {
    var waits = comm.waits();
    var blamed =
        IntStream.range(0, comm.nranks()).mapToDouble(waits::blamedSeconds).sorted().toArray();
    double own = waits.blamedSeconds(rank);
    for (int few = 1; few <= Math.max(1, blamed.length / 4) && few < blamed.length; few++) {
      double least = blamed[blamed.length - few];
      if (own >= least) {
        return 0;
      }
      if (least > 0 && least >= FAR_MORE * blamed[blamed.length - few - 1]) {
        return least;
      }
    }
    return 0;
  }

  /// Whether the delay only comes from overlapping calls. Ranks then make the calls of two
  /// communicators in different orders: a rank that is a little late in one and in time in the
  /// busier one keeps no other rank waiting.
  private boolean outOfOrder(Delay delay) {
    if (delay.streak().share() >= PLAIN_SHARE) {
      return false;
    }
    for (var other : run.communicators()) {
      int rank = other == delay.comm() ? -1 : delay.rankIn(other);
      if (rank >= 0
          && other.nranks() == delay.comm().nranks()
          && other.rounds().completed() > delay.comm().rounds().completed()
          && other.waits().blamedSeconds(rank) < IN_TIME * delay.streak().blamedSeconds()) {
        return true;
      }
    }
    return false;
  }

  private static boolean explains(Streak cause, Delay effect) {
    return cause.episodes() >= LEAD
        && cause.sinceNanos() <= effect.streak().untilNanos()
        && effect.streak().sinceNanos() <= cause.untilNanos()
        && cause.blamedSeconds() >= EXPLAINS * effect.streak().blamedSeconds();
  }
}
