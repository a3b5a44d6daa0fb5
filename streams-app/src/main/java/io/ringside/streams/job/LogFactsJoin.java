package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.fact.Arrivals;
import io.ringside.streams.fact.Fact;
import io.ringside.streams.fact.LogFacts;
import io.ringside.streams.fact.TimeBasis;
import io.ringside.streams.fact.Unnamed;
import io.ringside.streams.fact.Writer;
import io.ringside.streams.job.JobState.Source;
import io.ringside.streams.job.bandwidth.Tables;
import io.ringside.streams.parse.event.DeepSpeedEvent;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.event.LineEvent;
import io.ringside.streams.parse.event.LineOrigin;
import io.ringside.streams.parse.event.LoopEvent;
import io.ringside.streams.parse.event.MegatronEvent;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.NcclTestsEvent;
import io.ringside.streams.parse.event.OfiEvent;
import io.ringside.streams.parse.event.TorchEvent;
import io.ringside.streams.parse.event.TrainerEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Puts what the lines of one chunk say into the state of the job. What lines of one file ask for over and over, whose
/// they are, is found once.
final class LogFactsJoin {
  private static final Writer NOBODY = new Writer("", -1, 0);
  private static final int MAX_SHAPES = 200;
  private static final int MAX_WAITING = 256;
  private static final int MAX_TESTS = 32;

  private final LogFacts facts;
  private final JobState state;
  private final LogSource source;
  private final String sourceId;
  private final Map<Integer, Place> places = new HashMap<>();
  private Optional<Run> newestRun;

  /// Where this chunk's lines about failures begin.
  private final List<Long> failures = new ArrayList<>();

  /// Whether a line says that all is done, and none after it tells of a step.
  private boolean finished;

  private long finishedNanos = NO_TIME;

  LogFactsJoin(LogFacts facts, JobState state) {
    this.facts = facts;
    this.state = state;
    source = facts.source();
    sourceId = source.id();
    newestRun = findNewestRun();
  }

  void apply() {
    state.cluster = source.cluster();
    state.namespace = source.namespace();
    state.job = source.job();
    state.sources.merge(
        sourceId,
        new Source(facts.end(), facts.live(), facts.readAt(), facts.toNanos()),
        (before, now) ->
            new Source(
                now.ended(),
                now.live(),
                now.readAt(),
                Math.max(before.lineNanos(), now.lineNanos())));
    state.lines += facts.lines();
    state.ncclLines += facts.ncclLines();
    if (facts.live()) {
      state.read(facts.readAt());
    }
    state.gaps += facts.gaps();
    if (facts.gaps() > 0) {
      JobJoin.watch(source.node(), state).chunk(facts, gap());
      cut();
    }
    state.spliced += facts.spliced();
    facts.unknownShapes().forEach(this::unknown);
    facts.facts().forEach(this::fact);
    facts.arrivals().forEach(this::calls);
    if (finished) {
      spokenOf().finish(finishedNanos);
    }
    span();
    if (facts.end() && state.ended()) {
      state.runs.forEach(Run::end);
    }
  }

  private void unknown(String shape, int count) {
    if (state.unknownShapes.size() < MAX_SHAPES || state.unknownShapes.containsKey(shape)) {
      state.unknownShapes.merge(shape, count, Integer::sum);
    }
  }

