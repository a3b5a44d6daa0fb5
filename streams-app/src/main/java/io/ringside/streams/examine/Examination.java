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
/// @param earlier the ledger's lines of the job's earlier runs, oldest first
/// @param line the ledger's line of this run, null while it is written
/// @param now the time of judging
/// @param sight whether the job is watched as it goes on
/// @param perProcess what was found of each process so far
public record Examination(
    JobState job,
    Run run,
    List<RunEdge> edges,
    EarlierRuns earlier,
    @Nullable RunSummary line,
    Expectations expectations,
    Instant now,
    Sight sight,
    PerProcess perProcess) {

  public Examination {
    edges = List.copyOf(edges);
  }

  /// Looks at the run now.
  public static Examination of(
      JobState job,
      Run run,
      EarlierRuns earlier,
      Expectations expectations,
      Instant now,
      Sight sight) {
    var edges = RunEdge.all(run);
    return new Examination(
        job, run, edges, earlier, null, expectations, now, sight, new PerProcess(run, edges));
  }

  /// What others than the log say of the run.
  public Witnesses witnesses() {
    return Witnesses.of(job, run, now);
  }

  /// The same with the run's own line.
  public Examination with(RunSummary own) {
    return new Examination(job, run, edges, earlier, own, expectations, now, sight, perProcess);
  }

  /// The processes of whose part in the communicator there are lines, by global rank.
  public List<TrainingProcess> members(String comm) {
    return perProcess.members(comm);
  }

  /// The edges of which the process's lines speak.
  public List<RunEdge> edges(TrainingProcess process) {
    return perProcess.edges(process);
  }

  /// Whether no later run of the job is known.
  public boolean newestRun() {
    return job.runs().getLast().id().equals(run.id());
  }

  /// The newest time that lines of the run's files tell, whoever wrote them; NO_TIME if none does.
  /// Of a run without processes all files are.
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

  /// What the process's machine has: by its type if that is known, else what its agent saw.
  public Optional<InstanceType> instanceType(TrainingProcess process) {
    return Optional.ofNullable(expectations.instanceTypes().get(instanceTypeName(process)))
        .or(() -> topology(process).flatMap(topology -> ObservedMachine.of(topology, process)));
  }

  /// The name of the machine's type as plugin, agent or configuration say, empty if nobody does.
  public String instanceTypeName(TrainingProcess process) {
    var said = perProcess.instanceType(process);
    if (!said.isEmpty()) {
      return said;
    }
    var told = topology(process).map(NodeTopology::instanceType).orElse("");
    return told.isEmpty() ? expectations.instanceType() : told;
  }

  /// The machine in words.
  public String machine(TrainingProcess process) {
    var name = instanceTypeName(process);
    return name.isEmpty() ? "node " + process.node() : name;
  }

  /// How the GPUs of the process's node are linked, if its agent told.
  public Optional<NodeTopology> topology(TrainingProcess process) {
    return job.topology(process.source().node());
  }

  /// What `topo -m` says between the GPUs of two processes on one node.
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

  /// The one model that nccl-tests names in the process's file,
  /// `#  Rank  0 … device  0 [0x81] NVIDIA A100-PCIE-40GB`.
  private Optional<String> testedGpu(TrainingProcess process) {
    var models =
        job.testTables(process.source().id()).stream()
            .flatMap(table -> table.gpus().stream())
            .distinct()
            .toList();
    return models.size() == 1 ? Optional.of(models.getFirst()) : Optional.empty();
  }

  /// Index of the process's GPU in the node's matrix, by bus id, else by NVML's index; -1 if
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
