package io.ringside.streams.join.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.join.bandwidth.Tables;
import io.ringside.streams.join.fact.Arrivals;
import io.ringside.streams.join.fact.Fact;
import io.ringside.streams.join.fact.GpuFacts;
import io.ringside.streams.join.fact.JobInput;
import io.ringside.streams.join.fact.LogFacts;
import io.ringside.streams.join.fact.NodeFacts;
import io.ringside.streams.join.fact.ProcessId;
import io.ringside.streams.join.fact.TopologyFacts;
import io.ringside.streams.join.job.JobState.Source;
import io.ringside.streams.parse.event.DeepSpeedEvent;
import io.ringside.streams.parse.event.LineEvent;
import io.ringside.streams.parse.event.MegatronEvent;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.NcclTestsEvent;
import io.ringside.streams.parse.event.OfiEvent;
import io.ringside.streams.parse.event.TorchEvent;
import io.ringside.streams.parse.event.TrainerEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// Puts what the nodes say into the state of the job.
public final class JobJoin {
  private static final int MAX_SHAPES = 200;
  private static final int MAX_WAITING = 256;
  private static final int MAX_TESTS = 32;

  private JobJoin() {}

  /// Takes in one record. Records of one node come in order, those of different nodes in any order.
  public static void apply(JobInput input, JobState state) {
    switch (input) {
      case LogFacts facts -> log(facts, state);
      case GpuFacts facts -> facts.readings().forEach(placed -> reading(placed, state));
      case NodeFacts facts -> {
        watch(facts.node(), state).report(facts, state.newestRead().orElse(null));
        if (facts.seconds() > 0) {
          newestRunOn(facts.node(), state).ifPresent(run -> run.traffic(facts));
        }
      }
      case TopologyFacts facts -> state.topologies.put(facts.node(), facts.topology());
    }
  }

  private static void log(LogFacts facts, JobState state) {
    var source = facts.source();
    state.cluster = source.cluster();
    state.namespace = source.namespace();
    state.job = source.job();
    state.sources.put(source.id(), new Source(facts.end(), facts.live(), facts.readAt()));
    state.lines += facts.lines();
    state.ncclLines += facts.ncclLines();
    if (facts.live()) {
      state.read(facts.readAt());
    }
    state.gaps += facts.gaps();
    if (facts.gaps() > 0) {
      watch(source.node(), state).chunk(facts, gap(facts));
      cut(source, state);
    }
    state.spliced += facts.spliced();
    facts
        .unknownShapes()
        .forEach(
            (shape, count) -> {
              if (state.unknownShapes.size() < MAX_SHAPES
                  || state.unknownShapes.containsKey(shape)) {
                state.unknownShapes.merge(shape, count, Integer::sum);
              }
            });
    for (var fact : facts.facts()) {
      fact(fact, source, state);
    }
    for (var calls : facts.arrivals()) {
      calls(calls, source, state);
    }
    for (var run : state.runs) {
      if (run.writesTo(source.id()) && !replaced(run, source, state)) {
        run.span(NO_TIME, facts.toNanos());
      }
    }
    if (facts.end() && state.ended()) {
      state.runs.forEach(Run::end);
    }
  }

  /// Whether a later run holds one of its GPUs in the same file: a restart, after which nothing more comes of
  /// this one.
  private static boolean replaced(Run run, LogSource source, JobState state) {
    var later = state.runs.subList(state.runs.indexOf(run) + 1, state.runs.size());
    return later.stream()
        .filter(other -> other.writesTo(source.id()))
        .anyMatch(other -> !Collections.disjoint(gpus(other, source), gpus(run, source)));
  }

  private static Set<String> gpus(Run run, LogSource source) {
    var gpus = new HashSet<String>();
    for (var process : run.processesOf(source.id())) {
      var busId = process.busId();
      if (busId != null) {
        gpus.add(busId);
      }
    }
    return gpus;
  }

  private static void reading(GpuFacts.Placed placed, JobState state) {
    for (var run : state.runs) {
      var process = run.process(placed.process());
      if (process.isPresent()) {
        // the process's own id: each reading brings a copy of it
        run.gpus().add(process.get().id(), placed.atNanos(), placed.reading());
        return;
      }
    }
  }

  private static NodeWatch watch(String node, JobState state) {
    return state.watches.computeIfAbsent(node, _ -> new NodeWatch());
  }

  /// Calls after lost lines are of no known round.
  private static void cut(LogSource source, JobState state) {
    for (var run : state.runs) {
      for (var comm : run.communicators()) {
        comm.processByRank()
            .forEach(
                (rank, id) -> {
                  var process = run.process(id);
                  if (process.isPresent() && process.get().source().id().equals(source.id())) {
                    comm.rounds().cut(rank);
                  }
                });
      }
    }
  }

  private static Evidence gap(LogFacts facts) {
    var source = facts.source();
    return new Evidence(
        facts.readAt(),
        source.node(),
        source.pod(),
        source.file(),
        -1,
        "%d bytes before the lines read then never came".formatted(facts.lostBytes()));
  }

  private static Optional<Run> newestRunOn(String node, JobState state) {
    return state.runs.reversed().stream().filter(run -> run.runsOn(node)).findFirst();
  }

