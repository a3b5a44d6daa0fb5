package io.ringside.schemas.event;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One run of a job as far as known: the record of `ringside.runs.v1`, the ledger.
///
/// @param namespace of the job's pods; empty outside of Kubernetes, and in records before 0.2
/// @param run commId of the run's world communicator
/// @param attempt 1 for the first run seen of the job, 2 for its first restart …
/// @param since first time in its lines, null if they have none; `until` is the last
/// @param nranks size of the world communicator
/// @param ranksSeen number of these ranks that have lines
/// @param network the network that NCCL says it uses, empty if it does not say; several are joined
///     by `+`
/// @param offloads what performs reductions instead of the GPUs in the world communicator: `NVLS`;
///     empty if nothing does, if no line says so, and in older records
/// @param links how the GPUs of its worst host are linked according to NCCL, null if no line says
///     so, and in older records
/// @param environment NCCL_, FI_ and OFI_ variables as NCCL reports them
/// @param aggregates the run over time, null in records before 0.2
/// @param notJudged aspects for which the lines are too sparse to judge, and why
/// @param traffic traffic of its nodes' network cards, null if no agent reports it
/// @param bill what its faults cost, null if nothing has a price, and in older records
/// @param costPerGpuHour price of an hour of one of its GPUs, null if the expectations do not
///     contain it
/// @param team the team that pays, from a label of its pods; empty if no agent reads one, and in
///     older records
public record RunSummary(
    String cluster,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) String namespace,
    String job,
    String run,
    int attempt,
    State state,
    @Nullable Instant since,
    @Nullable Instant until,
    int nranks,
    int ranksSeen,
    List<String> nodes,
    List<String> pods,
    String instanceType,
    String ncclVersion,
    String pluginVersion,
    String libfabricVersion,
    String network,
    int channels,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> offloads,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Links links,
    Map<String, String> environment,
    List<Transport> transports,
    List<Check> checklist,
    Waits waits,
    Reading reading,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable RunAggregates aggregates,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Traffic traffic,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<NotJudged> notJudged,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable RunBill bill,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double costPerGpuHour,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) String team)
    implements TelemetryEvent {

  public RunSummary {
    namespace = Objects.requireNonNullElse(namespace, "");
    team = Objects.requireNonNullElse(team, "");
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(run, "run");
    nodes = List.copyOf(nodes);
    pods = List.copyOf(pods);
    offloads = offloads == null ? List.of() : List.copyOf(offloads);
    environment = Map.copyOf(new TreeMap<>(environment));
    transports = List.copyOf(transports);
    checklist = List.copyOf(checklist);
    Objects.requireNonNull(waits, "waits");
    reading = Objects.requireNonNullElse(reading, Reading.NONE);
    notJudged = notJudged == null ? List.of() : List.copyOf(notJudged);
  }

  /// Whether the lines are sufficient to judge at least progress, and Ringside did not fail. If
  /// not, the absence of findings does not mean that all is well.
  @JsonIgnore
  public boolean judged() {
    var missing = notJudged.stream().map(NotJudged::what).toList();
    return !failed()
        && !missing.contains(NotJudged.PROGRESS)
        && !missing.containsAll(List.of("transport", "waits", "steps"));
  }

  /// Whether a part of Ringside itself failed on this run.
  @JsonIgnore
  public boolean failed() {
    return notJudged.stream().anyMatch(each -> each.because().equals(NotJudged.INTERNAL_ERROR));
  }

  /// The same summary with more aspects that were not judged.
  public RunSummary without(List<NotJudged> more) {
    if (more.isEmpty()) {
      return this;
    }
    var missing = new ArrayList<>(notJudged);
    missing.addAll(more);
    return with(its -> its.notJudged = missing);
  }

  /// An aspect of the run that was not judged.
  ///
  /// @param what `transport`, `waits`, `steps` or `gpus`; [#PROGRESS] if steps ended long before
  ///     the log; `log` if the log contains more than is kept of a job; `starts` if it started more
  ///     often than there was time to judge; the name of the rule, such as `straggler`, if Ringside
  ///     itself failed
  /// @param because one clause, with the setting that would help, if any
  public record NotJudged(String what, String because) {
    /// Ringside itself failed because of a bug, whatever the lines contain.
    public static final String INTERNAL_ERROR = "internal error";

    /// Whether the job made progress while its log went on.
    public static final String PROGRESS = "progress";

    /// An aspect whose rule failed.
    public static NotJudged failed(String what) {
      return new NotJudged(what, INTERNAL_ERROR);
    }
  }

  /// The same run in another state.
  public RunSummary in(State other) {
    return with(its -> its.state = other);
  }

  /// The same run with newer waits and charts.
  public RunSummary with(Waits counted, @Nullable RunAggregates drawn) {
    return with(
        its -> {
          its.waits = counted;
          its.aggregates = drawn;
        });
  }

  /// A summary of a running job, unknown except for the fields set by the given setter.
  public static RunSummary of(JobKey job, String run, int attempt, Consumer<Fields> said) {
    var fields = new Fields(job, run, attempt);
    said.accept(fields);
    return fields.line();
  }

  /// The same run of a job in this namespace.
  public RunSummary within(String itsNamespace) {
    return with(its -> its.job = new JobKey(cluster, itsNamespace, job));
  }

  /// The same summary with some fields changed.
  public RunSummary with(Consumer<Fields> change) {
    var fields = new Fields(this);
    change.accept(fields);
    return fields.line();
  }

  /// The state of a run according to the evidence.
  public enum State implements LabelledEnum {
    /// It has neither a communicator nor a step yet.
    STARTING,
    RUNNING,
    /// No rank has written a line for longer than a usual step.
    PAUSED,
    /// No rank has written a line for a minute.
    SILENT,
    /// Its communicators were destroyed, its launcher reports that it is done, or its files are
    /// gone.
    ENDED,
    /// It died, see `job-failed`.
    FAILED,
    /// A user or a time limit ended it.
    STOPPED,
    /// The agents of its nodes are silent.
    LOST,
    /// A newer attempt of the job runs.
    SUPERSEDED;

    /// Whether the run is over.
    public boolean over() {
      return switch (this) {
        case STARTING, RUNNING, PAUSED, SILENT -> false;
        case ENDED, FAILED, STOPPED, LOST, SUPERSEDED -> true;
      };
    }

    /// Whether the run writes lines as expected.
    public boolean speaks() {
      return switch (this) {
        case STARTING, RUNNING, PAUSED -> true;
        case SILENT, ENDED, FAILED, STOPPED, LOST, SUPERSEDED -> false;
      };
    }
  }

  /// Traffic of the network cards of the run's nodes while it was the newest run there, in both
  /// directions and including all other traffic of the nodes: a second witness besides NCCL's
  /// lines.
  ///
  /// @param nodes number of nodes that report it
  /// @param seconds measured time, the longest of all nodes
  /// @param rdmaBytes bytes over EFA, InfiniBand and RoCE
  /// @param ethernetBytes bytes over Ethernet
  public record Traffic(int nodes, double seconds, long rdmaBytes, long ethernetBytes) {}

  /// How well the job's lines could be read, for all its runs together.
  ///
  /// @param lines number of lines
  /// @param ncclLines number of lines from NCCL
  /// @param unknown NCCL lines that no parser knows, by version and shape (numbers removed)
  public record Reading(long lines, long ncclLines, Map<String, Integer> unknown) {
    /// Nothing was read.
    public static final Reading NONE = new Reading(0, 0, Map.of());

    public Reading {
      unknown = Map.copyOf(unknown);
    }
  }

  /// How a host's GPUs are linked according to NCCL's topology search (GRAPH); 0 and empty if no
  /// line says.
  ///
  /// @param gpus number of the host's GPUs that the job uses
  /// @param nvlinkGBps bandwidth of all NVLinks of a typical GPU together
  /// @param pcieGBps bandwidth of a typical GPU's path to the CPU
  /// @param rings number of rings of the world communicator, each with `ringGBps` over links of
  ///     `ringType` (`NVL`, `PHB` …)
  public record Links(
      int gpus, double nvlinkGBps, double pcieGBps, int rings, double ringGBps, String ringType) {}

  /// All edges of one class that use one transport.
  ///
  /// @param edgeClass `intra-pod`, `intra-node` (between pods of a node), `inter-pod` (between pods
  ///     whose nodes are unknown) or `inter-node`
  /// @param transport as NCCL writes it: `P2P/CUMEM/read`, `SHM/direct`, `NET/Socket`,
  ///     `NET/Libfabric/GDRDMA`
  /// @param edges number of distinct (source, target, channel) that use it
  /// @param expected the transport that the machine should use, empty if unknown
  public record Transport(String edgeClass, String transport, int edges, String expected) {}

  /// Waits in the rounds of collectives.
  ///
  /// @param rounds rounds in which the arrival of all ranks was seen
  /// @param leftOut rounds that were not examined because ranks call too often; seconds are
  ///     extrapolated to them from those examined. Absent in records if it is 0
  /// @param lateRounds rounds in which a rank waited for long
  /// @param lostSeconds wall-clock seconds in which all others waited for a last rank
  /// @param basis source of arrival times: `container` (the runtime's timestamps), `nccl`, `read`,
  ///     or empty if rounds are not judged
  public record Waits(
      long rounds,
      long lateRounds,
      double lostSeconds,
      String basis,
      List<RankWait> ranks,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) long leftOut) {

    /// Waits of which no rounds were left out.
    public Waits(
        long rounds, long lateRounds, double lostSeconds, String basis, List<RankWait> ranks) {
      this(rounds, lateRounds, lostSeconds, basis, ranks, 0);
    }

    /// Nothing was seen.
    public static final Waits NONE = new Waits(0, 0, 0, "", List.of());

    public Waits {
      ranks = List.copyOf(ranks);
    }
  }

  /// One rank's share of the waits.
  ///
  /// @param waitSeconds how long this rank waited for the last one, summed over rounds
  /// @param lastRounds number of late rounds in which it was the last one
  /// @param blamedSeconds wall-clock seconds in which it alone kept the others waiting
  /// @param p50Seconds median of its waits, accurate to about a fifth; null if not kept
  /// @param p99Seconds 99th percentile of its waits; null if not kept
  public record RankWait(
      int rank,
      String node,
      String pod,
      @Nullable String gpu,
      double waitSeconds,
      long lastRounds,
      double blamedSeconds,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double p50Seconds,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double p99Seconds) {}

  /// The fields of a summary while it is being built. Not thread-safe.
  public static final class Fields {
    public JobKey job;
    public String run;
    public int attempt;
    public @Nullable Instant since;
    public @Nullable Instant until;
    public State state = State.RUNNING;
    public int nranks;
    public int ranksSeen;
    public List<String> nodes = List.of();
    public List<String> pods = List.of();
    public String instanceType = "";
    public String ncclVersion = "";
    public String pluginVersion = "";
    public String libfabricVersion = "";
    public String network = "";
    public int channels;
    public List<String> offloads = List.of();
    public @Nullable Links links;
    public Map<String, String> environment = Map.of();
    public List<Transport> transports = List.of();
    public List<Check> checklist = List.of();
    public Waits waits = Waits.NONE;
    public Reading reading = Reading.NONE;
    public @Nullable RunAggregates aggregates;
    public @Nullable Traffic traffic;
    public List<NotJudged> notJudged = List.of();
    public @Nullable RunBill bill;
    public @Nullable Double costPerGpuHour;
    public String team = "";

    private Fields(JobKey job, String run, int attempt) {
      this.job = job;
      this.run = run;
      this.attempt = attempt;
    }

    private Fields(RunSummary line) {
      this(JobKey.of(line), line.run, line.attempt);
      since = line.since;
      until = line.until;
      state = line.state;
      nranks = line.nranks;
      ranksSeen = line.ranksSeen;
      nodes = line.nodes;
      pods = line.pods;
      instanceType = line.instanceType;
      ncclVersion = line.ncclVersion;
      pluginVersion = line.pluginVersion;
      libfabricVersion = line.libfabricVersion;
      network = line.network;
      channels = line.channels;
      offloads = line.offloads;
      links = line.links;
      environment = line.environment;
      transports = line.transports;
      checklist = line.checklist;
      waits = line.waits;
      reading = line.reading;
      aggregates = line.aggregates;
      traffic = line.traffic;
      notJudged = line.notJudged;
      bill = line.bill;
      costPerGpuHour = line.costPerGpuHour;
      team = line.team;
    }

    private RunSummary line() {
      return new RunSummary(
          job.cluster(),
          job.namespace(),
          job.job(),
          run,
          attempt,
          state,
          since,
          until,
          nranks,
          ranksSeen,
          nodes,
          pods,
          instanceType,
          ncclVersion,
          pluginVersion,
          libfabricVersion,
          network,
          channels,
          offloads,
          links,
          environment,
          transports,
          checklist,
          waits,
          reading,
          aggregates,
          traffic,
          notJudged,
          bill,
          costPerGpuHour,
          team);
    }
  }
}
