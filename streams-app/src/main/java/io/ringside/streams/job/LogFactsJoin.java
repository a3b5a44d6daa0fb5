package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.LogSource;
import io.ringside.streams.fact.Fact;
import io.ringside.streams.fact.LogFacts;
import io.ringside.streams.fact.WitnessFacts;
import io.ringside.streams.job.JobState.Source;
import io.ringside.streams.job.bandwidth.Tables;
import io.ringside.streams.job.hardware.SavedNvlinks;
import io.ringside.streams.job.hardware.SavedPorts;
import io.ringside.streams.parse.event.DeepSpeedEvent;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.event.LineEvent;
import io.ringside.streams.parse.event.LineOrigin;
import io.ringside.streams.parse.event.LoopEvent;
import io.ringside.streams.parse.event.MegatronEvent;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.NcclTestsEvent;
import io.ringside.streams.parse.event.NvlinkEvent;
import io.ringside.streams.parse.event.OfiEvent;
import io.ringside.streams.parse.event.PodTeam;
import io.ringside.streams.parse.event.RdmaEvent;
import io.ringside.streams.parse.event.TorchEvent;
import io.ringside.streams.parse.event.TrainerEvent;
import io.ringside.streams.parse.trainer.TrainerNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Applies the facts of one chunk of a log to the state of the job.
final class LogFactsJoin {
  private static final int MAX_SHAPES = 200;
  private static final int MAX_WAITING = 256;
  private static final int MAX_TESTS = 32;

  private final LogFacts facts;
  private final JobState state;
  private final LogSource source;
  private final String sourceId;
  private final LogOfJob log;
  private final NcclFactsJoin nccl;

  /// Offsets of this chunk's lines about failures.
  private final List<Long> failures = new ArrayList<>();

  LogFactsJoin(LogFacts facts, JobState state) {
    this.facts = facts;
    this.state = state;
    source = facts.source();
    sourceId = source.id();
    log = new LogOfJob(facts, state);
    nccl = new NcclFactsJoin(log, state);
  }

  void apply() {
    state.cluster = source.cluster();
    state.namespace = source.namespace();
    state.job = source.job();
    boolean wasOver = state.ended();
    if (facts.live() && !state.sources.containsKey(sourceId)) {
      state.attempts.enter(sourceId);
    }
    if (state.runs.isEmpty()) {
      state.attempts.began(sourceId, beginning(), state.firstBare());
    }
    state.sources.merge(
        sourceId,
        new Source(facts.end(), facts.live(), facts.readAt(), facts.toNanos(), NO_TIME),
        (before, now) ->
            new Source(
                now.ended(),
                now.live(),
                now.readAt(),
                Math.max(before.lineNanos(), now.lineNanos()),
                before.novelNanos()));
    state.lines += facts.lines();
    state.ncclLines += facts.ncclLines();
    if (facts.live()) {
      state.read(facts.readAt());
    }
    if (facts.gaps() > 0) {
      JobJoin.watch(source.node(), state).chunk(facts, gap());
      cut();
    }
    state.spliced += facts.spliced();
    facts.unknownShapes().forEach(this::unknown);
    facts.facts().forEach(this::fact);
    var said = facts.said();
    if (said != null) {
      state.witnesses.add(new WitnessFacts(facts.source(), List.of(said), NO_TIME));
    }
    var calls = new ArrivalsJoin(log, state);
    facts.arrivals().forEach(arrivals -> calls.note(arrivals, failures));
    log.close();
    span();
    letGo();
    boolean isOver = facts.end() && state.ended();
    if (isOver || wasOver) {
      state.runs.forEach(run -> run.over(isOver));
    }
  }

  /// Time of the first fact that has one, else the chunk's newest time.
  private long beginning() {
    return facts.facts().stream()
        .mapToLong(Fact::atNanos)
        .filter(nanos -> nanos != NO_TIME)
        .findFirst()
        .orElse(facts.toNanos());
  }

  private void unknown(String shape, int count) {
    if (state.unknownShapes.size() < MAX_SHAPES || state.unknownShapes.containsKey(shape)) {
      state.unknownShapes.merge(shape, count, Integer::sum);
    }
  }