  private static void fact(Fact fact, LogSource source, JobState state) {
    var line = evidence(source, fact.atNanos(), fact.offset(), fact.text());
    switch (fact.event()) {
      case NcclEvent event -> {
        var process = process(source, fact.pid(), state);
        process.began(fact.atNanos());
        process.note(event, fact.comm(), fact.repeat(), fact.atNanos(), line);
        if (event instanceof NcclEvent.CommInit init
            && fact.comm() != null
            && process.memberships().containsKey(fact.comm())) {
          place(process, fact.comm(), init, fact.atNanos(), state);
        }
        runOf(process.id(), state).ifPresent(run -> run.span(fact.atNanos(), fact.atNanos()));
      }
      case OfiEvent event -> {
        var process = process(source, fact.pid(), state);
        process.began(fact.atNanos());
        process.note(event, line);
      }
      case TorchEvent event -> torch(event, source, fact.atNanos(), line, state);
      case DeepSpeedEvent _, TrainerEvent _, MegatronEvent _ ->
          step(fact.event(), source, fact.atNanos(), line, state);
      case NcclTestsEvent event -> {
        if (state.tests.size() < MAX_TESTS || state.tests.containsKey(source.id())) {
          state.tests.computeIfAbsent(source.id(), _ -> new Tables()).note(event, line);
        }
      }
      default -> {}
    }
  }

  /// Frameworks' lines name no process: they belong to the source's newest run. Of those before the first
  /// communicator only the settings are of use.
  private static void step(
      LineEvent event, LogSource source, long atNanos, Evidence line, JobState state) {
    var run = newestRunOf(source, state);
    if (run.isPresent()) {
      run.get().steps().note(event, source.id(), atNanos, line);
    } else if (event instanceof TrainerEvent.Setting) {
      await(event, source, atNanos, line, state);
    }
  }

  private static void await(
      LineEvent event, LogSource source, long atNanos, Evidence line, JobState state) {
    var waiting = state.beforeRun.computeIfAbsent(source.id(), _ -> new ArrayList<>());
    if (waiting.size() < MAX_WAITING) {
      waiting.add(new JobState.Waiting(event, atNanos, line));
    }
  }

  /// PyTorch's lines name the global rank, not the process: they belong to the source's newest run, and
  /// those of a start that has no communicator yet wait for it.
  private static void torch(
      TorchEvent event, LogSource source, long atNanos, Evidence line, JobState state) {
    var run = newestRunOf(source, state);
    boolean ofNextStart =
        event instanceof TorchEvent.UniqueIdWait wait
            && run.map(r -> r.storeWaits().containsKey(wait.rank())).orElse(false);
    if (run.isPresent() && !ofNextStart) {
      run.get().note(event, line);
    } else {
      await(event, source, atNanos, line, state);
    }
  }

  private static void calls(Arrivals calls, LogSource source, JobState state) {
    var process = ProcessId.of(source, calls.pid());
    runOf(process, state)
        .flatMap(run -> run.communicator(calls.comm()))
        .ifPresent(
            comm ->
                comm.rounds()
                    .add(
                        calls,
                        source.id(),
                        proof ->
                            evidence(source, nanos(calls, proof), proof.offset(), proof.text())));
  }

  private static long nanos(Arrivals calls, Arrivals.Proof proof) {
    return calls.nanos()[(int) (proof.ordinal() - calls.firstOrdinal())];
  }

  /// A process that joins a communicator belongs to the run that has it, else begins a run. Two runs that a
  /// communicator spans are one: groups were set up before what joins them.
  private static void place(
      TrainingProcess process, String comm, NcclEvent.CommInit init, long atNanos, JobState state) {
    var own = runOf(process.id(), state);
    var sharing = state.runs.stream().filter(r -> r.has(comm)).findFirst();
    if (sharing.isEmpty() && !state.takeSeats(init.nranks())) {
      return;
    }
    if (own.isPresent() && sharing.isPresent() && own.get() != sharing.get()) {
      sharing.get().absorb(own.get());
      state.runs.remove(own.get());
      own = sharing;
    }
    var run =
        own.or(() -> sharing)
            .orElseGet(
                () -> {
                  var started = new Run();
                  state.runs.add(started);
                  return started;
                });
    state.unplaced.remove(process.id());
    var waiting = state.beforeRun.remove(process.source().id());
    if (waiting != null) {
      for (var each : waiting) {
        if (each.event() instanceof TorchEvent event) {
          run.note(event, each.line());
        } else {
          run.steps().note(each.event(), process.source().id(), each.atNanos(), each.line());
        }
      }
    }
    run.add(process);
    state.prune();
    run.join(comm, init.nranks(), init.rank(), process, atNanos);
  }

  private static TrainingProcess process(LogSource source, int pid, JobState state) {
    var id = ProcessId.of(source, pid);
    return runOf(id, state)
        .flatMap(run -> run.process(id))
        .orElseGet(
            () -> state.unplaced.computeIfAbsent(id, _ -> new TrainingProcess(id, source, pid)));
  }

  private static Optional<Run> runOf(String process, JobState state) {
    for (var run : state.runs) {
      if (run.process(process).isPresent()) {
        return Optional.of(run);
      }
    }
    return Optional.empty();
  }

  private static Optional<Run> newestRunOf(LogSource source, JobState state) {
    return state.runs.reversed().stream().filter(run -> run.writesTo(source.id())).findFirst();
  }

  private static Evidence evidence(LogSource source, long nanos, long offset, String text) {
    var time = nanos == NO_TIME ? null : Nanos.instant(nanos);
    return new Evidence(time, source.node(), source.pod(), source.file(), offset, text);
  }
}
