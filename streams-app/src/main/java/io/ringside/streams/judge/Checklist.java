package io.ringside.streams.judge;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Check.Status;
import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.detect.error.NcclError;
import io.ringside.streams.detect.error.OddInterfaces;
import io.ringside.streams.detect.failure.Interfaces;
import io.ringside.streams.detect.fallback.EfaFallback;
import io.ringside.streams.detect.network.NetworkFallback;
import io.ringside.streams.detect.nics.GdrMissing;
import io.ringside.streams.detect.p2pread.P2pRead;
import io.ringside.streams.detect.shm.ShmFallback;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.NcclWarnings;
import io.ringside.streams.examine.NetworkUse;
import io.ringside.streams.examine.ObservationMode;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.examine.RunEdge;
import io.ringside.streams.expect.InstanceType;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Membership;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.TrainingProcess.Step;
import io.ringside.streams.job.Transports;
import io.ringside.streams.parse.event.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The pre-flight checklist of a run: what an engineer looks for in the first lines, each with its
/// line. A row never passes if a finding contradicts it.
final class Checklist {
  private static final String OVER = " over ";
  private static final String NO_GDR = "on no network edge, and nothing says that it should be";

  private final Examination examination;
  private final Run run;
  private final List<TrainingProcess> processes;

  private Checklist(Examination examination) {
    this.examination = examination;
    this.run = examination.run();
    this.processes = run.byRank();
  }

  static List<Check> of(Examination examination) {
    var list = new Checklist(examination);
    return List.of(
        list.versions(),
        list.plugin(),
        list.network(),
        list.networkInterface(),
        list.initialised(),
        list.connected(),
        list.transport("transport within nodes", false),
        list.transport("transport between nodes", true),
        list.gdr(),
        list.warnings(),
        list.gpus());
  }

  private Check versions() {
    var versions = distinct(TrainingProcess::ncclVersion);
    return new Check(
        "NCCL version",
        versions.isEmpty() ? Status.UNKNOWN : versions.size() == 1 ? Status.PASS : Status.FAIL,
        versions.isEmpty() ? Check.UNSAID : String.join(", ", versions) + " on " + ranks(),
        proof(TrainingProcess.Statement.VERSION));
  }

  private Check plugin() {
    for (var process : processes) {
      for (var line : process.pluginLines()) {
        var use = NetworkUse.of(process, examination);
        boolean cameUp = line.step() == Step.NO_PROVIDER && Transports.libfabric(use.chosen());
        if (cameUp && use.tcpProvider().isEmpty()) {
          continue; // a provider other than the requested one works
        }
        if (cameUp) {
          return new Check(
              "network plugin",
              Status.FAIL,
              "loaded, but found no card: over " + use.tcpProvider(),
              line.proof());
        }
        if (line.step() == Step.NO_PROVIDER
            || line.step() == Step.FAILED && !line.name().equals("IB")) {
          return new Check("network plugin", Status.FAIL, "failed to initialise", line.proof());
        }
      }
      for (var warned : process.warnings()) {
        if (warned.message().contains("aws-ofi-nccl initialization failed")
            || warned.message().contains("NET/OFI Initializing plugin failed")) {
          return new Check(
              "network plugin", Status.FAIL, "loaded, but failed to initialise", warned.proof());
        }
      }
    }
    for (var process : processes) {
      for (var line : process.pluginLines()) {
        if (line.step() == Step.LOADED) {
          return new Check("network plugin", Status.PASS, line.name() + " loaded", line.proof());
        }
      }
    }
    for (var process : processes) {
      for (var line : process.pluginLines()) {
        if (line.step() == Step.MISSING) {
          boolean needed =
              examination.instanceType(process).map(InstanceType::efa).orElse(0) > 0
                  || NetworkUse.of(process, examination).overSocket() && wanted();
          return new Check(
              "network plugin",
              needed ? Status.FAIL : Status.PASS,
              needed ? "not found" : "none, none expected",
              line.proof());
        }
      }
    }
    return new Check("network plugin", Status.UNKNOWN, Check.UNSAID, null);
  }