  /// Extends the runs that write this file, except those whose GPU a later run holds in the same
  /// file: after such a restart nothing more comes from the earlier run.
  private void span() {
    var bare = state.bare(sourceId);
    if (state.runs.isEmpty() && bare.trained()) {
      bare.span(NO_TIME, facts.toNanos());
    }
    var taken = new HashSet<String>();
    for (var run : state.index().writing(sourceId)) {
      var gpus = gpus(run);
      if (gpus.stream().noneMatch(taken::contains)) {
        run.span(NO_TIME, facts.toNanos());
        run.reach(facts.toNanos());
      }
      taken.addAll(gpus);
    }
  }

  /// Forgets samples after the end of a source that an agent followed to its end. They may have
  /// been read before the source's last lines.
  private void letGo() {
    long until = facts.heldUntilNanos();
    if (!facts.end() || !facts.live() || until == NO_TIME) {
      return;
    }
    for (var run : state.index().writing(sourceId)) {
      run.processesOf(sourceId).forEach(process -> run.gpus().forget(process.id(), until));
    }
  }

  private Set<String> gpus(Run run) {
    var gpus = new HashSet<String>();
    for (var process : run.processesOf(sourceId)) {
      var busId = process.busId();
      if (busId != null) {
        gpus.add(busId);
      }
    }
    return gpus;
  }

  /// Records that lines were lost: the rounds of later calls are unknown.
  private void cut() {
    for (var run : state.runs) {
      for (var comm : run.communicators()) {
        run.members(comm)
            .forEach(
                (rank, process) -> {
                  if (process.source().id().equals(sourceId)) {
                    comm.called().cut(rank);
                    process.cut(comm.id());
                  }
                });
      }
    }
  }

  private Evidence gap() {
    return Evidence.ofSensor(
        facts.readAt(),
        source,
        source.file(),
        "%d bytes before the lines read then never came".formatted(facts.lostBytes()));
  }

  private void fact(Fact fact) {
    if (fact.event() instanceof LoopEvent.TestsPassed) {
      log.outlive(fact.offset());
      log.spokenOf().recover();
      return;
    }
    if (fact.event() instanceof LoopEvent.NewKind) {
      long at = fact.atNanos() == NO_TIME ? Long.MAX_VALUE : fact.atNanos();
      state.sources.computeIfPresent(sourceId, (_, of) -> of.withNewKind(at));
      return;
    }
    if (fact.event() instanceof LoopEvent.Work) {
      state.works();
      return;
    }
    if (finishes(fact.event())) {
      log.done(fact.atNanos());
      if (fact.event() instanceof TrainerEvent.Completed) {
        log.outlive(fact.offset());
      }
      return;
    }
    if (fact.event() instanceof LoopEvent.Finished) {
      log.finish(fact.offset());
    }
    if (fact.event() instanceof TrainerEvent.Metrics metrics && TrainerNames.returned(metrics)) {
      log.outlive(fact.offset()); // earlier attempts, in the same file
      log.finish(fact.offset());
    }
    var line = log.evidence(fact.atNanos(), fact.offset(), fact.text());
    switch (fact.event()) {
      case NcclEvent event -> {
        if (log.keeps(event)) {
          nccl.note(event, fact, line);
        }
      }
      case OfiEvent event -> {
        if (log.keeps(event)) {
          var process = log.process(log.place(fact.writer()));
          process.began(fact.atNanos());
          process.note(event, line);
          log.grew(process);
        }
      }
      case TorchEvent event -> {
        if (event instanceof TorchEvent.GroupOptions options) {
          state.tensors.note(options, line);
        }
        torch(event, fact.atNanos(), line);
      }
      case MegatronEvent.TensorParallel event -> state.tensors.note(event, line);
      case MegatronEvent.TensorGroups event -> state.tensors.note(event, line);
      case FailureEvent event -> {
        failures.add(fact.offset());
        if (event instanceof FailureEvent.WentOn(long offset)) {
          state.bare(sourceId).failures().survive(sourceId, offset);
          state.runs.forEach(run -> run.failures().survive(sourceId, offset));
          return;
        }
        log.failed(event, fact.atNanos(), line);
        if (event instanceof FailureEvent.Exited exited && exited.ofAWorker()) {
          state.attempts.failed(sourceId);
        } else if (event instanceof FailureEvent.Said said
            && said.ofALoss()
            && state.bare(sourceId).trained()) {
          state.attempts.lost(sourceId);
        }
      }
      case DeepSpeedEvent _, TrainerEvent _, MegatronEvent _, LoopEvent _ ->
          step(fact.event(), fact.atNanos(), line);
      case NcclTestsEvent event -> {
        if (state.tests.size() < MAX_TESTS || state.tests.containsKey(sourceId)) {
          state.tests.computeIfAbsent(sourceId, _ -> new Tables()).note(event, line);
        }
      }
      case NvlinkEvent event -> {
        if (state.nvlinks.size() < MAX_TESTS || state.nvlinks.containsKey(sourceId)) {
          state.nvlinks.computeIfAbsent(sourceId, _ -> new SavedNvlinks()).note(event, line);
        }
      }
      case RdmaEvent event -> {
        if (state.ports.size() < MAX_TESTS || state.ports.containsKey(sourceId)) {
          state.ports.computeIfAbsent(sourceId, _ -> new SavedPorts()).note(event, line);
        }
      }
      case PodTeam(String team) -> state.team = team;
      case LineOrigin _ -> {}
    }
  }

