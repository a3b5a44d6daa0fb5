package io.ringside.streams.detect.fallback;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.NetworkUse;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.job.Membership;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.TrainingProcess.PluginLine;
import io.ringside.streams.job.TrainingProcess.Step;
import io.ringside.streams.job.TrainingProcess.Warned;
import io.ringside.streams.job.Transports;
import io.ringside.streams.parse.event.Transport;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// The EFA plugin failed, is missing although it was requested, or found only TCP, but the run does
/// not need it, or not yet. The fault shows once the job spans several hosts.
final class LatentFault {
  private LatentFault() {}

  private enum Fault {
    FAILED(
        "the EFA plugin failed to initialise",
        "no EFA device in the container or instance, or driver and libfabric that do not match;"
            + " check `fi_info -p efa`"),
    NOT_FOUND(
        "the network plugin that was asked for was not found",
        "NCCL could not load the plugin's library: check the image and LD_LIBRARY_PATH"),
    SOCKETS(
        "EFA was asked for and NCCL chose sockets",
        "the plugin is missing or found no EFA device: set NCCL_DEBUG=INFO with INIT and NET to see"
            + " which, and check `fi_info -p efa`"),
    TCP(
        "libfabric found nothing but TCP",
        "no EFA device in the container or instance, or FI_PROVIDER forbids it; check `fi_info -p efa`");

    private final String what;
    private final String cause;

    Fault(String what, String cause) {
      this.what = what;
      this.cause = cause;
    }
  }

  static Optional<Finding> of(Examination examination) {
    var faults = new LinkedHashMap<TrainingProcess, Fault>();
    for (var process : examination.run().byRank()) {
      fault(process, examination)
          .filter(_ -> !elsewhere(process, examination))
          .ifPresent(fault -> faults.put(process, fault));
    }
    if (faults.isEmpty()) {
      return Optional.empty();
    }
    var failed = List.copyOf(faults.keySet());
    var fault = faults.firstEntry().getValue();
    boolean local = failed.stream().allMatch(process -> local(process, examination));
    var draft =
        FindingDraft.about(FindingKind.EFA_FALLBACK, Severity.INFO, examination, failed)
            .summary(
                "%s on %s; %s"
                    .formatted(fault.what, named(failed, examination), NetworkUse.outlook(local)))
            .expected("a plugin that initialises, for jobs on several hosts")
            .observed(local ? "no traffic beyond the host" : "no edge between hosts so far")
            .cause(fault.cause)
            .tryNow("fi_info -p efa");
    for (var process : failed) {
      process.pluginLines().stream()
          .filter(line -> line.step() != Step.LOADED && line.step() != Step.INITIALISED)
          .limit(1)
          .forEach(line -> draft.proof(line.proof()));
      draft.proof(process.proof(TrainingProcess.Statement.PROVIDER));
      EfaFallback.ofiWarnings(process).stream().limit(2).map(Warned::proof).forEach(draft::proof);
      draft.proof(process.proof(TrainingProcess.Statement.NETWORK));
    }
    return Optional.of(draft.finding());
  }

  private static String named(Collection<TrainingProcess> failed, Examination examination) {
    var ranks = failed.stream().map(examination.run()::rank).filter(rank -> rank >= 0).toList();
    return ranks.isEmpty()
        ? failed.size() + (failed.size() == 1 ? " process" : " processes")
        : RankText.words(ranks);
  }

  private static Optional<Fault> fault(TrainingProcess process, Examination examination) {
    if (pluginFailed(process)) {
      return Optional.of(Fault.FAILED);
    }
    var steps = process.pluginLines().stream().map(PluginLine::step).toList();
    if (EfaFallback.asksForEfa(process)
        && steps.contains(Step.MISSING)
        && !steps.contains(Step.LOADED)
        && !Transports.libfabric(NetworkUse.of(process, examination).chosen())) {
      return Optional.of(Fault.NOT_FOUND);
    }
    if (EfaFallback.asksForEfa(process)
        && NetworkUse.of(process, examination).chosen().equals("Socket")) {
      return Optional.of(Fault.SOCKETS);
    }
    return NetworkUse.of(process, examination).tcpProvider().isEmpty()
        ? Optional.empty()
        : Optional.of(Fault.TCP);
  }

  /// Whether the plugin gave up and libfabric found no other card either.
  private static boolean pluginFailed(TrainingProcess process) {
    boolean gaveUp =
        EfaFallback.ofiWarnings(process).stream()
                .anyMatch(
                    warned ->
                        warned.message().contains("initialization failed")
                            || warned.message().contains("Initializing plugin failed"))
            || process.pluginLines().stream()
                .anyMatch(line -> line.step() == Step.FAILED && Transports.libfabric(line.name()));
    boolean without =
        process.pluginLines().stream().anyMatch(line -> line.step() == Step.NO_PROVIDER);
    return gaveUp || (without && List.of("", "tcp", "sockets").contains(process.provider()));
  }

  /// Whether another network than sockets was found and chosen, such as InfiniBand.
  private static boolean elsewhere(TrainingProcess process, Examination examination) {
    var chosen = NetworkUse.of(process, examination).chosen();
    return !chosen.isEmpty() && !chosen.equals("Socket") && !Transports.libfabric(chosen);
  }

  private static boolean local(TrainingProcess process, Examination examination) {
    var edges = examination.edges(process);
    boolean counted =
        process.memberships().values().stream().anyMatch(Membership::complete)
            && process.memberships().values().stream().anyMatch(part -> part.localRanks() > 0);
    return !NetworkUse.of(process, examination).beyondPod()
        && (counted || !edges.isEmpty())
        && edges.stream().noneMatch(edge -> edge.transport() instanceof Transport.Net);
  }
}
