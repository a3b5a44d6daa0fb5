package io.ringside.streams.detect.fallback;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.NetworkUse;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.expect.InstanceType;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.TrainingProcess.PluginLine;
import io.ringside.streams.job.TrainingProcess.Step;
import io.ringside.streams.job.TrainingProcess.Warned;
import io.ringside.streams.job.Transports;
import io.ringside.streams.parse.event.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Finds runs for which EFA was requested or expected, but NCCL carries the traffic over TCP
/// sockets.
///
/// Each rank chooses its network on its own and prints the choice once, in `Using network Socket`
/// (NCCL 2.6.4 and later, src/net.cc and src/init.cc). Processes of one pod on one host print that
/// line too but never use the network, so the communicator must reach beyond the host. The plugin
/// may also come up without EFA: libfabric then carries the traffic over its provider `tcp`, and
/// NCCL prints `Using network Libfabric` as if all were well.
public final class EfaFallback implements Detector {
  @Override
  public List<Finding> examine(Examination examination) {
    var fallen = new ArrayList<TrainingProcess>();
    for (var process : examination.run().byRank()) {
      if (NetworkUse.of(process, examination).overSocket() && expects(process, examination)) {
        fallen.add(process);
      }
    }
    if (fallen.isEmpty()) {
      return LatentFault.of(examination).stream().toList();
    }
    var first = fallen.getFirst();
    var witness = NetworkWitness.of(fallen, examination);
    int nranks = examination.run().world().map(world -> world.nranks()).orElse(fallen.size());
    var draft =
        FindingDraft.about(
                FindingKind.EFA_FALLBACK,
                NetworkUse.ofFallback(fallen, examination),
                examination,
                fallen)
            .summary(
                "NCCL fell back from EFA to TCP sockets (%s of %d)"
                    .formatted(
                        RankText.words(fallen.stream().map(examination.run()::rank).toList()),
                        nranks))
            .expected("EFA (" + expectation(first, examination) + ")")
            .observed(
                NetworkUse.of(first, examination).carried()
                    + witness.map(it -> "; " + it.observed()).orElse(""))
            .cause(cause(first));
    chain(first, examination).stream()
        .limit(witness.isPresent() ? Finding.MAX_EVIDENCE - 1 : Finding.MAX_EVIDENCE)
        .forEach(draft::proof);
    witness.map(NetworkWitness::proof).ifPresent(draft::proof);
    return List.of(draft.finding());
  }

  /// Whether something shows that this process was to use EFA: its plugin, its variables, its
  /// machine, or other ranks of the run that use EFA.
  public static boolean expects(TrainingProcess process, Examination examination) {
    return process.proof(TrainingProcess.Statement.OFI) != null
        || !ofiWarnings(process).isEmpty()
        || process.pluginLines().stream().anyMatch(EfaFallback::ofOfi)
        || asksForEfa(process)
        || examination.instanceType(process).map(InstanceType::efa).orElse(0) > 0
        || peer(examination).isPresent();
  }

  /// A rank that uses libfabric over a provider other than TCP.
  private static Optional<TrainingProcess> peer(Examination examination) {
    return examination
        .perProcess()
        .example(
            "uses libfabric",
            () ->
                examination.run().processes().stream()
                    .filter(
                        process -> {
                          var use = NetworkUse.of(process, examination);
                          return Transports.libfabric(use.chosen()) && use.tcpProvider().isEmpty();
                        })
                    .findFirst());
  }

  private static boolean ofOfi(PluginLine line) {
    return line.step() != Step.MISSING && Transports.libfabric(line.name());
  }

  /// Whether its variables request EFA.
  static boolean asksForEfa(TrainingProcess process) {
    return process.askedProvider().toLowerCase(Locale.ROOT).contains("efa")
        || Transports.libfabric(process.wantedValue("NCCL_NET"))
        || Transports.libfabric(process.wantedValue("NCCL_NET_PLUGIN"));
  }

  private static String expectation(TrainingProcess process, Examination examination) {
    var instance = examination.machine(process);
    var of = examination.instanceType(process).map(InstanceType::efa).orElse(0);
    if (of > 0) {
      return instance + " has " + of + (of == 1 ? " EFA interface" : " EFA interfaces");
    }
    if (process.proof(TrainingProcess.Statement.OFI) != null) {
      return "aws-ofi-nccl " + process.pluginVersion() + " was loaded";
    }
    if (asksForEfa(process)) {
      return "asked for by environment";
    }
    return process.pluginLines().stream().anyMatch(EfaFallback::ofOfi)
        ? "the OFI plugin was loaded"
        : peer(examination)
            .map(peer -> "rank %d uses it".formatted(examination.run().rank(peer)))
            .orElse("expected");
  }

  private static String cause(TrainingProcess process) {
    for (var warned : process.warnings()) {
      if (warned.message().contains("GDR disabled on GDR-supported instance type")) {
        return "the plugin refuses to run without GPUDirect RDMA on this instance type: "
            + warned.message();
      }
      if (warned.message().contains("requires at least libfabric version")) {
        return "libfabric is too old: " + warned.message();
      }
    }
    var asked = process.askedProvider();
    if (!asked.isEmpty() && !asked.toLowerCase(Locale.ROOT).contains("efa")) {
      return "FI_PROVIDER=" + asked + " forbids EFA";
    }
    if (says(process, Step.NO_PROVIDER)) {
      return "libfabric found no usable EFA provider: no EFA device in the container (request"
          + " vpc.amazonaws.com/efa, check /dev/infiniband and `fi_info -p efa`), driver and"
          + " libfabric that do not match, or a wrong FI_PROVIDER";
    }
    if (says(process, Step.MISSING)) {
      return "NCCL could not load the network plugin's library: check the image and LD_LIBRARY_PATH";
    }
    if (says(process, Step.FAILED) || !ofiWarnings(process).isEmpty()) {
      return "the OFI plugin was loaded but failed to initialise";
    }
    if (process.variable("NCCL_NET").equalsIgnoreCase("Socket")) {
      return "NCCL_NET=Socket forbids every other network";
    }
    return "no line says why; set NCCL_DEBUG=INFO and NCCL_DEBUG_SUBSYS=INIT,NET,ENV";
  }

  private static boolean says(TrainingProcess process, Step step) {
    return process.pluginLines().stream().anyMatch(line -> line.step() == step);
  }

  static List<Warned> ofiWarnings(TrainingProcess process) {
    return process.warnings().stream()
        .filter(warned -> warned.message().startsWith("NET/OFI"))
        .toList();
  }

  /// Evidence in order, from the first sign of trouble to the traffic itself.
  private static List<Evidence> chain(TrainingProcess process, Examination examination) {
    var chain = new ArrayList<Evidence>();
    for (var line : process.pluginLines()) {
      if (line.step() != Step.LOADED && line.step() != Step.INITIALISED) {
        chain.add(line.proof());
      }
    }
    Optional.ofNullable(process.proof(TrainingProcess.Statement.PROVIDER)).ifPresent(chain::add);
    ofiWarnings(process).stream().limit(4).map(Warned::proof).forEach(chain::add);
    Optional.ofNullable(process.proof(TrainingProcess.Statement.NETWORK)).ifPresent(chain::add);
    examination.edges(process).stream()
        .filter(edge -> edge.transport() instanceof Transport.Net)
        .findFirst()
        .ifPresent(edge -> chain.add(edge.proof()));
    return chain;
  }
}
