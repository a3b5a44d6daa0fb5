package io.ringside.lab.simulate;

import java.util.List;
import java.util.Optional;

/// A job to be generated: its place, its program, its noise and its faults. The same plan gives the
/// same job.
///
/// @param seed of everything that is left to chance
/// @param stepSeconds of one step's work, without communication
/// @param torchLines whether PyTorch logs at level INFO
/// @param initThread whether NCCL initialises in a thread of its own
public record JobPlan(
    long seed,
    String name,
    Machine machine,
    int nodes,
    int podsPerNode,
    int gpusPerPod,
    NcclVersion version,
    Schedule schedule,
    Framework framework,
    Restarts restarts,
    int steps,
    double stepSeconds,
    Noise noise,
    Output output,
    Agents agents,
    boolean torchLines,
    boolean initThread,
    Setting setting,
    List<Fault> faults) {

  /// One in the plain setting.
  public JobPlan(
      long seed,
      String name,
      Machine machine,
      int nodes,
      int podsPerNode,
      int gpusPerPod,
      NcclVersion version,
      Schedule schedule,
      Framework framework,
      Restarts restarts,
      int steps,
      double stepSeconds,
      Noise noise,
      Output output,
      Agents agents,
      boolean torchLines,
      boolean initThread,
      List<Fault> faults) {
    this(
        seed,
        name,
        machine,
        nodes,
        podsPerNode,
        gpusPerPod,
        version,
        schedule,
        framework,
        restarts,
        steps,
        stepSeconds,
        noise,
        output,
        agents,
        torchLines,
        initThread,
        Setting.PLAIN,
        faults);
  }

  public JobPlan {
    faults = List.copyOf(faults);
    if (nodes < 1
        || podsPerNode < 1
        || gpusPerPod < 1
        || podsPerNode * gpusPerPod > machine.gpus()) {
      throw new IllegalArgumentException(
          "%d nodes x %d pods x %d GPUs do not fit on %s"
              .formatted(nodes, podsPerNode, gpusPerPod, machine.name()));
    }
  }

  public int pods() {
    return nodes * podsPerNode;
  }

  public int ranks() {
    return pods() * gpusPerPod;
  }

  /// How many pods have logs, in the order of their ranks.
  public int podsWithLogs() {
    return Math.min(pods(), agents.podsWithLogs());
  }

  /// The first fault of this kind, if one is planned.
  public <F extends Fault> Optional<F> fault(Class<F> kind) {
    // asked for each sample of each GPU
    for (var fault : faults) {
      if (kind.isInstance(fault)) {
        return Optional.of(kind.cast(fault));
      }
    }
    return Optional.empty();
  }

  /// All faults of this kind.
  public <F extends Fault> List<F> faults(Class<F> kind) {
    return faults.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  public boolean has(Class<? extends Fault> kind) {
    return faults.stream().anyMatch(kind::isInstance);
  }

  /// The runs before the last one: short, with what is wrong with place, network and libraries,
  /// unless that is new in the last run.
  JobPlan earlier() {
    boolean better = has(NetworkFault.NewInLastRun.class);
    double ratio = fault(PaceFault.SlowerRun.class).map(PaceFault.SlowerRun::ratio).orElse(1.0);
    int length = better || ratio > 1 ? Math.max(40, steps / 2) : Math.max(4, steps / 5);
    return with(
        better ? 1 : podsPerNode,
        better ? gpusPerPod * podsPerNode : gpusPerPod,
        length,
        stepSeconds / ratio,
        faults.stream().filter(fault -> !better && lasts(fault)).toList());
  }

  /// The same without the faults whose effect is not drawn step by step: nobody starts late, and
  /// steps take as long as in the runs before.
  JobPlan inTime() {
    double ratio = fault(PaceFault.SlowerRun.class).map(PaceFault.SlowerRun::ratio).orElse(1.0);
    return with(
        podsPerNode,
        gpusPerPod,
        steps,
        stepSeconds / ratio,
        faults.stream().filter(fault -> !(fault instanceof PaceFault.LateStart)).toList());
  }

  private JobPlan with(
      int newPodsPerNode,
      int newGpusPerPod,
      int newSteps,
      double newStepSeconds,
      List<Fault> newFaults) {
    return new JobPlan(
        seed,
        name,
        machine,
        nodes,
        newPodsPerNode,
        newGpusPerPod,
        version,
        schedule,
        framework,
        restarts,
        newSteps,
        newStepSeconds,
        noise,
        output,
        agents,
        torchLines,
        initThread,
        setting,
        newFaults);
  }

  private static boolean lasts(Fault fault) {
    return switch (fault) {
      case NetworkFault _, ProcessFault.VersionMismatch _, ProcessFault.EnvironmentDrift _ -> true;
      case ProcessFault _, PaceFault _, GpuFault _, TelemetryFault _, BenchFault _ -> false;
    };
  }

  /// Whether NCCL carries traffic beyond the pod over the OFI plugin.
  boolean libfabric() {
    return machine.efa() > 0 && !has(NetworkFault.EfaFallback.class);
  }

  /// Whether it carries it over a network of remote memory access.
  boolean rdma() {
    return libfabric()
        || (machine.fabric() != Fabric.ETHERNET
            && machine.fabric() != Fabric.EFA
            && !has(NetworkFault.FabricFallback.class));
  }

  /// What `Using network` says on the ranks of a node.
  String network(int node) {
    boolean out =
        fault(NetworkFault.PartialFallback.class).map(fault -> fault.node() == node).orElse(false);
    return out || !rdma() ? "Socket" : machine.fabric().network(version);
  }

  /// In words, for lists of misjudged jobs.
  public String words() {
    return "%s: %d ranks (%d x %s, %d pods a node), NCCL %s, %s%s, %s, %d steps of %.2f s, %s%s%s%s, %s; %s"
        .formatted(
            name,
            ranks(),
            nodes,
            machine.name(),
            podsPerNode,
            version.number(),
            schedule.name(),
            schedule.blocking() ? "" : " (asynchronous)",
            JobDescription.of(framework),
            steps,
            stepSeconds,
            JobDescription.of(output),
            restarts.runs() > 1
                ? ", run %d (%s)".formatted(restarts.runs(), JobDescription.of(restarts.kind()))
                : "",
            setting.equals(Setting.PLAIN) ? "" : ", " + JobDescription.of(setting),
            podsWithLogs() < pods() ? ", logs of " + podsWithLogs() + " pods" : "",
            faults.isEmpty() ? "healthy" : JobDescription.of(faults),
            noise.words());
  }
}