  private Check network() {
    var names = distinct(this::networkInWords);
    boolean socketBeyond =
        processes.stream()
            .map(process -> NetworkUse.of(process, examination))
            .anyMatch(use -> use.overSocket() && use.beyondPod());
    boolean socket = names.stream().anyMatch(name -> name.equals("Socket") || name.contains(OVER));
    return new Check(
        "network in use",
        names.isEmpty()
            ? Status.UNKNOWN
            : socketBeyond || names.size() > 1 ? Status.FAIL : Status.PASS,
        names.isEmpty()
            ? Check.UNSAID
            : String.join(", ", names)
                + (socket && !socketBeyond ? " (chosen, no traffic beyond the pod)" : ""),
        proof(TrainingProcess.Statement.NETWORK));
  }

  /// The network in use as text; `Libfabric over tcp` if the plugin came up without its cards.
  private String networkInWords(TrainingProcess process) {
    var use = NetworkUse.of(process, examination);
    return use.tcpProvider().isEmpty() || !Transports.libfabric(use.chosen())
        ? use.chosen()
        : use.chosen() + OVER + use.tcpProvider();
  }

  /// Whether a network faster than sockets was wanted.
  private boolean wanted() {
    return !found(new EfaFallback(), Severity.WARNING).isEmpty()
        || !found(new NetworkFallback(), Severity.WARNING).isEmpty();
  }

  private List<Finding> found(Detector detector, Severity least) {
    return detector.examine(examination).stream()
        .filter(finding -> finding.severity().compareTo(least) >= 0)
        .toList();
  }

  private Check networkInterface() {
    for (var process : speakers()) {
      for (var warned : process.warnings()) {
        if (Interfaces.noneFound(warned.message())) {
          var value = process.variable(Interfaces.VARIABLE);
          return new Check(
              "interface chosen",
              Status.FAIL,
              "none on %s%s"
                  .formatted(
                      process.host().isEmpty() ? process.node() : process.host(),
                      value.isEmpty() ? "" : ", by " + Interfaces.VARIABLE + "=" + value),
              warned.proof());
        }
      }
    }
    var odd = OddInterfaces.of(examination);
    if (odd.isPresent()) {
      return new Check(
          "interface chosen",
          Status.FAIL,
          "%s on %s, %s on others"
              .formatted(
                  odd.get().name(),
                  RankText.words(odd.get().processes().stream().map(run::rank).toList()),
                  odd.get().others()),
          odd.get().proof());
    }
    var line = proof(TrainingProcess.Statement.INTERFACE);
    return new Check(
        "interface chosen",
        line == null ? Status.UNKNOWN : Status.PASS,
        processes.stream()
            .map(TrainingProcess::networkInterface)
            .filter(address -> !address.isEmpty())
            .findFirst()
            .orElse(Check.UNSAID),
        line);
  }

  private Check initialised() {
    var world = run.world().orElse(null);
    if (run.processes().stream().anyMatch(TrainingProcess::startUnseen)) {
      return new Check("ranks initialised", Status.UNKNOWN, "joined while running", null);
    }
    if (world == null && run.processes().stream().anyMatch(TrainingProcess::cameUp)) {
      long up = run.processes().stream().filter(TrainingProcess::cameUp).count();
      return new Check(
          "ranks initialised",
          Status.UNKNOWN,
          up + " came up, in communicators that this version does not name",
          proof(TrainingProcess.Statement.UNNAMED));
    }
    if (world == null) {
      // so few lines come from healthy jobs as often as from others, and so do warnings alone
      boolean tried =
          proof(TrainingProcess.Statement.INTERFACE) != null
              || warnings().status() == Status.FAIL && run.failures().told();
      return tried
          ? new Check("ranks initialised", Status.FAIL, "no communicator was initialised", null)
          : new Check("ranks initialised", Status.UNKNOWN, Check.UNSAID, null);
    }
    if (!run.hasWorld()) {
      return groupsInitialised(world);
    }
    long complete = memberships(world).stream().filter(Membership::complete).count();
    boolean all = complete == world.nranks();
    boolean allSeen = world.processByRank().size() == complete;
    boolean begins = !all && begins();
    boolean torn = complete > 0 && !all && !allSeen && !begins && connected(world);
    return new Check(
        "ranks initialised",
        all ? Status.PASS : allSeen || begins || torn ? Status.UNKNOWN : Status.FAIL,
        complete
            + " of "
            + world.nranks()
            + (all || !allSeen ? "" : ", the others' lines are not here")
            + (begins && !allSeen ? " so far" : "")
            + (torn ? " say so, the others have connected their trees" : ""),
        first(world, Membership.Statement.COMPLETE));
  }

