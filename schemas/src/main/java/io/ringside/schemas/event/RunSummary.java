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

/// One run of a job as far as it is known: the record of `ringside.runs.v1`, the ledger.
///
/// @param namespace of the job's pods; empty outside of Kubernetes, and in records of before 0.2
/// @param run commId of the run's world communicator
/// @param attempt 1 for the first run seen of the job, 2 for its first restart …
/// @param since first and last time seen in its lines, null where they carry none
/// @param nranks size of the world communicator
/// @param ranksSeen how many of them have lines
/// @param network the network NCCL said it uses, empty if it did not say; several are joined by `+`
/// @param offloads what reduced in the GPUs' place in the world communicator: `NVLS`; empty where
///     nothing did, where no line says so, and in older records
/// @param links how NCCL found the GPUs of its worst host linked, null where no line says so, and
///   in older records
/// @param environment NCCL_, FI_ and OFI_ variables as NCCL reports them
/// @param aggregates what the run looked like over time, null in records of before 0.2
/// @param notJudged of what the lines tell too little for a verdict, and why
/// @param traffic what its nodes' network cards carried, null where no agent reports it
/// @param bill what its faults cost, null where nothing has a price, and in older records
/// @param costPerGpuHour what an hour of one of its GPUs costs, null where the expectations do not
///   say
/// @param team who pays, by a label of its pods; empty where no agent reads one, and in older
///   records
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

  /// Whether the lines told enough to judge anything, most of all whether it went on, and nothing
  /// failed: where not, no finding does not mean that all is well.
  @JsonIgnore
  public boolean judged() {
    var missing = notJudged.stream().map(NotJudged::what).toList();
    return !failed()
        && !missing.contains(NotJudged.PROGRESS)
        && !missing.containsAll(List.of("transport", "waits", "steps"));
  }

  /// Whether a part of Ringside itself failed at this run.
  @JsonIgnore
  public boolean failed() {
    return notJudged.stream().anyMatch(each -> each.because().equals(NotJudged.INTERNAL_ERROR));
  }

  /// The same where more was not judged.
  public RunSummary without(List<NotJudged> more) {
    if (more.isEmpty()) {
      return this;
    }
    var missing = new ArrayList<>(notJudged);
    missing.addAll(more);
    return with(its -> its.notJudged = missing);
  }

  /// A side of the run that was not judged.
  ///
  /// @param what `transport`, `waits`, `steps` or `gpus`; [#PROGRESS] where steps ended long before
  ///     the log; `log` where the log says more than is
  ///     kept of a job; where Ringside itself failed the rule, such as `straggler`
  /// @param because one clause, with what to set where that would help
  public record NotJudged(String what, String because) {
    /// Ringside itself failed: the program's fault, whatever the lines said.
    public static final String INTERNAL_ERROR = "internal error";

    /// Whether the job went on at all while its log did.
    public static final String PROGRESS = "progress";

    /// What failed at a run.
    public static NotJudged failed(String what) {
      return new NotJudged(what, INTERNAL_ERROR);
    }
  }

  /// The same run in another state of its life.
  public RunSummary in(State other) {
    return with(its -> its.state = other);
  }

  /// The same run with waits as they were counted at another moment, and drawn then.
  public RunSummary with(Waits counted, @Nullable RunAggregates drawn) {
    return with(
        its -> {
          its.waits = counted;
          its.aggregates = drawn;
        });
  }

  /// The line of a run of which nothing is known but what is said here; it runs.
  public static RunSummary of(JobKey job, String run, int attempt, Consumer<Fields> said) {
    var fields = new Fields(job, run, attempt);
    said.accept(fields);
    return fields.line();
  }

  /// The same run as one of a job in this namespace.
  public RunSummary within(String itsNamespace) {
    return with(its -> its.job = new JobKey(cluster, itsNamespace, job));
  }

  /// The same where something else is said.
  public RunSummary with(Consumer<Fields> change) {
    var fields = new Fields(this);
    change.accept(fields);
    return fields.line();
  }

  /// Where a run stands in its life, by evidence.
  public enum State implements Labelled {
    /// It has neither a communicator nor a step yet.
    STARTING,
    RUNNING,
    /// Nobody has written a line for longer than a usual step.
    PAUSED,
    /// Nobody has written a line for a minute.
    SILENT,
    /// Its communicators were destroyed, its launcher says that it is done, or its files are gone.
    ENDED,
    /// It died, see `job-failed`.
    FAILED,
    /// Somebody or a time limit ended it.
    STOPPED,
    /// Its nodes' agents are not heard any more.
    LOST,
    /// A newer attempt of the job runs.
    SUPERSEDED;

    /// Whether nothing more will come of it.
    public boolean over() {
      return switch (this) {
        case STARTING, RUNNING, PAUSED, SILENT -> false;
        case ENDED, FAILED, STOPPED, LOST, SUPERSEDED -> true;
      };
    }

    /// Whether it gives lines as it should.
    public boolean speaks() {
      return switch (this) {
        case STARTING, RUNNING, PAUSED -> true;
        case SILENT, ENDED, FAILED, STOPPED, LOST, SUPERSEDED -> false;
      };
    }
  }

  /// What the network cards of the run's nodes carried while it was the newest run there, both ways
  /// and all that the nodes do: a second witness beside NCCL's lines.
  ///
  /// @param nodes how many nodes report it
  /// @param seconds for how long, the longest of all nodes
  /// @param rdmaBytes over EFA, InfiniBand and RoCE
  /// @param ethernetBytes over Ethernet
  public record Traffic(int nodes, double seconds, long rdmaBytes, long ethernetBytes) {}

  /// How well the job's lines could be read, all its runs together.
  ///
  /// @param lines how many there were
  /// @param ncclLines how many of them are NCCL's
  /// @param unknown NCCL lines that no parser knows, by version and shape (numbers taken out)
  public record Reading(long lines, long ncclLines, Map<String, Integer> unknown) {
    /// Nothing was read.
    public static final Reading NONE = new Reading(0, 0, Map.of());

    public Reading {
      unknown = Map.copyOf(unknown);
    }
  }

  /// How a host's GPUs are linked by NCCL's search of it (GRAPH); 0 and empty where no line says.
  ///
  /// @param gpus how many GPUs the host has for the job
  /// @param nvlinkGBps what the NVLinks of a usual GPU carry together
  /// @param pcieGBps what a usual GPU's way to the CPU carries
  /// @param rings of the world communicator, each with `ringGBps` over links of `ringType`
  ///     (`NVL`, `PHB` …)
  public record Links(
      int gpus, double nvlinkGBps, double pcieGBps, int rings, double ringGBps, String ringType) {}

  /// All edges of one class that use one transport.
  ///
  /// @param edgeClass `intra-pod`, `intra-node` (between pods of a node),
  ///     `inter-pod` (of pods whose nodes are not known) or `inter-node`
  /// @param transport NCCL's words: `P2P/CUMEM/read`, `SHM/direct`,
  ///   `NET/Socket`, `NET/Libfabric/GDRDMA`
  /// @param edges how many distinct (source, target, channel) use it
  /// @param expected what the machine should do, empty if unknown
  public record Transport(String edgeClass, String transport, int edges, String expected) {}

  /// What the collective rounds showed.
  ///
  /// @param rounds rounds in which all ranks were seen to arrive
  /// @param leftOut rounds that were not looked at, since ranks call too often: seconds are
  ///     reckoned for these too, by those that were; absent in records where it is 0
  /// @param lateRounds rounds in which somebody waited for long
  /// @param lostSeconds wall-clock seconds in which all others waited for a last rank
  /// @param basis how arrival times are known: `container` (runtime's stamps), `nccl`, `read` or
  ///     empty where rounds are not judged
  public record Waits(
      long rounds,
      long lateRounds,
      double lostSeconds,
      String basis,
      List<RankWait> ranks,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) long leftOut) {

    /// Of all rounds.
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
  /// @param lastRounds in how many late rounds it was the last one
  /// @param blamedSeconds wall-clock seconds in which it alone kept the others waiting
  /// @param p50Seconds half of its waits were shorter, to about a fifth; null where not kept
  /// @param p99Seconds 99 of 100 of its waits were shorter; null where not kept
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

  /// What a line says, while it is written. Not thread-safe.
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
