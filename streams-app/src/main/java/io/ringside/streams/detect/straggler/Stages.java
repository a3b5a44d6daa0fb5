package io.ringside.streams.detect.straggler;

import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Distinguishes stages of a pipeline from stragglers.
///
/// Stages do different work: the first and the last come to a collective of all ranks later than
/// the others in every step, which cannot be avoided. Ranks are late as a stage if in every replica
/// of the pipeline (a group of ranks that send to each other) the rank at the same place is late
/// for the same communicator. Two cases are not just a stage: ranks that were in time before and
/// whose delay made steps longer, and a rank that is late for the other ranks of its own stage.
final class Stages {
  private static final double MOST_OF_THE_TIME = 0.5;

  private Stages() {}

  /// The delays that are not those of a stage.
  static List<Delay> without(List<Delay> delays, Run run) {
    var pipelines = pipelines(run);
    if (pipelines.isEmpty()) {
      return delays;
    }
    var kept = new ArrayList<Delay>();
    for (var delay : delays) {
      var late = new HashSet<Integer>();
      delays.stream()
          .filter(other -> other.comm() == delay.comm())
          .filter(other -> delay.within(other) >= MOST_OF_THE_TIME)
          .forEach(other -> late.add(other.rank()));
      if (delay.streak().provesDelay() || !stage(delay.rank(), late, pipelines)) {
        kept.add(delay);
      }
    }
    return kept;
  }

  /// The global ranks of each communicator in which ranks send to each other, in its own order.
  static List<List<Integer>> pipelines(Run run) {
    var pipelines = new ArrayList<List<Integer>>();
    for (var comm : run.communicators()) {
      var pipeline = pipeline(comm, run);
      if (pipeline.size() > 1) {
        pipelines.add(pipeline);
      }
    }
    return pipelines;
  }

  /// The global ranks of a communicator in which ranks send to each other, in its own order; empty
  /// for other communicators.
  private static List<Integer> pipeline(Communicator comm, Run run) {
    boolean pipeline =
        run.members(comm).values().stream()
            .map(process -> process.memberships().get(comm.id()))
            .anyMatch(membership -> membership != null && membership.pipelined());
    return pipeline ? GroupPositions.ranks(comm, run) : List.of();
  }

  /// Whether a rank is late together with all ranks at its place in a pipeline.
  ///
  /// @param late global ranks that are late at the same time
  /// @param pipelines the global ranks of each pipeline, by stage
  static boolean stage(int rank, Set<Integer> late, List<List<Integer>> pipelines) {
    int place = -1;
    for (var pipeline : pipelines) {
      place = Math.max(place, pipeline.indexOf(rank));
    }
    if (place < 0) {
      return false;
    }
    for (var pipeline : pipelines) {
      if (place >= pipeline.size() || !late.contains(pipeline.get(place))) {
        return false;
      }
    }
    return true;
  }
}