  /// Runs go on while their files have lines, but for those whose GPU a later run holds in the same file: a
  /// restart, after which nothing more comes of the one before.
  private void span() {
    if (state.runs.isEmpty() && state.bare.trained()) {
      state.bare.span(NO_TIME, facts.toNanos());
    }
    var taken = new HashSet<String>();
    for (var run : state.runs.reversed()) {
      if (!run.writesTo(sourceId)) {
        continue;
      }
      var gpus = gpus(run);
      if (gpus.stream().noneMatch(taken::contains)) {
        run.span(NO_TIME, facts.toNanos());
        run.reach(facts.toNanos());
      }
      taken.addAll(gpus);
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

  /// Calls after lost lines are of no known round.
  private void cut() {
    for (var run : state.runs) {
      for (var comm : run.communicators()) {
        comm.processByRank()
            .forEach(
                (rank, id) -> {
                  var process = run.process(id);
                  if (process.isPresent() && process.get().source().id().equals(sourceId)) {
                    comm.called().cut(rank);
                  }
                });
      }
    }
  }

  private Evidence gap() {
    return new Evidence(
        facts.readAt(),
        source.node(),
        source.pod(),
        source.file(),
        -1,
        "%d bytes before the lines read then never came".formatted(facts.lostBytes()));
  }

  private void fact(Fact fact) {
    if (finishes(fact.event())) {
      finished = true;
      finishedNanos = fact.atNanos();
      if (fact.event() instanceof TrainerEvent.Completed) {
        state.bare.failures().outlive(sourceId, fact.offset());
        state.runs.forEach(run -> run.failures().outlive(sourceId, fact.offset()));
      }
      return;
    }
    var line = evidence(fact.atNanos(), fact.offset(), fact.text());
    switch (fact.event()) {
      case NcclEvent event -> nccl(event, fact, line);
      case OfiEvent event -> {
        var process = process(place(fact.writer()));
        process.began(fact.atNanos());
        process.note(event, line);
      }
      case TorchEvent event -> torch(event, fact.atNanos(), line);
      case FailureEvent event -> {
        failures.add(fact.offset());
        if (event instanceof FailureEvent.WentOn(long offset)) {
          state.bare.failures().survive(sourceId, offset);
          state.runs.forEach(run -> run.failures().survive(sourceId, offset));
          return;
        }
        spokenOf().failures().note(event, sourceId, fact.atNanos(), line);
      }
      case DeepSpeedEvent _, TrainerEvent _, MegatronEvent _, LoopEvent _ ->
          step(fact.event(), fact.atNanos(), line);
      case NcclTestsEvent event -> {
        if (state.tests.size() < MAX_TESTS || state.tests.containsKey(sourceId)) {
          state.tests.computeIfAbsent(sourceId, _ -> new Tables()).note(event, line);
        }
      }
      case LineOrigin _ -> {}
    }
  }

  /// torchrun's, the Trainer's and DeepSpeed's last words of a run that is done.
  private static boolean finishes(LineEvent event) {
    return event instanceof TorchEvent.ElasticPhase phase && phase.phase().equals("finished")
        || event instanceof TrainerEvent.Completed
        || event instanceof DeepSpeedEvent.LaunchedExit;
  }

  private void nccl(NcclEvent event, Fact fact, Evidence line) {
    if (event instanceof NcclEvent.CommInit init && contradicts(init, fact.comm())) {
      state.spliced++;
      return;
    }
    var unnamed = Unnamed.of(fact.comm());
    if (unnamed.isPresent()) {
      unnamed(event, unnamed.get(), fact, line);
      return;
    }
    if (event instanceof NcclEvent.Version version && fact.writer() == Writer.NONE) {
      version(version, line);
    }
    if (event instanceof NcclEvent.CommInit init
        && fact.comm() != null
        && !state.admits(fact.comm(), init.nranks(), sourceId)) {
      return;
    }
    var process = process(place(fact.writer()));
    process.began(fact.atNanos());
    process.note(event, fact.comm(), fact.repeat(), fact.atNanos(), line);
    if (event instanceof NcclEvent.CommInit init && init.phase() == NcclEvent.Phase.COMPLETE) {
      progress(fact.offset(), -1);
    }
    if (event instanceof NcclEvent.CommInit init
        && fact.comm() != null
        && process.memberships().containsKey(fact.comm())) {
      Runs.join(process, fact.comm(), init, fact.atNanos(), state);
      places.clear();
      newestRun = findNewestRun();
    }
    var run = place(fact.writer()).run();
    if (event instanceof NcclEvent.Collective && fact.comm() == null) {
      if (run.isEmpty()) {
        process.joinedLate();
        state.bare.span(fact.atNanos(), fact.atNanos());
        state.bare.progress(fact.atNanos(), true);
      } else {
        run.get().unsure();
      }
    }
    run.ifPresent(of -> of.span(fact.atNanos(), fact.atNanos()));
    if (event instanceof NcclEvent.CommInit init && init.phase() == NcclEvent.Phase.COMPLETE) {
      finished = false;
      run.ifPresent(of -> of.progress(fact.atNanos(), false));
    }
  }

  /// Says it of the communicator that it turns out to be about, else of the process alone.
  private void unnamed(NcclEvent event, Unnamed told, Fact fact, Evidence line) {
    var process = process(place(fact.writer()));
    boolean up =
        event instanceof NcclEvent.CommInit init && init.phase() == NcclEvent.Phase.COMPLETE;
    if (event instanceof NcclEvent.CommInit init && up) {
      var given = state.unnamedStarts.enter(process, told, init, fact.atNanos(), state);
      if (!given.isEmpty()) {
        given.forEach(state::disband);
        places.clear();
        newestRun = findNewestRun();
      }
    }
    var name = state.unnamedStarts.name(process.id(), told);
    if (name != null) {
      nccl(event, fact.about(fact.writer(), name), line);
      if (up) {
        state.communicator(name).ifPresent(comm -> comm.joinUnnamed(process.hostId()));
        place(fact.writer()).run().filter(_ -> process.calledUnseen()).ifPresent(Run::unsure);
      }
      return;
    }
    process.began(fact.atNanos());
    if (event instanceof NcclEvent.Collective) {
      process.calledUnnamed();
    } else {
      process.note(event, null, fact.repeat(), fact.atNanos(), line);
    }
    if (up) {
      progress(fact.offset(), -1);
      moved(place(fact.writer()), fact.atNanos(), false);
      finished = false;
    }
  }

  /// The process's run goes on, or what is told while there is none.
  private void moved(Place place, long atNanos, boolean step) {
    var run = place.run().orElse(state.bare);
    run.span(atNanos, atNanos);
    run.progress(atNanos, step);
  }

  /// Rank 0's word for all processes of its file that say nothing themselves, those of a start that is yet to come up
  /// among them.
  private void version(NcclEvent.Version version, Evidence line) {
    for (var process : state.unplaced.values()) {
      if (process.source().id().equals(sourceId) && !process.nobody()) {
        process.shareVersion(version.nccl(), line);
      }
    }
    newestRun.stream()
        .flatMap(run -> run.processesOf(sourceId).stream())
        .filter(process -> process.ncclVersion().isEmpty())
        .forEach(process -> process.shareVersion(version.nccl(), line));
  }

  /// Whether the line names a rank that its communicator does not have, by this line or by what others said before: nothing
  /// of it is believed.
  private boolean contradicts(NcclEvent.CommInit init, @Nullable String comm) {
    return init.rank() < 0
        || init.rank() >= init.nranks()
        || comm != null
            && state.communicator(comm).filter(c -> c.nranks() != init.nranks()).isPresent();
  }

  /// Frameworks' lines name no process: they belong to the source's newest run. Of those before the first
  /// communicator only the settings are of use.
  private void step(LineEvent event, long atNanos, Evidence line) {
    if (newestRun.isEmpty() && event instanceof TrainerEvent.Setting) {
      await(event, atNanos, line);
    }
    var run = spokenOf();
    long before = run.steps().observations();
    run.steps().note(event, sourceId, atNanos, line);
    run.span(atNanos, atNanos);
    if (run.steps().observations() > before) {
      finished = false;
      progress(line.offset(), -1);
      run.progress(atNanos, true);
    }
  }

  /// The run that lines without a process speak of: the file's newest; of a file without communicators the job's
  /// newest, or what is told while none is known.
  private Run spokenOf() {
    return newestRun.orElse(state.runs.isEmpty() ? state.bare : state.runs.getLast());
  }

  private void progress(long offset, int rank) {
    state.bare.failures().progress(sourceId, offset, rank);
    state.runs.forEach(run -> run.failures().progress(sourceId, offset, rank));
  }

  private void await(LineEvent event, long atNanos, Evidence line) {
    var waiting = state.beforeRun.computeIfAbsent(sourceId, _ -> new ArrayList<>());
    if (waiting.size() < MAX_WAITING) {
      waiting.add(new JobState.Waiting(event, atNanos, line));
    }
  }

  /// PyTorch's lines name the global rank, not the process: they belong to the source's newest run, and
  /// those of a start that has no communicator yet wait for it.
  private void torch(TorchEvent event, long atNanos, Evidence line) {
    boolean ofNextStart =
        event instanceof TorchEvent.UniqueIdWait wait
            && newestRun.map(r -> r.storeWaits().containsKey(wait.rank())).orElse(false);
    if (newestRun.isEmpty() && event instanceof TorchEvent.UniqueIdWait || ofNextStart) {
      await(event, atNanos, line);
    } else {
      spokenOf().note(event, line);
      spokenOf().span(atNanos, atNanos);
    }
  }

  private void calls(Arrivals calls) {
    var place = place(calls.writer());
    int rank = place.run().flatMap(run -> run.process(place.id()).map(run::rank)).orElse(-1);
    progress(
        calls.failuresBefore() < failures.size()
            ? failures.get(calls.failuresBefore())
            : Long.MAX_VALUE,
        rank);
    long last = LongStream.of(calls.nanos()).reduce(NO_TIME, Math::max);
    place.run().ifPresent(run -> run.progress(last, true));
    place.run().flatMap(run -> run.process(place.id())).ifPresent(process -> process.called(last));
    communicator(place, calls)
        .ifPresent(
            comm ->
                comm.called()
                    .add(
                        calls,
                        clock(calls, place.writer()),
                        proof -> evidence(nanos(calls, proof), proof.offset(), proof.text())));
  }

  /// Which clock stamped the calls: the agent's that read the file, or that of the host, of which a file that was gathered
  /// has several.
  private String clock(Arrivals calls, Writer writer) {
    return calls.basis() == TimeBasis.READ ? sourceId : sourceId + "|" + writer.host();
  }

  private Optional<Communicator> communicator(Place place, Arrivals calls) {
    var unnamed = Unnamed.of(calls.comm());
    if (unnamed.isEmpty()) {
      return place.run().flatMap(run -> run.communicator(calls.comm()));
    }
    var name = state.unnamedStarts.name(place.id(), unnamed.get());
    var known = name == null ? Optional.<Communicator>empty() : state.communicator(name);
    if (known.isEmpty()) {
      process(place).calledUnnamed();
      if (place.run().isEmpty()) {
        long last = LongStream.of(calls.nanos()).reduce(NO_TIME, Math::max);
        moved(place, last, true);
      }
    }
    return known;
  }

  private static long nanos(Arrivals calls, Arrivals.Proof proof) {
    return calls.nanos()[(int) (proof.ordinal() - calls.firstOrdinal())];
  }

  private Place place(int index) {
    return places.computeIfAbsent(
        index,
        _ -> {
          var writer = index < 0 ? NOBODY : facts.writers().get(index);
          var id = writer.process(source);
          return new Place(id, writer, state.runOf(id));
        });
  }

  /// The process, which waits for its first communicator if it is new.
  private TrainingProcess process(Place place) {
    return place
        .run()
        .flatMap(run -> run.process(place.id()))
        .orElseGet(() -> state.unplaced.computeIfAbsent(place.id(), _ -> begun(place)));
  }

  private TrainingProcess begun(Place place) {
    var process = new TrainingProcess(place.id(), source, place.writer());
    if (!place.writer().host().isEmpty()) {
      gather(process);
    }
    var nobody = state.unplaced.get(NOBODY.process(source));
    if (nobody != null && !process.nobody()) {
      var line = nobody.proof("version");
      if (line != null) {
        process.shareVersion(nobody.ncclVersion(), line);
      }
    }
    return process;
  }

  /// A file with lines of two hosts was written by a launcher for all of them.
  private void gather(TrainingProcess process) {
    Stream.concat(
            state.unplaced.values().stream(),
            state.runs.stream().flatMap(run -> run.processes().stream()))
        .filter(other -> other.source().id().equals(sourceId) && !other.nobody())
        .filter(other -> !other.host().isEmpty() && !other.host().equals(process.host()))
        .forEach(
            other -> {
              other.gathered();
              process.gathered();
            });
  }

  private Optional<Run> findNewestRun() {
    return state.runs.reversed().stream().filter(run -> run.writesTo(sourceId)).findFirst();
  }

  private Evidence evidence(long nanos, long offset, String text) {
    var time = nanos == NO_TIME ? null : Nanos.instant(nanos);
    return new Evidence(time, source.node(), source.pod(), source.file(), offset, text);
  }

  /// Where a process of the file stands, until the next one joins a communicator.
  private record Place(String id, Writer writer, Optional<Run> run) {}
}
