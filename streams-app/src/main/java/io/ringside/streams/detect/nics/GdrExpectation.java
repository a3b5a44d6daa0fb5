package io.ringside.streams.detect.nics;

import io.ringside.streams.detect.p2pread.P2pRead;
import io.ringside.streams.examine.DisabledTransports;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.NetworkUse;
import io.ringside.streams.examine.RunEdge;
import io.ringside.streams.expect.InstanceType;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.Transports;
import io.ringside.streams.parse.event.Transport;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Decides which edges of a run should have GPUDirect RDMA, and how certain that is. Each process
/// is examined once, however many edges it has.
final class GdrExpectation {
  private static final int RAILS = 8;

  private final Examination examination;
  private final Set<String> usual;
  private final Map<String, Boolean> ofDataCentre = new HashMap<>();

  GdrExpectation(Examination examination) {
    this.examination = examination;
    usual = usual(examination);
  }

  /// The networks over which most edges of the run have GPUDirect RDMA.
  private static Set<String> usual(Examination examination) {
    var balance = new HashMap<String, Integer>();
    for (var edge : examination.edges()) {
      if (edge.transport() instanceof Transport.Net net) {
        balance.merge(net.network(), net.gdr() ? 1 : -1, Integer::sum);
      }
    }
    balance.values().removeIf(more -> more <= 0);
    return new HashSet<>(balance.keySet());
  }

  /// Whether the edge lacks GPUDirect RDMA on a network that offers it.
  boolean lacking(RunEdge edge) {
    if (!(edge.transport() instanceof Transport.Net net) || net.gdr() || Transports.socket(net)) {
      return false;
    }
    var process = edge.printer();
    return Transports.libfabric(net.network())
        ? byMachine(process) && NetworkUse.of(process, examination).tcpProvider().isEmpty()
        : DisabledTransports.gdr(process)
            || process.proof(TrainingProcess.Statement.GDR_ENABLED) == null
                && (process.proof(TrainingProcess.Statement.GDR_DISABLED) != null
                    || byMachine(process)
                    || usual.contains(net.network())
                    || infiniBand(net) && ofDataCentre(process));
  }

  /// Whether the machine, the run's other edges or the log prove that the edge should have
  /// GPUDirect RDMA.
  boolean sure(RunEdge edge) {
    var process = edge.printer();
    boolean said =
        DisabledTransports.gdr(process)
            || process.proof(TrainingProcess.Statement.GDR_DISABLED) != null;
    return byMachine(process)
        || edge.transport() instanceof Transport.Net net && usual.contains(net.network())
        || said && ofDataCentre(process)
        || DisabledTransports.gdr(process)
            && process.proof(TrainingProcess.Statement.GDR_ENABLED) != null;
  }

  /// Whether it is NCCL's own network for InfiniBand and RoCE, or NVIDIA's plugin.
  private static boolean infiniBand(Transport.Net net) {
    return net.network().equals("IB") || net.network().startsWith("IBext");
  }

  private boolean byMachine(TrainingProcess process) {
    return examination.instanceType(process).map(InstanceType::gdr).orElse(false);
  }

  /// Whether the process's GPU is a data-centre model: by its name, because NCCL's graph shows
  /// NVLink, because it reads over P2P, which NCCL allows for A100 only, or because its host has as
  /// many InfiniBand ports as GPUs.
  private boolean ofDataCentre(TrainingProcess process) {
    return ofDataCentre.computeIfAbsent(
        process.id(),
        _ -> {
          var model = examination.gpuName(process);
          return (!model.isEmpty() && !model.contains("RTX") && !model.contains("GTX"))
              || process.ways().values().stream()
                  .flatMap(ways -> ways.paths().paths().stream())
                  .anyMatch(path -> path.type().equals("NVL"))
              || process.hcas().size() >= RAILS
              || process.proof(TrainingProcess.Statement.NVLS) != null
              || !process.environment().containsKey(P2pRead.FORCE) && pulls(process);
        });
  }

  private static boolean pulls(TrainingProcess process) {
    for (var group : process.edges()) {
      if (group.transport() instanceof Transport.P2p p2p && p2p.read()) {
        return true;
      }
    }
    return false;
  }
}
