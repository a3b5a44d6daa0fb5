package io.ringside.streams.detect.straggler;

import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import java.util.List;

/// Distinguishes pipeline stages that wait for another stage from the rank that delays that stage.
///
/// ```text
///   stage 0: ranks 0 and 1   late in their data groups, both alike; neither waits for the other
///   stage 1: ranks 4 and 5   5 is late in the tensor group: 4 waits for it, and so does stage 0
/// ```
///
/// No line shows what a rank waits for in a receive. A rank that is late together with the others
/// of its tensor group is no culprit if a single rank is late in a stage that it sends to or
/// receives from.
final class Upstream {
  /// A rank is in time in its own group if its delay there is below this share of its delay
  /// elsewhere.
  private static final double AMONG_ITS_OWN = 0.3;

  private static final double MOST_OF_THE_TIME = 0.5;

  private final List<Delay> delays;
  private final Run run;
  private final List<List<Integer>> pipelines;

  private Upstream(List<Delay> delays, Run run) {
    this.delays = delays;
    this.run = run;
    pipelines = Stages.pipelines(run);
  }

  /// The delays without those of stages that wait for a straggler of another stage.
  static List<Delay> without(List<Delay> delays, Run run) {
    var upstream = new Upstream(delays, run);
    return upstream.pipelines.isEmpty()
        ? delays
        : delays.stream().filter(delay -> !upstream.waits(delay)).toList();
  }

  private boolean waits(Delay delay) {
    return inCompany(delay)
        && delays.stream()
            .anyMatch(
                other ->
                    other.rank() != delay.rank()
                        && delay.within(other) >= MOST_OF_THE_TIME
                        && connected(delay.rank(), other.rank())
                        && !inCompany(other));
  }

  /// Whether a rank of another of its groups is late at the same time and by as much, and neither
  /// waits for the other there.
  private boolean inCompany(Delay delay) {
    return delays.stream()
        .anyMatch(
            other ->
                other.rank() != delay.rank()
                    && delay.overlap(other) >= MOST_OF_THE_TIME
                    && delay.alike(other)
                    && beside(delay, other));
  }

  private boolean beside(Delay delay, Delay other) {
    for (var comm : run.communicators()) {
      int own = delay.rankIn(comm);
      int others = other.rankIn(comm);
      if (comm != delay.comm()
          && comm != other.comm()
          && comm.nranks() < run.nranks()
          && own >= 0
          && others >= 0
          && comm.rounds().completed() > 0
          && inTime(comm, own, delay)
          && inTime(comm, others, other)) {
        return true;
      }
    }
    return false;
  }

  private static boolean inTime(Communicator comm, int rank, Delay delay) {
    return comm.waits().blamedSeconds(rank) < AMONG_ITS_OWN * delay.streak().blamedSeconds();
  }

  /// Whether one sends to the other, or some rank in a group with it does.
  private boolean connected(int rank, int other) {
    return pipelines.stream()
        .anyMatch(
            pipeline ->
                pipeline.contains(other)
                    && pipeline.stream()
                        .anyMatch(member -> member == rank || together(member, rank)));
  }

  private boolean together(int one, int other) {
    var first = run.ofRank(one);
    var second = run.ofRank(other);
    return first.isPresent()
        && second.isPresent()
        && run.communicators().stream()
            .filter(comm -> comm.nranks() < run.nranks())
            .anyMatch(
                comm ->
                    first.get().memberships().containsKey(comm.id())
                        && second.get().memberships().containsKey(comm.id()));
  }
}
