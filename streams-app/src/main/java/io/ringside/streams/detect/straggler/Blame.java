package io.ringside.streams.detect.straggler;

import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import io.ringside.streams.waits.Streak;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Tells culprits from those who are late because they waited for one, and puts together who was
/// late together.
///
/// With tensor parallelism a rank that is late in its small group makes the whole group late in the
/// large one: of ranks that are late together in a communicator those are victims whose smaller
/// group has one that is late alone.
///
/// @param stages who is late as a stage of a pipeline: nobody is its victim
record Blame(List<Delay> delays, List<Delay> stages, Run run) {
  /// So many late turns in the smaller group make one of it the culprit there, before it is
  /// convicted.
  private static final int LEAD = 3;

  /// The culprit's delay in the smaller group is at least this share of the victim's in the larger.
  private static final double EXPLAINS = 0.3;

  private static final double FAR_MORE = 1.5;

  /// Who costs this share of the time is late, whatever other communicators say.
  private static final double PLAIN_SHARE = 0.1;

  /// Who was late together was so for most of the time, and by about as much.
  private static final double TOGETHER = 0.5;

  /// Who waited for so much of what it was late by was late for that reason.
  private static final double MOST_OF_IT = 0.6;

  /// A time that is little beside another's.
  private static final double LITTLE = 0.25;

  /// Who was blamed this much less in the busier communicator was in time there.
  private static final double IN_TIME = 0.1;

  /// The delays of culprits, together what is one finding.
  static List<List<Delay>> group(List<Delay> delays, List<Delay> stages, Run run) {
    return new Blame(delays, stages, run).group();
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

  /// Whether somebody else was late by far more at that time: then who is a little late is so by
  /// chance, or since a wait left its traces in the order of calls.
  private boolean outweighed(Delay delay) {
    return delays.stream()
        .anyMatch(
            other ->
                other.rank() != delay.rank()
                    && delay.within(other) >= TOGETHER
                    && delay.streak().share() < LITTLE * other.streak().share());
  }

  /// Whether the same rank was late by far more at another time: what its data or chance cost it
  /// once more is none of that, and would thin it out.
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

  /// Whether it waited in a smaller group for most of what it was late by in the larger one, as
  /// others of that group did not: two of three that are late there are no few, and nobody stands
  /// accused.
  private static boolean waitedAmongItsOwn(Communicator smaller, int own, Delay delay) {
    var streak = delay.streak();
    var waited = smaller.waits().series().waitedSeconds(streak.sinceNanos(), streak.untilNanos());
    return waited.length > own
        && waited[own] - Arrays.stream(waited).min().orElse(0)
            >= MOST_OF_IT * streak.blamedSeconds();
  }

  /// Whether the rank was in time in a communicator that is no smaller, and waited there for
  /// somebody else as long as it was late here: groups of tensor parallelism are often larger than
  /// those of data parallelism.
  private static boolean waited(Communicator comm, int own, Delay delay) {
    double most = blamedMost(comm, own);
    return most > 0
        && most >= EXPLAINS * delay.streak().blamedSeconds()
        && comm.waits().blamedSeconds(own) < LITTLE * most
        && comm.waits().waitSeconds(own) >= EXPLAINS * delay.streak().blamedSeconds();
  }

  /// The same of just that time: rank 0's log lines and checkpoints before it blame others, too.
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

  /// For how long others waited for each of the few ranks of a communicator for which they waited
  /// far longer than for all the rest, in seconds; 0 if there are none, or if the rank is one of
  /// them.
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

  /// Where calls overlap, ranks make those of two communicators in different orders: a little late
  /// in one and in time in the busier other is no waiting.
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
