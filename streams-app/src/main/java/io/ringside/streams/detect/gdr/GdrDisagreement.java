package io.ringside.streams.detect.gdr;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.examine.RunEdge;
import io.ringside.streams.job.Membership;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.Transport;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The rings line prints `GDR 0` although this rank's own network edges have GPUDirect RDMA. Some
/// other rank lacks it, so NCCL registers no network buffers for any rank (2.27.3
/// src/transport/net.cc and generic.cc: the flag is an AND over all ranks).
public final class GdrDisagreement implements Detector {
  @Override
  public List<Finding> examine(Examination examination) {
    var findings = new ArrayList<Finding>();
    for (var comm : examination.run().communicators()) {
      findings.addAll(examine(comm.id(), examination));
    }
    // one finding per run: the largest communicator also stands for its splits
    return findings.isEmpty() ? findings : List.of(findings.getFirst());
  }

  private static List<Finding> examine(String comm, Examination examination) {
    var denied = new ArrayList<TrainingProcess>();
    var lacking = new LinkedHashSet<TrainingProcess>();
    RunEdge direct = null;
    for (var process : examination.members(comm)) {
      var membership = process.memberships().get(comm);
      if (membership == null || membership.ringGdr() != 0) {
        continue;
      }
      var edges =
          examination.edges(process).stream()
              .filter(edge -> edge.comm().equals(comm))
              .filter(edge -> edge.transport() instanceof Transport.Net)
              .toList();
      var with = edges.stream().filter(GdrDisagreement::gdr).findFirst();
      if (with.isPresent() && edges.stream().allMatch(GdrDisagreement::gdr)) {
        denied.add(process);
        direct = direct == null ? with.get() : direct;
      } else if (!edges.isEmpty()) {
        lacking.add(process);
      }
    }
    return direct == null
        ? List.of()
        : List.of(finding(comm, denied, lacking, direct, examination));
  }

  /// @param denied processes that have GPUDirect RDMA on all of their edges
  /// @param lacking processes with an edge that does not have it
  /// @param direct an edge of a process that has it
  private static Finding finding(
      String comm,
      List<TrainingProcess> denied,
      Set<TrainingProcess> lacking,
      RunEdge direct,
      Examination examination) {
    var named =
        lacking.isEmpty()
            ? "another rank"
            : RankText.words(lacking.stream().map(examination.run()::rank).toList());
    var draft =
        FindingDraft.about(
                FindingKind.GDR_DISAGREEMENT,
                Severity.WARNING,
                examination,
                lacking.isEmpty() ? denied : lacking)
            .summary(
                "%s GPUDirect RDMA, but the communicator does not use it: %s"
                    .formatted(
                        RankText.clause(
                            denied.stream().map(examination.run()::rank).toList(), "has", "have"),
                        lacking.size() > 1 ? named + " lack it" : named + " lacks it"))
            .expected("GDR 1 on the rings line")
            .observed("GDR 0, with /GDRDMA on this rank's edges")
            .cause(
                named
                    + (lacking.size() > 1 ? " have" : " has")
                    + " no GPUDirect RDMA"
                    + (lacking.isEmpty() ? " (its lines are not here)" : "")
                    + ": GPU and NIC may be too far apart");
    var membership = denied.getFirst().memberships().get(comm);
    if (membership != null) {
      draft.proof(membership.proof(Membership.Statement.RINGS));
    }
    draft.proof(direct.proof());
    lacking.stream()
        .flatMap(process -> examination.edges(process).stream())
        .filter(edge -> edge.transport() instanceof Transport.Net && !gdr(edge))
        .limit(2)
        .forEach(edge -> draft.proof(edge.proof()));
    return draft.finding();
  }

  private static boolean gdr(RunEdge edge) {
    return edge.transport() instanceof Transport.Net net && net.gdr();
  }
}