  /// Whether the ranks without a line of complete initialisation have connected their trees, which
  /// they do just before. Output of other processes at the same time can damage lines.
  private boolean connected(Communicator world) {
    return memberships(world).stream()
        .filter(part -> !part.complete())
        .allMatch(part -> part.proof(Membership.Statement.TREES) != null);
  }

  /// Whether the run is watched live while it starts: ranks that are not up yet have not failed.
  private boolean begins() {
    return examination.mode() == ObservationMode.LIVE
        && !run.trained()
        && !run.silent()
        && !run.failures().told()
        && !examination.job().over(run);
  }

  /// Without a world communicator, every rank must be up in each group that it joined.
  private Check groupsInitialised(Communicator largest) {
    long complete = processes.stream().filter(Checklist::upInItsGroups).count();
    boolean all = complete == processes.size();
    boolean begins = !all && begins();
    return new Check(
        "ranks initialised",
        all ? Status.PASS : begins ? Status.UNKNOWN : Status.FAIL,
        "%d of %d, in %d groups without a world%s"
            .formatted(
                complete, processes.size(), run.communicators().size(), begins ? " so far" : ""),
        first(largest, Membership.Statement.COMPLETE));
  }

  /// Whether the process is up in the groups whose init lines are known: lines about the network or
  /// a call may come before any line names the communicator.
  private static boolean upInItsGroups(TrainingProcess process) {
    return process.memberships().values().stream()
        .filter(part -> part.nranks() >= 0)
        .allMatch(Membership::complete);
  }

  private Check connected() {
    var rings = firstOfAny(Membership.Statement.RINGS);
    var trees = firstOfAny(Membership.Statement.TREES);
    var line = rings == null ? trees : rings;
    return new Check(
        "rings and trees connected",
        line == null ? Status.UNKNOWN : Status.PASS,
        line == null
            ? Check.UNSAID
            : (rings == null ? "trees" : trees == null ? "rings" : "rings and trees"),
        line);
  }

  private Check transport(String name, boolean beyond) {
    var edges = examination.edges().stream().filter(edge -> beyond == beyond(edge)).toList();
    if (edges.isEmpty()) {
      boolean others = !examination.edges().isEmpty();
      return new Check(
          name,
          Status.UNKNOWN,
          !others ? Check.UNSAID : beyond ? "no edge between nodes" : "no edge within a node",
          null);
    }
    var labels = new TreeSet<String>();
    edges.forEach(edge -> labels.add(Transports.label(edge.transport())));
    boolean noShm = !beyond && !found(new ShmFallback(), Severity.WARNING).isEmpty();
    boolean noRead = !beyond && !found(new P2pRead(), Severity.WARNING).isEmpty();
    Predicate<RunEdge> bad =
        edge ->
            beyond
                ? Transports.socket(edge.transport())
                    || NetworkUse.of(edge.printer(), examination).overTcpProvider()
                : switch (edge.transport()) {
                  case Transport.Net _ -> true;
                  case Transport.Shm _ -> noShm;
                  case Transport.P2p p2p -> noRead && p2p.read();
                  case Transport.CollNet _ -> false;
                };
    var worst = edges.stream().filter(bad).findFirst();
    return new Check(
        name,
        worst.isPresent() ? Status.FAIL : Status.PASS,
        String.join(", ", labels),
        worst.orElse(edges.getFirst()).proof());
  }

  private static boolean beyond(RunEdge edge) {
    return edge.reach() == RunEdge.Reach.INTER_NODE || edge.reach() == RunEdge.Reach.INTER_POD;
  }

