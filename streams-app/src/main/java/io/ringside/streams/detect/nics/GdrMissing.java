package io.ringside.streams.detect.nics;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Claim;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.Ranks;
import io.ringside.streams.examine.RunEdge;
import io.ringside.streams.expect.InstanceType;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.Transports;
import io.ringside.streams.parse.event.Transport;
import java.util.LinkedHashSet;
import java.util.List;

/// Network edges without GPUDirect RDMA on machines whose NICs reach GPU memory: every byte takes a turn
/// through host memory. Sockets never have it and are told as fallback.
public final class GdrMissing implements Detector {
  @Override
  public List<Claim> examine(Examination examination) {
    var edges = examination.edges().stream().filter(edge -> lacksGdr(edge, examination)).toList();
    if (edges.isEmpty()) {
      return List.of();
    }
    var processes = new LinkedHashSet<TrainingProcess>();
    edges.forEach(edge -> processes.add(edge.printer()));
    var first = edges.getFirst();
    var draft =
        Claim.about(FindingKind.GDR_MISSING, Severity.WARNING, examination.run(), processes)
            .summary(
                "%s send over %s without GPUDirect RDMA"
                    .formatted(
                        Ranks.words(processes.stream().map(examination.run()::rank).toList()),
                        Transports.label(first.group().transport())))
            .expected("GDRDMA on " + examination.machine(first.printer()))
            .observed(Transports.label(first.group().transport()))
            .cause(
                "GPU and NIC too far apart, GPUDirect refused by plugin or driver, or"
                    + " NCCL_NET_GDR_LEVEL too low");
    edges.stream().limit(4).forEach(edge -> draft.proof(edge.group().proof()));
    return List.of(draft.claim());
  }

  private static boolean lacksGdr(RunEdge edge, Examination examination) {
    return edge.group().transport() instanceof Transport.Net net
        && !net.gdr()
        && Transports.libfabric(net.network())
        && examination.instanceType(edge.printer()).map(InstanceType::gdr).orElse(false);
  }
}
