package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.fact.LogFacts;
import io.ringside.streams.fact.Writer;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.event.LineEvent;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.waits.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One log file while a chunk of it is applied: finds the process and the run that its lines are
/// about. Keeps what many lines ask for.
final class LogOfJob {
  private static final Writer NOBODY = new Writer("", -1, 0);
  private static final int MOST_DECLARED = 1024;

  private final JobState state;
  private final LogSource source;
  private final String id;
  private final List<Writer> writers;
  private final boolean live;
  private final Map<Integer, Place> places = new HashMap<>();
  private Optional<Run> newestRun;

  /// Whether a line states that all is done, and no later line states a step.
  private boolean finished;

  private long finishedNanos = NO_TIME;

  LogOfJob(LogFacts facts, JobState state) {
    this.state = state;
    source = facts.source();
    id = source.id();
    writers = facts.writers();
    live = facts.live();
    newestRun = findNewestRun();
  }

  /// A process of the file and its run. Valid until the next process joins a communicator.
  record Place(String id, Writer writer, Optional<Run> run) {}

  String id() {
    return id;
  }

  /// The clock of the host that a process of the file runs on; empty if many hosts may have the
  /// name in its lines.
  ///
  /// @param comm communicator of the calls whose times are meant
  Optional<Clock> hostClock(Place place, @Nullable String comm) {
    var host = place.writer().hostOf(source);
    if (host.isEmpty() || host.startsWith("localhost")) {
      return Optional.empty();
    }
    var process = place.run().flatMap(run -> run.process(place.id()));
    return Optional.of(
        new Clock(
            "host|" + source.node() + "|" + host,
            "host|" + source.node() + "|" + source.pod() + "|" + host,
            process.map(TrainingProcess::busId).orElse(""),
            process.map(it -> it.memberships().get(comm)).map(Membership::localRanks).orElse(-1)));
  }

  /// The run of the file's processes that came up last.
  Optional<Run> newestRun() {
    return newestRun;
  }

  /// Must be called after processes have changed their runs.
  void joined() {
    places.clear();
    newestRun = findNewestRun();
  }

  private Optional<Run> findNewestRun() {
    return state.index().writing(id).stream().findFirst();
  }

  /// The run that lines without a process are about: the file's newest run. For a file without
  /// communicators the job's newest run, or the one that collects statements while none is known.
  Run spokenOf() {
    return newestRun.orElse(state.runs.isEmpty() ? state.bare(id) : state.runs.getLast());
  }

  /// Records a line about a failure.
  void failed(FailureEvent event, long atNanos, Evidence line) {
    var run = spokenOf();
    if (event instanceof FailureEvent.LinkDown
        || event instanceof FailureEvent.DriverNotice driver && driver.ofAStart()
        || event instanceof FailureEvent.Said said && said.ofAGpu()) {
      run.failures().noteOfKernel(event, id, atNanos, line);
    } else {
      run.failures().note(event, id, atNanos, line);
    }
    if (run != state.bare(id)) {
      state.index().fails(run, id);
    }
  }

  /// Place of the process at this index of the chunk's writers.
  Place place(int index) {
    return places.computeIfAbsent(
        index,
        _ -> {
          var writer = index < 0 ? NOBODY : writers.get(index);
          var process = writer.process(source);
          return new Place(process, writer, state.runOf(process));
        });
  }

  /// Records variables that a shell or a launcher gives to the processes it starts.
  void declared(NcclEvent.Declared variables, Evidence line) {
    if (state.declared.size() < MOST_DECLARED || state.declared.containsKey(id)) {
      state.declared.computeIfAbsent(id, _ -> new DeclaredVariables()).note(variables, line);
    }
  }

  /// The process, which waits for its first communicator if it is new.
  TrainingProcess process(Place place) {
    return place
        .run()
        .flatMap(run -> run.process(place.id()))
        .orElseGet(() -> state.unplaced.computeIfAbsent(place.id(), _ -> begun(place)));
  }

  /// Whether a statement of a process of the file is kept. A recording's are, whatever they take:
  /// nobody else shares the memory.
  boolean keeps(LineEvent event) {
    return !live
        || event instanceof NcclEvent.CommInit // bounded by the number of communicators
        || state.keepsMoreOf(source.node());
  }

  /// Counts what the process has kept since it was last asked.
  void grew(TrainingProcess process) {
    if (live) {
      state.grow(source.node(), process.takeGrown());
    }
  }

  private TrainingProcess begun(Place place) {
    var process = new TrainingProcess(place.id(), source, place.writer());
    state.gathering.enter(process, state);
    var declared = state.declared.get(id);
    if (declared != null) {
      process.declared(declared.all());
    }
    var nobody = state.unplaced.get(NOBODY.process(source));
    if (nobody != null && !process.nobody()) {
      var line = nobody.proof(TrainingProcess.Statement.VERSION);
      if (line != null) {
        process.shareVersion(nobody.ncclVersion(), line);
      }
    }
    return process;
  }

  /// Records that the process's run goes on, or the start that the file belongs to if it has no run
  /// yet.
  void moved(Place place, long atNanos, boolean step) {
    var run = place.run().orElse(state.bare(id));
    run.span(atNanos, atNanos);
    run.progress(atNanos, step);
  }

  /// Records progress at this line: earlier failures did not end the program.
  ///
  /// @param who place of the process that makes progress, if the line names it
  /// @param rank the rank that makes progress, of those that share the file; -1 if unknown
  void progress(Optional<Place> who, long offset, int rank) {
    state.bare(id).failures().progress(id, offset, rank);
    goingOn(who).forEach(run -> run.failures().progress(id, offset, rank));
  }

  /// Records that a loop states that it is done, which it may also do while it ends after a
  /// failure.
  void finish(long offset) {
    state.bare(id).failures().finish(id, offset);
    goingOn(Optional.empty()).forEach(run -> run.failures().finish(id, offset));
  }

  /// Records that training completed.
  void outlive(long offset) {
    state.bare(id).failures().outlive(id, offset);
    goingOn(Optional.empty()).forEach(run -> run.failures().outlive(id, offset));
  }

  /// Runs that progress in this file may belong to. Not those that a launcher has replaced by other
  /// processes that write the same file.
  private Stream<Run> goingOn(Optional<Place> who) {
    var going = who.isPresent() ? who.flatMap(Place::run) : newestRun;
    var told = state.index().failing(id).stream().filter(run -> !run.writesTo(id));
    return Stream.concat(going.stream(), told).distinct();
  }

  /// Records a line that states that all is done.
  void done(long atNanos) {
    finished = true;
    finishedNanos = atNanos;
  }

  /// Records a line that states a step or a start.
  void goesOn() {
    finished = false;
  }

  /// Ends the chunk.
  void close() {
    if (finished) {
      spokenOf().finish(finishedNanos);
    }
  }

  Evidence evidence(long nanos, long offset, String text) {
    var time = nanos == NO_TIME ? null : Nanos.instant(nanos);
    return new Evidence(time, source.node(), source.pod(), source.file(), offset, text);
  }
}
