package io.ringside.streams.detect.network;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.NetworkUse;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.TrainingProcess.Step;
import io.ringside.streams.job.Transports;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The network that a process was meant to use, other than EFA and sockets.
///
/// @param fabric name of the network: `InfiniBand`, `GPUDirect-TCPX` …
/// @param why the reason in words
/// @param proof the line that shows it, null if it is the machine's type or another rank
record WantedNetwork(String fabric, String why, @Nullable Evidence proof) {
  private static final String SOCKET = "Socket";

  /// Parts of plugin names in lower case: Google's plugins, NVIDIA's for InfiniBand (HPC-X) and
  /// Spectrum-X.
  private static final Map<String, String> PLUGINS =
      new TreeMap<>(
          Map.of(
              "fastrak", "GPUDirect-TCPXO (FasTrak)",
              "tcpxo", "GPUDirect-TCPXO (FasTrak)",
              "tcpx", "GPUDirect-TCPX",
              "gib", "RoCE (gIB)",
              "sharp", "InfiniBand",
              "ucx", "InfiniBand",
              "spcx", "RoCE (Spectrum-X)"));

  /// The network that was meant for the process. Variables come first because somebody set them on
  /// purpose; the machine's type comes late.
  static Optional<WantedNetwork> of(TrainingProcess process, Examination examination) {
    return byVariable(process)
        .or(() -> byPlugin(process))
        .or(() -> byDevices(process))
        .or(() -> byUnloadedProvider(process, examination))
        .or(() -> byMachine(process, examination))
        .or(() -> byPeers(process, examination));
  }

  private static Optional<WantedNetwork> byVariable(TrainingProcess process) {
    var net = process.wanted("NCCL_NET");
    if (net != null
        && !net.value().isEmpty()
        && !net.value().equalsIgnoreCase(SOCKET)
        && !Transports.libfabric(net.value())) {
      var fabric = plugin(net.value()).orElse(inWords(net.value()));
      return Optional.of(new WantedNetwork(fabric, "NCCL_NET=" + net.value(), net.proof()));
    }
    var hca = process.wanted("NCCL_IB_HCA");
    if (hca != null && !hca.value().isEmpty()) {
      return Optional.of(
          new WantedNetwork("InfiniBand or RoCE", "NCCL_IB_HCA=" + hca.value(), hca.proof()));
    }
    var plugin = process.wanted("NCCL_NET_PLUGIN");
    return Optional.ofNullable(plugin)
        .flatMap(
            named ->
                plugin(named.value())
                    .map(
                        fabric ->
                            new WantedNetwork(
                                fabric, "NCCL_NET_PLUGIN=" + named.value(), named.proof())))
        .or(() -> byVariablesOfAPlugin(process));
  }

  /// By variables that only a plugin reads and that nobody sets without it.
  private static Optional<WantedNetwork> byVariablesOfAPlugin(TrainingProcess process) {
    for (var variable : process.environment().entrySet()) {
      var name = variable.getKey();
      var fabric =
          name.startsWith("NCCL_FASTRAK_")
              ? plugin("fastrak")
              : name.startsWith("NCCL_GPUDIRECTTCPX_") ? plugin("tcpx") : Optional.<String>empty();
      if (fabric.isPresent()) {
        return Optional.of(
            new WantedNetwork(fabric.get(), name + " is set", variable.getValue().proof()));
      }
    }
    return Optional.empty();
  }

  /// By a plugin for a cloud's own network. NVIDIA's images contain the InfiniBand plugin wherever
  /// they run, so finding that one says nothing.
  private static Optional<WantedNetwork> byPlugin(TrainingProcess process) {
    for (var line : process.pluginLines()) {
      var fabric = plugin(line.name());
      if (line.step() != Step.MISSING && fabric.isPresent() && !fabric.get().equals("InfiniBand")) {
        return Optional.of(
            new WantedNetwork(
                fabric.get(), "the plugin " + line.name() + " was loaded", line.proof()));
      }
    }
    return Optional.empty();
  }

  private static Optional<WantedNetwork> byDevices(TrainingProcess process) {
    var line = process.proof(TrainingProcess.Statement.IB_DEVICES);
    return line == null
        ? Optional.empty()
        : Optional.of(new WantedNetwork("InfiniBand or RoCE", "NCCL found its cards", line));
  }

  private static Optional<WantedNetwork> byUnloadedProvider(
      TrainingProcess process, Examination examination) {
    return UnloadedProvider.of(process, examination)
        .map(
            line ->
                new WantedNetwork(
                    "InfiniBand or RoCE", "a card is there that libibverbs cannot use", line));
  }

  private static Optional<WantedNetwork> byMachine(
      TrainingProcess process, Examination examination) {
    return examination
        .instanceType(process)
        .map(type -> type.fabricName())
        .filter(fabric -> !fabric.isEmpty() && !fabric.equals("EFA"))
        .map(
            fabric ->
                new WantedNetwork(
                    fabric,
                    examination.machine(process) + " has it",
                    process.proof(TrainingProcess.Statement.PLATFORM)));
  }

  private static Optional<WantedNetwork> byPeers(TrainingProcess process, Examination examination) {
    return examination
        .perProcess()
        .example(
            "uses no sockets",
            () ->
                examination.run().byRank().stream()
                    .filter(
                        peer -> {
                          var network = NetworkUse.of(peer, examination).chosen();
                          return !network.isEmpty() && !network.equals(SOCKET);
                        })
                    .findFirst())
        .filter(peer -> peer != process)
        .map(
            peer ->
                new WantedNetwork(
                    inWords(NetworkUse.of(peer, examination).chosen()),
                    "rank %d uses it".formatted(examination.run().rank(peer)),
                    peer.proof(TrainingProcess.Statement.NETWORK)));
  }

  private static Optional<String> plugin(String name) {
    var lower = name.toLowerCase(Locale.ROOT);
    // the longer name first: tcpxo before tcpx
    return new TreeMap<>(PLUGINS)
        .descendingMap().entrySet().stream()
            .filter(known -> lower.contains(known.getKey()))
            .map(Map.Entry::getValue)
            .findFirst();
  }

  /// The network in words. NCCL calls InfiniBand and RoCE IB, and its plugin IBext.
  private static String inWords(String network) {
    return network.startsWith("IB") ? "InfiniBand or RoCE" : network;
  }
}
