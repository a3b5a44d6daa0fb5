package io.ringside.streams.detect.advice;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.examine.RunEdge;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Membership;
import io.ringside.streams.job.TrainingProcess;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds groups of ranks that lie on several machines though each group would fit into one, and
/// that call far more often than any other group of these ranks. Tensor-parallel groups do so, as
/// they call in each layer. Megatron-LM orders ranks to avoid this (parallel_state.py, order
/// `tp-cp-ep-dp-pp`: ranks of one tensor group are neighbours).
///
/// Reports only groups with observed calls, or groups that the program calls tensor parallel, on
/// machines that are known to be different and have linked GPUs. Sends and receives of a pipeline
/// and data-parallel groups cross machines by design, so they are not reported.
public final class PlacementAdvice implements Detector {
  /// A group counts as busiest if it calls this many times as often as any other group of its
  /// ranks.
  private static final double FAR_MORE = 3;

  /// With fewer calls than this, the run may still be starting.
  private static final int FEWEST_CALLS = 64;

  private static final int MOST_NAMED = 4;

  @Override
  public List<Finding> examine(Examination examination) {
    var machines = Machines.of(examination);
    var busiest =
        examination.run().communicators().stream()
            .filter(comm -> busiest(comm, examination))
            .toList();
    var crossing = crossing(busiest, machines, examination);
    if (!crossing.isEmpty()) {
      return List.of(ofCalls(crossing, examination));
    }
    var told = examination.job().tensorGroups().proof();
    var stated = told == null ? List.<Communicator>of() : stated(examination);
    var apart = crossing(stated, machines, examination);
    return apart.isEmpty() ? List.of() : List.of(ofNames(apart, told, examination));
  }

  /// Communicators that lie on several machines, in the order of their ranks. Includes them only if
  /// the machines have room for all communicators of the same size.
  private static List<Communicator> crossing(
      List<Communicator> comms, Machines machines, Examination examination) {
    var crossing = new ArrayList<Communicator>();
    var bySize = comms.stream().collect(groupingBy(Communicator::nranks, counting()));
    for (var comm : comms) {
      long alike = bySize.getOrDefault(comm.nranks(), 0L);
      if (machines.hold(alike, comm.nranks()) && machines.split(members(comm, examination))) {
        crossing.add(comm);
      }
    }
    crossing.sort(
        Comparator.comparing(comm -> RankText.words(ranks(comm, examination)) + comm.id()));
    return crossing;
  }

  /// Communicators of tensor-parallel groups, one per group. Only for a job with a single run,
  /// because the job's lines that name the groups may come from any of its runs. Global ranks are
  /// known only where some communicator holds all ranks.
  private static List<Communicator> stated(Examination examination) {
    var run = examination.run();
    if (examination.job().runs().size() != 1 || !run.hasWorld()) {
      return List.of();
    }
    Map<Set<Integer>, Communicator> byRanks = new LinkedHashMap<>();
    for (var comm : run.communicators()) {
      var ranks = new TreeSet<>(ranks(comm, examination));
      if (comm.nranks() > 1 && ranks.size() == comm.nranks()) {
        byRanks.putIfAbsent(ranks, comm);
      }
    }
    var tensor = examination.job().tensorGroups().among(byRanks.keySet(), run.nranks());
    byRanks.keySet().retainAll(tensor);
    return List.copyOf(byRanks.values());
  }

  /// The processes of all its ranks; empty if some ranks have no lines.
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

  /// Whether each of its ranks calls in this group far more often than in any other of its groups.
  /// Every rank must have at least one other group.
  private static boolean busiest(Communicator comm, Examination examination) {
    if (calls(comm) < FEWEST_CALLS) {
      return false;
    }
    var members = members(comm, examination);
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
    return !members.isEmpty();
  }

  private static Finding ofCalls(List<Communicator> crossing, Examination examination) {
    var first = crossing.getFirst();
    var processes = processes(crossing, examination);
    var draft =
        draft(processes, examination)
            .summary(
                "groups of %d ranks that call most often lie on several of %d machines, and each would fit into one"
                    .formatted(first.nranks(), machines(processes)))
            .expected(
                "the group that calls most within a machine: in Megatron-LM ranks of one tensor group are neighbours")
            .observed("%s, %.0f calls each".formatted(groups(crossing, examination), calls(first)));
    Stream.concat(
            crossing.stream().flatMap(comm -> comm.rounds().samples().stream().limit(2)),
            processes.stream()
                .flatMap(process -> process.memberships().values().stream())
                .map(membership -> membership.proof(Membership.Statement.COMPLETE)))
        .forEach(draft::proof);
    return draft.finding();
  }

  private static Finding ofNames(
      List<Communicator> crossing, @Nullable Evidence told, Examination examination) {
    var first = crossing.getFirst();
    var processes = processes(crossing, examination);
    var draft =
        draft(processes, examination)
            .summary(
                "tensor-parallel groups of %d ranks lie on several of %d machines, and each would fit into one"
                    .formatted(first.nranks(), machines(processes)))
            .expected(
                "a tensor-parallel group within a machine: it calls in each layer, and NVLink is faster than the network")
            .observed(groups(crossing, examination))
            .proof(told);
    members(first, examination).stream()
        .map(process -> process.memberships().get(first.id()))
        .limit(MOST_NAMED)
        .forEach(
            membership -> {
              if (membership != null) {
                var complete = membership.proof(Membership.Statement.COMPLETE);
                draft.proof(
                    complete == null ? membership.proof(Membership.Statement.START) : complete);
              }
            });
    examination.edges().stream()
        .filter(edge -> edge.comm().equals(first.id()))
        .filter(edge -> edge.reach() == RunEdge.Reach.INTER_NODE)
        .limit(2)
        .forEach(edge -> draft.proof(edge.proof()));
    return draft.finding();
  }

  private static FindingDraft draft(List<TrainingProcess> processes, Examination examination) {
    return FindingDraft.about(FindingKind.PLACEMENT_ADVICE, Severity.INFO, examination, processes)
        .cause("the order of ranks, or of hosts: the scheduler did not keep neighbours together");
  }

  private static List<TrainingProcess> processes(
      List<Communicator> crossing, Examination examination) {
    return crossing.stream()
        .flatMap(comm -> members(comm, examination).stream())
        .distinct()
        .toList();
  }

  private static long machines(List<TrainingProcess> processes) {
    return processes.stream().map(TrainingProcess::node).distinct().count();
  }

  private static String groups(List<Communicator> crossing, Examination examination) {
    var groups =
        crossing.stream()
            .limit(MOST_NAMED)
            .map(comm -> RankText.words(ranks(comm, examination)))
            .toList();
    int more = crossing.size() - groups.size();
    return String.join("; ", groups) + (more > 0 ? " and %d more groups".formatted(more) : "");
  }
}