  /// Whether torchrun, the Trainer or DeepSpeed states by this line that a run is done.
  private static boolean finishes(LineEvent event) {
    return event instanceof TorchEvent.ElasticPhase phase && phase.phase().equals("finished")
        || event instanceof TrainerEvent.Completed
        || event instanceof DeepSpeedEvent.LaunchedExit;
  }

  /// Takes a line of a framework. Such lines name no process, so they belong to the source's newest
  /// run. Of those before the first communicator only the settings are of use.
  private void step(LineEvent event, long atNanos, Evidence line) {
    if (log.newestRun().isEmpty() && event instanceof TrainerEvent.Setting) {
      await(event, atNanos, line);
    }
    if (state.runs.isEmpty() && state.attempts.mayBegin(sourceId)) {
      state.attempts.begin(sourceId);
    }
    if (state.runs.isEmpty()) {
      state.attempts.writes(source, state.firstBare());
    }
    var run = log.spokenOf();
    long before = run.steps().observations();
    run.steps().note(event, sourceId, atNanos, line);
    span(run, atNanos);
    if (run.steps().observations() > before) {
      state.attempts.stepped(sourceId);
      log.goesOn();
      log.progress(Optional.empty(), line.offset(), -1);
      run.progress(atNanos, true);
    }
  }

  private void await(LineEvent event, long atNanos, Evidence line) {
    var waiting = state.beforeRun.computeIfAbsent(sourceId, _ -> new ArrayList<>());
    if (waiting.size() < MAX_WAITING) {
      waiting.add(new JobState.Waiting(event, atNanos, line));
    }
  }

  /// Takes a line of PyTorch. Such lines name the global rank, not the process, so they belong to
  /// the source's newest run. Lines of a start that has no communicator yet wait for it.
  private void torch(TorchEvent event, long atNanos, Evidence line) {
    if (event instanceof TorchEvent.ElasticRestart) {
      state.attempts.failed(sourceId);
      return;
    }
    if (event instanceof TorchEvent.ElasticPhase) {
      state.attempts.starting(sourceId);
      return;
    }
    boolean ofNextStart =
        event instanceof TorchEvent.UniqueIdWait wait
            && log.newestRun().map(r -> r.storeWaits().containsKey(wait.rank())).orElse(false);
    // a process group that is yet to come says nothing of the job's earlier runs
    boolean aheadOfItsRun =
        event instanceof TorchEvent.GroupOptions
            && log.newestRun().isEmpty()
            && !state.runs.isEmpty();
    if (log.newestRun().isEmpty() && event instanceof TorchEvent.UniqueIdWait || ofNextStart) {
      await(event, atNanos, line);
    } else if (!aheadOfItsRun) {
      TorchFacts.note(event, line, log.spokenOf());
      span(log.spokenOf(), atNanos);
    }
  }

  /// Extends the run. In a file without communicators a line may be read before the run's own lines
  /// or after them, so it does not show when the run began.
  private void span(Run run, long atNanos) {
    boolean own = run == state.bare(sourceId) || log.newestRun().isPresent();
    run.span(own ? atNanos : NO_TIME, atNanos);
  }
}
