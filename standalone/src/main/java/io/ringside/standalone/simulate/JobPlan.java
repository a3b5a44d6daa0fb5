package io.ringside.standalone.simulate;

import java.util.List;
import java.util.Optional;

/// A job to be generated: its place, its program, its noise and its faults. The same plan gives the same
/// job.
///
/// @param seed of everything that is left to chance
/// @param runs how often it starts; faults are in the last run, the others are cut short
/// @param podsWithLogs how many pods have an agent that sends logs, in the order of their ranks
/// @param topologyKnown whether agents tell their node's topology
/// @param sampleSeconds time between two GPU samples, 0 for none
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
    int runs,
    int steps,
    double stepSeconds,
    Noise noise,
    Output output,
    int podsWithLogs,
    boolean topologyKnown,
    int sampleSeconds,
    boolean torchLines,
    boolean initThread,
    List<Fault> faults) {

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

  /// The fault of this kind, if it is planned.
  public <F extends Fault> Optional<F> fault(Class<F> kind) {
    return faults.stream().filter(kind::isInstance).map(kind::cast).findFirst();
  }

  public boolean has(Class<? extends Fault> kind) {
    return fault(kind).isPresent();
  }

  /// Whether NCCL carries traffic beyond the pod over the OFI plugin.
  boolean libfabric() {
    return machine.efa() > 0 && !has(Fault.EfaFallback.class);
  }

  /// What `Using network` says; up to plugin 1.12 the plugin called itself otherwise.
  String network() {
    return !libfabric() ? "Socket" : version == NcclVersion.V2_19 ? "AWS Libfabric" : "Libfabric";
  }

  /// In words, for lists of misjudged jobs.
  public String words() {
    return "%s: %d ranks (%d x %s, %d pods a node), NCCL %s, %s%s, %d steps of %.2f s, %s%s%s, %s"
        .formatted(
            name,
            ranks(),
            nodes,
            machine.name(),
            podsPerNode,
            version.number(),
            schedule.name(),
            schedule.blocking() ? "" : " (asynchronous)",
            steps,
            stepSeconds,
            output,
            runs > 1 ? ", run " + runs : "",
            podsWithLogs < pods() ? ", logs of " + podsWithLogs + " pods" : "",
            faults.isEmpty() ? "healthy" : faults);
  }
}