  private Check gdr() {
    var net =
        examination.edges().stream()
            .filter(edge -> edge.transport() instanceof Transport.Net)
            .toList();
    if (net.isEmpty()) {
      return new Check(
          "GPUDirect RDMA",
          Status.UNKNOWN,
          examination.edges().isEmpty() ? Check.UNSAID : "no network edge",
          null);
    }
    var without =
        net.stream()
            .filter(edge -> edge.transport() instanceof Transport.Net n && !n.gdr())
            .findFirst();
    boolean expected = !found(new GdrMissing(), Severity.WARNING).isEmpty();
    boolean some =
        net.stream().anyMatch(edge -> edge.transport() instanceof Transport.Net n && n.gdr());
    boolean socket = net.stream().anyMatch(edge -> Transports.socket(edge.transport()));
    if (without.isEmpty()) {
      return new Check(
          "GPUDirect RDMA", Status.PASS, "on every network edge", net.getFirst().proof());
    }
    return new Check(
        "GPUDirect RDMA",
        expected ? Status.FAIL : Status.UNKNOWN,
        socket ? "not with sockets" : expected || some ? "missing on some network edges" : NO_GDR,
        without.get().proof());
  }

  private Check warnings() {
    int count = 0;
    Evidence line = null;
    for (var process : speakers()) {
      for (var warned : NcclWarnings.of(process, examination.expectations())) {
        count++;
        line = line == null ? warned.proof() : line;
      }
    }
    var error =
        count > 0
            ? Optional.<Finding>empty()
            : found(new NcclError(), Severity.WARNING).stream().findFirst();
    if (error.isPresent()) {
      return new Check(
          "no NCCL WARN or ERROR",
          Status.FAIL,
          "no such line, but " + error.get().summary(),
          error.get().evidence().getFirst());
    }
    return new Check(
        "no NCCL WARN or ERROR",
        count > 0 ? Status.FAIL : processes.isEmpty() ? Status.UNKNOWN : Status.PASS,
        count > 0
            ? count + (count == 1 ? " line" : " lines")
            : processes.isEmpty() ? "no NCCL lines" : "none",
        line);
  }

  /// The run's processes, and those that ended before any line showed which run they belong to.
  private List<TrainingProcess> speakers() {
    var speakers = new ArrayList<>(processes);
    if (examination.newestRun()) {
      speakers.addAll(examination.job().strays());
    }
    return speakers;
  }

  private Check gpus() {
    int seen = 0;
    var seconds = new ArrayList<>(run.gpus().bySecond().values());
    seconds.addAll(run.unheld().readings().bySecond().values());
    for (var second : seconds) {
      seen += second.size();
      for (var gpu = second.gpus(); gpu.next(); ) {
        var errors = gpu.eccUncorrected();
        if (gpu.error() != null || (errors != null && errors > 0)) {
          return new Check(
              "GPUs healthy",
              Status.FAIL,
              gpu.reading().busId() + ": " + Objects.requireNonNullElse(gpu.error(), "ECC errors"),
              null);
        }
      }
    }
    return new Check(
        "GPUs healthy",
        seen == 0 ? Status.UNKNOWN : Status.PASS,
        seen == 0 ? "no samples" : seen + " readings without error",
        null);
  }

  private String ranks() {
    int nranks = run.nranks();
    return processes.size() + " of " + nranks + (nranks == 1 ? " rank" : " ranks");
  }

  private List<Membership> memberships(Communicator comm) {
    var memberships = new ArrayList<Membership>();
    for (var process : examination.members(comm.id())) {
      var membership = process.memberships().get(comm.id());
      if (membership != null) {
        memberships.add(membership);
      }
    }
    return memberships;
  }

  /// First proof from any communicator. Connections are made at first use, often long after init
  /// and first on a split communicator.
  private @Nullable Evidence firstOfAny(Membership.Statement statement) {
    for (var comm : run.communicators()) {
      var line = first(comm, statement);
      if (line != null) {
        return line;
      }
    }
    return null;
  }

  private @Nullable Evidence first(Communicator comm, Membership.Statement statement) {
    for (var membership : memberships(comm)) {
      var line = membership.proof(statement);
      if (line != null) {
        return line;
      }
    }
    return null;
  }

  private @Nullable Evidence proof(TrainingProcess.Statement statement) {
    for (var process : processes) {
      var line = process.proof(statement);
      if (line != null) {
        return line;
      }
    }
    return null;
  }

  private TreeSet<String> distinct(Function<TrainingProcess, String> value) {
    var values = new TreeSet<String>();
    for (var process : processes) {
      if (!value.apply(process).isEmpty()) {
        values.add(value.apply(process));
      }
    }
    return values;
  }
}
