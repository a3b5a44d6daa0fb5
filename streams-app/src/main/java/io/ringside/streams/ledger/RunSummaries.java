package io.ringside.streams.ledger;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunAggregates;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.RankWait;
import io.ringside.schemas.event.RunSummary.Reading;
import io.ringside.schemas.event.RunSummary.Transport;
import io.ringside.schemas.event.RunSummary.Waits;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.HostLinks;
import io.ringside.streams.examine.NetworkUse;
import io.ringside.streams.examine.RunEdge;
import io.ringside.streams.examine.TimingTrust;
import io.ringside.streams.fact.TimeBasis;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.Traffic;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.Transports;
import io.ringside.streams.ledger.Aggregates.Quantiles;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Builds the ledger's summary of a run.
public final class RunSummaries {
  /// A summary is one record, so its size is limited, whatever the job's texts are.
  private static final int MOST_VARIABLES = 512;

  private static final int MOST_CHARACTERS = 512;
  private static final int MOST_TRANSPORTS = 16;

  private RunSummaries() {}

  /// @param checklist the run's checklist; its rows agree with the detectors, which run after the
  ///   ledger
  /// @param drawn the aggregates as last drawn, null to compute them now
  public static RunSummary of(
      Examination examination, int attempt, List<Check> checklist, @Nullable RunAggregates drawn) {
    var run = examination.run();
    var processes = run.byRank();
    var job = examination.job().key();
    return RunSummary.of(
        job,
        run.id(),
        attempt,
        its -> {
          its.since = instant(run.firstNanos());
          its.until = instant(run.lastNanos());
          its.state = RunStates.of(examination);
          its.team = examination.job().team();
          its.nranks = run.nranks();
          its.ranksSeen =
              run.hasWorld()
                  ? run.world().map(world -> world.processByRank().size()).orElse(0)
                  : run.processes().size();
          its.nodes = distinct(processes, process -> process.node());
          its.pods = distinct(processes, process -> process.source().pod());
          its.instanceType = joined(processes, examination::instanceTypeName);
          its.ncclVersion = joined(processes, TrainingProcess::ncclVersion);
          its.pluginVersion = joined(processes, TrainingProcess::pluginVersion);
          its.libfabricVersion = joined(processes, TrainingProcess::libfabricVersion);
          its.network = joined(processes, process -> NetworkUse.of(process, examination).chosen());
          its.channels = channels(run);
          its.offloads = Offloads.of(run);
          its.links = LinkLoss.worst(HostLinks.of(examination));
          its.environment = environment(processes);
          its.transports = transports(examination.edges());
          its.checklist = checklist;
          its.waits = waits(run, examination);
          its.reading =
              new Reading(
                  examination.job().lines(),
                  examination.job().ncclLines(),
                  examination.job().unknownShapes());
          its.aggregates =
              drawn == null ? Aggregates.of(examination) : Aggregates.of(examination, drawn);
          its.traffic = traffic(run);
          its.notJudged = NotJudgedReasons.missing(examination);
        });
  }

  /// The summary of a run of which only its existence is known.
  public static RunSummary bare(JobState job, Run run, int attempt) {
    var key = job.key();
    return RunSummary.of(
        key,
        run.id(),
        attempt,
        its -> {
          its.since = instant(run.firstNanos());
          its.until = instant(run.lastNanos());
          its.state = job.ended() ? RunSummary.State.ENDED : RunSummary.State.RUNNING;
          its.team = job.team();
          its.nranks = run.nranks();
          its.ranksSeen = run.processes().size();
          its.nodes = distinct(run.processes(), TrainingProcess::node);
          its.pods = distinct(run.processes(), process -> process.source().pod());
          its.reading = new Reading(job.lines(), job.ncclLines(), job.unknownShapes());
        });
  }

  private static RunSummary.@Nullable Traffic traffic(Run run) {
    var all = run.traffic().values();
    return all.isEmpty()
        ? null
        : new RunSummary.Traffic(
            all.size(),
            all.stream().mapToDouble(Traffic::seconds).max().orElse(0),
            all.stream().mapToLong(Traffic::rdmaBytes).sum(),
            all.stream().mapToLong(Traffic::ethernetBytes).sum());
  }

  private static @Nullable Instant instant(long nanos) {
    return nanos == NO_TIME ? null : Nanos.instant(nanos);
  }

