package io.ringside.streams.detect.advice;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.Ranks;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Membership;
import io.ringside.streams.job.TrainingProcess;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Groups of ranks that call far more often than any other of theirs, as those of tensor
/// parallelism do in each layer, lie on several machines though each would fit into one.
/// Megatron-LM orders ranks so that they do not (parallel_state.py, order `tp-cp-ep-dp-pp`: ranks
/// of one tensor group are neighbours).
///
/// Told of groups that are seen to call, on machines that are known to be different and whose GPUs
/// are linked. A pipeline's sends and receives cross machines by design.
public final class PlacementAdvice implements Detector {
  /// They call so many times as often as any other group of the same ranks.
  private static final double FAR_MORE = 3;

  /// Fewer calls are those of a start.
  private static final int FEWEST_CALLS = 64;

  private static final int MOST_NAMED = 4;

  @Override
  public List<Finding> examine(Examination examination) {
    var machines = Machines.of(examination);
    var crossing = new ArrayList<Communicator>();
    for (var comm : examination.run().communicators()) {
      if (busiest(comm, examination) && machines.split(members(comm, examination))) {
        crossing.add(comm);
      }
    }
    if (crossing.isEmpty()) {
      return List.of();
    }
    crossing.sort(Comparator.comparing(comm -> Ranks.words(ranks(comm, examination)) + comm.id()));
    return List.of(finding(crossing, examination));
  }

  /// The processes of all its ranks, empty if some have no lines.
  private static List<TrainingProcess> members(Communicator comm, Examination examination) {
    var members = List.copyOf(examination.run().members(comm).values());
    return members.size() == comm.nranks() ? members : List.of();
  }

  private static List<Integer> ranks(Communicator comm, Examination examination) {
    return members(comm, examination).stream().map(examination.run()::rank).sorted().toList();
  }

  private static double calls(Communicator comm) {
    return comm.rounds().completed() + (double) comm.rounds().leftOut();
  }

  /// Whether each of its ranks calls there far more often than in any other group of theirs, of
  /// which each has one.
  private static boolean busiest(Communicator comm, Examination examination) {
    var members = members(comm, examination);
    if (members.isEmpty() || calls(comm) < FEWEST_CALLS) {
      return false;
    }
    for (var process : members) {
      var own = process.memberships().get(comm.id());
      double other =
          examination.run().communicators().stream()
              .filter(each -> each != comm && process.memberships().containsKey(each.id()))
              .mapToDouble(PlacementAdvice::calls)
              .max()
              .orElse(0);
      if (own == null || own.pipelined() || other == 0 || calls(comm) < FAR_MORE * other) {
        return false;
      }
    }
    return true;
  }

  private static Finding finding(List<Communicator> crossing, Examination examination) {
    var first = crossing.getFirst();
    var processes =
        crossing.stream().flatMap(comm -> members(comm, examination).stream()).distinct().toList();
    var groups =
        crossing.stream()
            .limit(MOST_NAMED)
            .map(comm -> Ranks.words(ranks(comm, examination)))
            .toList();
    int more = crossing.size() - groups.size();
    long machines = processes.stream().map(TrainingProcess::node).distinct().count();
    var draft =
        FindingDraft.about(FindingKind.PLACEMENT_ADVICE, Severity.INFO, examination, processes)
            .summary(
                "groups of %d ranks that call most often lie on several of %d machines, and each would fit into one"
                    .formatted(first.nranks(), machines))
            .expected(
                "the group that calls most within a machine: in Megatron-LM ranks of one tensor group are neighbours")
            .observed(
                String.join("; ", groups)
                    + (more > 0 ? " and %d more groups".formatted(more) : "")
                    + ", %.0f calls each".formatted(calls(first)))
            .cause(
                "the order of ranks, or of hosts: the scheduler did not keep neighbours together");
    Stream.concat(
            crossing.stream().flatMap(comm -> comm.rounds().samples().stream().limit(2)),
            processes.stream()
                .flatMap(process -> process.memberships().values().stream())
                .map(membership -> membership.proof(Membership.Statement.COMPLETE)))
        .forEach(draft::proof);
    return draft.finding();
  }
}
