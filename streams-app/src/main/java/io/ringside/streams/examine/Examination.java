package io.ringside.streams.examine;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.NodeTopology;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.expect.InstanceType;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A run as the detectors see it.
///
/// @param edges every edge with the places of its two ends
/// @param earlier the ledger's summaries of the job's earlier runs, oldest first
/// @param line the ledger's summary of this run, null while it is being made
/// @param now the time of judging
/// @param mode whether the job is watched live or was recorded
/// @param perProcess results found for each process so far
public record Examination(
    JobState job,
    Run run,
    List<RunEdge> edges,
    EarlierRuns earlier,
    @Nullable RunSummary line,
    Expectations expectations,
    Instant now,
    ObservationMode mode,
    ProcessCache perProcess) {

  public Examination {
    edges = List.copyOf(edges);
  }

  /// Examines the run at this time.
  public static Examination of(
      JobState job,
      Run run,
      EarlierRuns earlier,
      Expectations expectations,
      Instant now,
      ObservationMode mode) {
    var edges = RunEdge.all(run);
    return new Examination(
        job, run, edges, earlier, null, expectations, now, mode, new ProcessCache(run, edges));
  }

  /// What witnesses other than the log say of the run.
  public Witnesses witnesses() {
    return Witnesses.of(job, run, now);
  }

  /// The same with the run's own summary.
  public Examination with(RunSummary own) {
    return new Examination(job, run, edges, earlier, own, expectations, now, mode, perProcess);
  }

  /// The processes with lines about their membership in the communicator, by global rank.
  public List<TrainingProcess> members(String comm) {
    return perProcess.members(comm);
  }

  /// The edges that the process's lines describe.
  public List<RunEdge> edges(TrainingProcess process) {
    return perProcess.edges(process);
  }

  /// Whether no later run of the job is known.
  public boolean newestRun() {
    return job.runs().getLast().id().equals(run.id());
  }

  /// The newest time of any line in the run's files, by any writer, in epoch nanoseconds; NO_TIME
  /// if no line has one. A run without processes uses all files of the job.
  public long newestLineNanos() {
    var sources = job.sources();
    var processes = run.processes();
    var own =
        processes.isEmpty()
            ? sources.values().stream()
            : processes.stream()
                .map(process -> sources.get(process.source().id()))
                .filter(Objects::nonNull);
    return own.mapToLong(JobState.Source::lineNanos).max().orElse(NO_TIME);
  }

  /// What the process's machine has: by its type if known, else as its agent observed it.
  public Optional<InstanceType> instanceType(TrainingProcess process) {
    return Optional.ofNullable(expectations.instanceTypes().get(instanceTypeName(process)))
        .or(() -> topology(process).flatMap(topology -> ObservedMachine.of(topology, process)));
  }

  /// The name of the machine's type according to plugin, agent or configuration; empty if unknown.
  public String instanceTypeName(TrainingProcess process) {
    var said = perProcess.instanceType(process);
    if (!said.isEmpty()) {
      return said;
    }
    var told = topology(process).map(NodeTopology::instanceType).orElse("");
    return told.isEmpty() ? expectations.instanceType() : told;
  }

  /// The machine as text for reports.
  public String machine(TrainingProcess process) {
    var name = instanceTypeName(process);
    return name.isEmpty() ? "node " + process.node() : name;
  }

  /// How the GPUs of the process's node are linked, if its agent reported it.
  public Optional<NodeTopology> topology(TrainingProcess process) {
    return job.topology(process.source().node());
  }

  /// The link that `topo -m` shows between the GPUs of two processes on one node.
  public Optional<String> link(TrainingProcess a, TrainingProcess b) {
    return topology(a).flatMap(topology -> topology.link(index(topology, a), index(topology, b)));
  }

  /// The GPU's model as the agent names it, empty if unknown.
  public String gpuName(TrainingProcess process) {
    for (var second : run.gpus().bySecond().values()) {
      var reading = second.get(process.id());
      if (reading != null) {
        return reading.name();
      }
    }
    return topology(process)
        .flatMap(
            topology ->
                topology.gpus().stream()
                    .filter(gpu -> gpu.index() == index(topology, process))
                    .findFirst())
        .map(NodeTopology.Gpu::name)
        .or(() -> testedGpu(process))
        .orElseGet(() -> instanceType(process).map(InstanceType::gpu).orElse(""));
  }

  /// The model that nccl-tests names in the process's file, if it is only one: `#  Rank  0 … device
  /// 0 [0x81] NVIDIA A100-PCIE-40GB`.
  private Optional<String> testedGpu(TrainingProcess process) {
    var models =
        job.testTables(process.source().id()).stream()
            .flatMap(table -> table.gpus().stream())
            .distinct()
            .toList();
    return models.size() == 1 ? Optional.of(models.getFirst()) : Optional.empty();
  }

  /// Index of the process's GPU in the node's matrix, by PCI bus ID, else NVML's index; -1 if
  /// unknown.
  private static int index(NodeTopology topology, TrainingProcess process) {
    for (var gpu : topology.gpus()) {
      if (gpu.busId().equals(process.busId())) {
        return gpu.index();
      }
    }
    return process.nvmlDev();
  }
}