  private static List<String> distinct(
      Collection<TrainingProcess> processes, Function<TrainingProcess, String> value) {
    var values = new TreeSet<String>();
    for (var process : processes) {
      if (!value.apply(process).isEmpty()) {
        values.add(value.apply(process));
      }
    }
    return List.copyOf(values);
  }

  private static String joined(
      Collection<TrainingProcess> processes, Function<TrainingProcess, String> value) {
    return cut(String.join("+", distinct(processes, value)));
  }

  /// Channels of the world communicator, 0 if no line names them.
  private static int channels(Run run) {
    return run.world()
        .map(
            world ->
                run.processes().stream()
                    .map(process -> process.memberships().get(world.id()))
                    .filter(membership -> membership != null)
                    .mapToInt(membership -> Math.max(0, membership.channels()))
                    .max()
                    .orElse(0))
        .orElse(0);
  }

  private static Map<String, String> environment(List<TrainingProcess> processes) {
    var values = new TreeMap<String, TreeSet<String>>();
    for (var process : processes) {
      process
          .environment()
          .forEach(
              (name, variable) ->
                  values.computeIfAbsent(name, _ -> new TreeSet<>()).add(variable.value()));
    }
    return values.entrySet().stream()
        .limit(MOST_VARIABLES)
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, entry -> cut(String.join(" | ", entry.getValue()))));
  }

  private static String cut(String text) {
    return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS - 1) + "…";
  }

  private static List<Transport> transports(List<RunEdge> edges) {
    var counted = new TreeMap<String, TreeMap<String, Integer>>();
    for (var edge : edges) {
      counted
          .computeIfAbsent(edge.reach().label(), _ -> new TreeMap<>())
          .merge(Transports.label(edge.transport()), edge.lines(), Integer::sum);
    }
    var transports = new ArrayList<Transport>();
    counted.forEach(
        (reach, labels) ->
            most(labels)
                .forEach(
                    label ->
                        transports.add(
                            new Transport(
                                reach,
                                label,
                                Objects.requireNonNull(labels.get(label)),
                                expected(reach)))));
    return transports;
  }

  /// The transports with the most edges, sorted by name.
  private static TreeSet<String> most(Map<String, Integer> edges) {
    return edges.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .limit(MOST_TRANSPORTS)
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String expected(String reach) {
    return reach.equals(RunEdge.Reach.INTRA_POD.label())
            || reach.equals(RunEdge.Reach.INTRA_NODE.label())
        ? "P2P where the GPUs are linked"
        : "RDMA network where the nodes have one";
  }

  private static Waits waits(Run run, Examination examination) {
    long rounds = 0;
    long leftOut = 0;
    long late = 0;
    double lost = 0;
    var basis = TimeBasis.CONTAINER;
    var byRank = new TreeMap<Integer, RankWait>();
    var quantiles = Aggregates.waits(examination);
    for (var comm : run.communicators()) {
      var of = comm.rounds();
      rounds += of.completed();
      leftOut += of.leftOut();
      if (of.completed() == 0) {
        continue;
      }
      basis = of.basis().ordinal() > basis.ordinal() ? of.basis() : basis;
      if (!TimingTrust.trusted(of, examination)) {
        continue;
      }
      late += comm.waits().late();
      lost += comm.waits().lostSeconds();
      run.members(comm)
          .forEach(
              (inComm, process) -> {
                int rank = run.rank(process);
                var spread = quantiles.getOrDefault(rank, Quantiles.NONE);
                byRank.merge(rank, wait(rank, process, comm, inComm, spread), RunSummaries::sum);
              });
    }
    return rounds == 0
        ? Waits.NONE
        : new Waits(rounds, late, lost, basis.label(), ListedRanks.of(byRank.values()), leftOut);
  }

  private static RankWait wait(
      int rank, TrainingProcess process, Communicator comm, int inComm, Quantiles quantiles) {
    return new RankWait(
        rank,
        process.node(),
        process.source().pod(),
        process.busId(),
        comm.waits().waitSeconds(inComm),
        comm.waits().lastRounds(inComm),
        comm.waits().blamedSeconds(inComm),
        quantiles.median(),
        quantiles.p99());
  }

  private static RankWait sum(RankWait a, RankWait b) {
    return new RankWait(
        a.rank(),
        a.node(),
        a.pod(),
        a.gpu(),
        a.waitSeconds() + b.waitSeconds(),
        a.lastRounds() + b.lastRounds(),
        a.blamedSeconds() + b.blamedSeconds(),
        a.p50Seconds(),
        a.p99Seconds());
  }
}
