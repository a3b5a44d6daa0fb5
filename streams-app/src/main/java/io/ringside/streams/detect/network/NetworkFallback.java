package io.ringside.streams.detect.network;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.detect.fallback.EfaFallback;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.NetworkUse;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.TrainingProcess.Step;
import io.ringside.streams.job.TrainingProcess.Warned;
import io.ringside.streams.job.Transports;
import java.util.LinkedHashMap;
import java.util.List;

/// Finds runs that were meant to use InfiniBand, RoCE or a cloud's own network, but whose traffic
/// NCCL carries over TCP sockets. EFA has a finding kind of its own.
public final class NetworkFallback implements Detector {
  @Override
  public List<Finding> examine(Examination examination) {
    var fallen = new LinkedHashMap<TrainingProcess, WantedNetwork>();
    for (var process : examination.run().byRank()) {
      if (NetworkUse.of(process, examination).overSocket()
          && !EfaFallback.expects(process, examination)) {
        WantedNetwork.of(process, examination).ifPresent(want -> fallen.put(process, want));
      }
    }
    if (fallen.isEmpty()) {
      return UnloadedProvider.latent(examination).stream().toList();
    }
    var first = fallen.firstEntry().getKey();
    var wanted = fallen.firstEntry().getValue();
    int nranks = examination.run().world().map(world -> world.nranks()).orElse(fallen.size());
    var draft =
        FindingDraft.about(
                FindingKind.NETWORK_FALLBACK,
                NetworkUse.ofFallback(fallen.keySet(), examination),
                examination,
                fallen.keySet())
            .summary(
                "NCCL fell back from %s to TCP sockets (%s of %d)"
                    .formatted(
                        wanted.fabric(),
                        RankText.words(
                            fallen.keySet().stream().map(examination.run()::rank).toList()),
                        nranks))
            .expected("%s (%s)".formatted(wanted.fabric(), wanted.why()))
            .observed("Socket")
            .cause(cause(first, examination))
            .tryNow("ibv_devinfo")
            .proof(wanted.proof())
            .proof(UnloadedProvider.of(first, examination).orElse(null))
            .proof(first.proof(TrainingProcess.Statement.NO_IB_DEVICE));
    first.pluginLines().stream()
        .filter(line -> line.step() == Step.FAILED || line.step() == Step.MISSING)
        .limit(2)
        .forEach(line -> draft.proof(line.proof()));
    first.warnings().stream()
        .filter(warned -> warned.message().startsWith("NET/"))
        .limit(2)
        .map(Warned::proof)
        .forEach(draft::proof);
    draft.proof(first.proof(TrainingProcess.Statement.NETWORK));
    examination.edges(first).stream()
        .filter(edge -> Transports.socket(edge.transport()))
        .limit(1)
        .forEach(edge -> draft.proof(edge.proof()));
    return List.of(draft.finding());
  }

  private static String cause(TrainingProcess process, Examination examination) {
    if (process.wantedValue("NCCL_NET").equalsIgnoreCase("Socket")) {
      return "NCCL_NET=Socket forbids every other network";
    }
    if (process.wantedValue("NCCL_IB_DISABLE").equals("1")) {
      return "NCCL_IB_DISABLE=1 forbids InfiniBand and RoCE";
    }
    for (var line : process.pluginLines()) {
      if (line.step() == Step.FAILED && !line.name().equals("IB")) {
        return "the plugin " + line.name() + " failed to initialise";
      }
    }
    if (UnloadedProvider.of(process, examination).isPresent()) {
      return UnloadedProvider.CAUSE;
    }
    if (process.proof(TrainingProcess.Statement.NO_IB_DEVICE) != null) {
      return "NCCL found no InfiniBand or RoCE device: no card in the container (/dev/infiniband, rdma-core), a"
          + " port that is down, or NCCL_IB_HCA that names none of the cards";
    }
    for (var line : process.pluginLines()) {
      if (line.step() == Step.MISSING) {
        return "NCCL could not load the network plugin's library: check the image and LD_LIBRARY_PATH";
      }
    }
    return "no line says why; set NCCL_DEBUG=INFO and NCCL_DEBUG_SUBSYS=INIT,NET,ENV";
  }
}
