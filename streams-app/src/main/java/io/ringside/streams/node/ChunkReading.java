package io.ringside.streams.node;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Text;
import io.ringside.streams.fact.Arrivals;
import io.ringside.streams.fact.Fact;
import io.ringside.streams.fact.LogFacts;
import io.ringside.streams.fact.TimeBasis;
import io.ringside.streams.fact.Writer;
import io.ringside.streams.node.SourceState.Membership;
import io.ringside.streams.node.SourceState.ProcessState;
import io.ringside.streams.parse.LineParser;
import io.ringside.streams.parse.Shapes;
import io.ringside.streams.parse.event.DeepSpeedEvent;
import io.ringside.streams.parse.event.EventSink;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.event.LineEvent;
import io.ringside.streams.parse.event.LineOrigin;
import io.ringside.streams.parse.event.LoopEvent;
import io.ringside.streams.parse.event.MegatronEvent;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.NcclHead;
import io.ringside.streams.parse.event.NcclTestsEvent;
import io.ringside.streams.parse.event.NvlinkEvent;
import io.ringside.streams.parse.event.OfiEvent;
import io.ringside.streams.parse.event.Outcome;
import io.ringside.streams.parse.event.PodTeam;
import io.ringside.streams.parse.event.RdmaEvent;
import io.ringside.streams.parse.event.TorchEvent;
import io.ringside.streams.parse.event.TrainerEvent;
import io.ringside.streams.parse.event.Transport;
import io.ringside.streams.parse.failure.UnusualException;
import io.ringside.streams.parse.ras.RasAnswer;
import io.ringside.streams.parse.ras.RasReader;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.DateTime;
import io.ringside.streams.witness.Witness;
import io.ringside.streams.witness.ras.Digest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Turns one chunk into facts: collects the statements of its lines, finds the communicator of
/// lines that only name a pointer or a thread, and merges repeated lines.
final class ChunkReading {
  /// A call this long after the process's last one on the communicator keeps its line as proof.
  private static final long PAUSE_NANOS = 5_000_000;

  private static final int MAX_SHAPES = 32;

  /// Stands for the calls of a process that ran before its log was read: only the first one becomes
  /// a fact.
  private static final Text STRANGER = Text.of("calls on a communicator whose init was not seen");

  /// NCCL prints from a buffer of 1,024 bytes (src/debug.cc). With its timestamp and a wrapper's
  /// prefix, an NCCL line is shorter than this; a longer line is not from NCCL.
  private static final int LONGEST_STATEMENT = 2_048;

  private final LogChunk chunk;
  private final SourceState state;
  private final ChunkTimes times;
  private final ChunkCalls calls;
  private final Map<Writer, Integer> writers = new LinkedHashMap<>();
  private final List<Fact> facts = new ArrayList<>();
  private final Map<EdgeKey, Integer> edges = new HashMap<>();
  private final Map<PostedKey, Fact> posted = new LinkedHashMap<>();
  private final Map<ThreadKey, List<Fact>> beforeInit = new HashMap<>();
  private final Map<String, Integer> unknownShapes = new HashMap<>();
  private final Map<Long, Long> bars = new HashMap<>();
  private final EventSink sink = this::event;

  /// Index of the current line in the chunk. `start` and `end` bound the part of it that is read.
  private int line;

  private int start;
  private int end;

  /// When the current line was written, NO_TIME if unknown.
  private long time = NO_TIME;

  /// What wrappers state about the current line.
  private LineOrigin origin = LineOrigin.NONE;

  /// Where the line begins behind its wrappers, if these name a rank, a task or a time.
  private int unwrapped;

  private @Nullable NcclHead recentHead;
  private @Nullable ProcessState recentProcess;
  private final List<RasAnswer> answers = new ArrayList<>();
  private final int damagedBefore;
  private boolean mayBeginRas;
  private int ncclLines;

  /// Whether the current line is NCCL's.
  private boolean ofNccl;

  /// When the newest line of a new kind was written.
  private long novelNanos = NO_TIME;

  private int spliced;
  private int failures;

  private ChunkReading(LogChunk chunk, SourceState state, int callsPerSecond) {
    this.chunk = chunk;
    this.state = state;
    this.times = new ChunkTimes(chunk, state.times);
    this.calls = new ChunkCalls(callsPerSecond);
    this.damagedBefore = state.ras.damaged();
  }

  /// The facts of the chunk, or nothing if it is a repeat. Lines that were read before are skipped,
  /// and missing bytes are counted. What must be remembered is in `state`.
  static Optional<LogFacts> read(LogChunk chunk, SourceState state, int callsPerSecond) {
    if (state.repeats(chunk)) {
      return Optional.empty();
    }
    long known = state.knownEnd;
    long lost = state.advance(chunk);
    var reading = new ChunkReading(chunk, state, callsPerSecond);
    reading.lines(known);
    return Optional.of(reading.facts(lost));
  }

  /// Reads the lines that begin at or after this offset of the file.
  private void lines(long from) {
    var parser = new LineParser(chunk.text());
    int at = 0;
    for (int next = 0; next < chunk.lines(); next++) {
      int to = parser.lineEnd(at);
      if (chunk.offset(next) >= from) {
        line(parser.parse(at, to, at(next)), at, to);
      }
      at = to + 1;
    }
  }

  /// Makes this line the current one and returns the sink for its events.
  private EventSink at(int next) {
    origin = LineOrigin.NONE;
    unwrapped = 0;
    ofNccl = false;
    line = next;
    return sink;
  }

  /// Handles the line after its events have arrived: counts it and reads what needs no event.
  private void line(Outcome outcome, int from, int to) {
    start = from;
    end = to;
    switch (outcome) {
      case UNKNOWN_NCCL -> {
        ncclLines++;
        if (unknownShapes.size() < MAX_SHAPES) {
          var shape = state.ncclVersion + " " + Shapes.of(chunk.text(), start, end);
          unknownShapes.merge(shape, 1, Integer::sum);
        }
      }
      case IGNORED -> ncclLines++;
      case EVENTS, IGNORED_OTHER, FOREIGN -> {
        if (state.ras.open()
            || mayBeginRas
            || outcome == Outcome.IGNORED_OTHER && RasReader.mayBegin(chunk.text(), start, end)) {
          long stamp = times.ofRuntime(line);
          state.ras.line(
              chunk.text().substring(start, end), stamp == NO_TIME ? time : stamp, answers);
          mayBeginRas = false;
        }
      }
    }
    time = times.ofRuntime(line);
    times.reached(line, time);
    boolean untold = outcome == Outcome.FOREIGN || outcome == Outcome.IGNORED_OTHER;
    if (!chunk.live() && (untold || outcome == Outcome.EVENTS && !ofNccl)) {
      kind();
    }
    if (untold && !times.stampedByRuntime()) {
      afterBar();
      times.stampOfItsOwn(line, start, end);
    }
    if (untold) {
      state
          .metrics
          .line(chunk.text(), start, end)
          .ifPresent(row -> facts.add(fact(Writer.NONE, null, row)));
    }
    if (state.pasted.isOpen() || untold && PastedListing.mayBegin(chunk.text(), start, end)) {
      facts.addAll(
          state.pasted.line(
              chunk.text(), start, end, fact(Writer.NONE, null, new FailureEvent.Chained(-1))));
    }
    state.failures.lastError(chunk.text(), start, end, !untold).ifPresent(this::failed);
    if (untold && state.row.isOpen()) {
      state
          .row
          .with(chunk.text(), start, end)
          .ifPresent(row -> facts.add(fact(Writer.NONE, null, row)));
    }
    if (untold && asksForWork() && state.work.settles(chunk.text(), start, end)) {
      facts.add(fact(Writer.NONE, null, new LoopEvent.Work()));
    }
    if (untold && !isCode()) {
      state.failures.standsIn(null);
    }
    if (untold && state.failures.mayRaise()) {
      UnusualException.of(chunk.text(), start, end)
          .filter(raised -> state.failures.awaits(raised.rank()))
          .flatMap(state.failures::read)
          .ifPresent(this::failed);
    }
    if (untold && state.failures.isOpen() && isAnswer()) {
      state.failures.answered().forEach(this::failed);
    } else if (untold && state.failures.isOpen() && ordinary()) {
      state.failures.ordinary(loggedNanos()).ifPresent(this::failed);
    }
  }

  /// Notes a line of a new kind. One without a time was written before the next that has one.
  private void kind() {
    boolean isNew = state.kinds.isNew(chunk.text(), Math.max(start, unwrapped), end);
    if (isNew || state.novelUntimed) {
      long at = loggedNanos();
      state.novelUntimed = at == NO_TIME;
      novelNanos = Math.max(novelNanos, at);
    }
  }

  /// Handles, in a saved log, the first line with a logger's timestamp after a bar without one: the
  /// bar was drawn before that time. If no other lines give the time, such lines do from then on.
  private void afterBar() {
    if (chunk.live() || !state.barUntimed && !state.behindBar) {
      return;
    }
    if (times.isLogged(start, end)) {
      if (!times.believes()) {
        times.stampOfStep(line, start, end);
      }
      if (state.barUntimed) {
        facts.add(fact(Writer.NONE, null, new LoopEvent.AfterBar()));
        state.barUntimed = false;
        state.behindBar = true;
      }
    }
  }

  /// When the current line was written, by the runtime's timestamp or by its logger's,
  /// `2026-10-08 18:13:17,701 INFO alive`, also in brackets.
  private long loggedNanos() {
    int at = start < end && chunk.text().charAt(start) == '[' ? start + 1 : start;
    return time != NO_TIME || !DateTime.isAt(chunk.text(), at, end)
        ? time
        : DateTime.nanos(chunk.text(), at);
  }

  /// Whether a traceback may print this line below a frame: code or the marks below it, after the
  /// rank's prefix.
  private boolean isCode() {
    int from = start;
    if (chunk.text().startsWith("[rank", start)) {
      while (from < end && chunk.text().charAt(from) != ':') {
        from++;
      }
      from += 2;
    }
    return from >= end || chunk.text().charAt(from) == ' ';
  }

  /// Whether uvicorn logs an answer of a living server, to a request that is right or wrong:
  /// `INFO:     10.0.0.7:40112 - "POST /v1/completions HTTP/1.1" 400 Bad Request`.
  /// After an engine has died, its server still gets requests and answers 500, and it still reports
  /// its health (`GET`).
  private boolean isAnswer() {
    int post = Chars.find(chunk.text(), start, end, " - \"POST /");
    int status = post < 0 ? -1 : Chars.find(chunk.text(), post, end, " HTTP/1.1\" ");
    int code = status < 0 ? end : status + " HTTP/1.1\" ".length();
    return code < end && (chunk.text().charAt(code) == '2' || chunk.text().charAt(code) == '4');
  }

  /// Whether a program prints such a line while it lives: not code of a traceback, a C++ stack, a
  /// table or wandb's summary.
  private boolean ordinary() {
    return start < end
        && " \t=-*#".indexOf(chunk.text().charAt(start)) < 0
        && !chunk.text().startsWith("frame #", start)
        && !chunk.text().startsWith("wandb", start);
  }

  private LogFacts facts(long lostBytes) {
    long reached = times.end();
    beforeInit.values().forEach(facts::addAll);
    facts.addAll(posted.values());
    facts.addAll(state.strides.take());
    boolean novelAtUnknownTime = chunk.end() && state.novelUntimed;
    if (novelAtUnknownTime || novelNanos != NO_TIME) {
      long at = novelAtUnknownTime ? NO_TIME : novelNanos;
      facts.add(
          new Fact(Writer.NONE, null, at, chunk.nextOffset(), "", 1, new LoopEvent.NewKind()));
    }
    if (chunk.end()) {
      facts.addAll(state.pasted.end());
      state.failures.unfinished(chunk.nextOffset()).ifPresent(facts::add);
    }
    return new LogFacts(
        chunk.source(),
        chunk.readAt(),
        chunk.live(),
        chunk.end(),
        reached,
        chunk.lines(),
        ncclLines,
        lostBytes > 0 ? 1 : 0,
        lostBytes,
        spliced,
        unknownShapes,
        List.copyOf(writers.keySet()),
        facts,
        calls.arrivals(),
        said());
  }

  /// RAS answers among the chunk's lines; null if there are none and no damaged ones.
  private Witness.@Nullable RasSaid said() {
    if (chunk.end()) {
      state.ras.endOfLog(answers);
    } else {
      state.ras.soFar(answers);
    }
    return answers.isEmpty() && damagedBefore == state.ras.damaged()
        ? null
        : new Witness.RasSaid(answers.stream().map(Digest::of).toList(), state.ras.damaged());
  }

  /// @param head NCCL's header of the line, null if the line is not NCCL's
  private void event(@Nullable NcclHead head, LineEvent event, int from, int to) {
    if (event instanceof LineOrigin told) {
      origin = told;
      unwrapped = to;
      return;
    }
    start = from;
    end = to;
    time = times.of(line, head, origin);
    times.reached(line, time);
    ofNccl |= head != null;
    if (time == NO_TIME && head == null && ofAStep(event)) {
      times.stampOfStep(line, Math.max(start, unwrapped), end);
    }
    if (head == null) {
      ofNobody(event);
    } else {
      ofNccl(head, event);
    }
  }

  private static boolean ofAStep(LineEvent event) {
    return event instanceof MegatronEvent.Iteration
        || event instanceof LoopEvent.Step
        || event instanceof DeepSpeedEvent.Throughput
        || event instanceof DeepSpeedEvent.Step;
  }

  /// Handles the event of a line that names no process.
  private void ofNobody(LineEvent event) {
    mayBeginRas |= event instanceof NcclEvent.Version;
    if (event instanceof TrainerEvent.Progress && time == NO_TIME) {
      state.barUntimed = true;
      state.behindBar = false;
    }
    failure(event).ifPresent(this::failed);
    state.failures.standsIn(
        event instanceof FailureEvent.Frame ? fact(Writer.NONE, null, event) : null);
    if (event instanceof LoopEvent.Position at) {
      state.strides.note(at, fact(Writer.NONE, null, event));
      return;
    }
    if (event instanceof NcclTestsEvent tests) {
      facts.add(fact(Writer.NONE, null, row(tests)));
      return;
    }
    if (event instanceof MegatronEvent megatron) {
      facts.addAll(state.timers.read(megatron, fact(Writer.NONE, null, event)));
    }
    if (JobEventFilter.matters(event) && !drawnAgain(event)) {
      facts.add(fact(Writer.NONE, null, JobEventFilter.of(event)));
    }
    if (asksForWork() && state.work.settles(event)) {
      facts.add(fact(Writer.NONE, null, new LoopEvent.Work()));
    }
  }

  /// The event of a table line, or the whole row if the line is the rest of a torn one.
  private NcclTestsEvent row(NcclTestsEvent tests) {
    if (tests instanceof NcclTestsEvent.Half half && half.wrong() != NcclTestsEvent.UNREAD) {
      var whole = state.row.with(chunk.text(), start, end);
      if (whole.isPresent()) {
        return whole.get();
      }
    }
    int feed = Chars.find(chunk.text(), end, chunk.text().length(), '\n');
    state.row.note(tests, chunk.text(), start, end, feed < 0 ? chunk.text().length() : feed);
    return tests;
  }

  /// Whether lines are checked for signs that the file is the log of a job. A saved log counts as a
  /// job's if its lines show it as well. An agent sends the lines of all pods, and a server that
  /// waits for requests is not a job that must not fall silent.
  private boolean asksForWork() {
    return !chunk.live() && state.work.isOpen() && state.processes.isEmpty();
  }

  /// Handles the event of a line with NCCL's header.
  private void ofNccl(NcclHead head, LineEvent event) {
    ncclLines++;
    if (head.equals(NcclHead.CUT_AWAY) && state.hasHeaders()) {
      spliced++; // lines of two processes, printed into each other
      return;
    }
    var process = end - start > LONGEST_STATEMENT ? null : process(head);
    if (process == null) {
      return;
    }
    switch (event) {
      case NcclEvent.Collective call -> call(head, process, call);
      case NcclEvent.CommInit init -> init(head, process, init);
      case NcclEvent.Edge edge -> edge(process, edge, ofThread(process, head));
      case NcclEvent.Spliced _ -> spliced++;
      case NcclEvent.NetworkChosen _ -> await(head, process, event);
      case NcclEvent.CommNodes nodes -> {
        var membership = process.memberships.get(nodes.comm());
        statement(process, membership, event);
      }
      case NcclEvent _,
          OfiEvent _,
          TorchEvent _,
          DeepSpeedEvent _,
          TrainerEvent _,
          MegatronEvent _,
          LoopEvent _,
          NcclTestsEvent _,
          NvlinkEvent _,
          RdmaEvent _,
          FailureEvent _,
          PodTeam _,
          LineOrigin _ -> {
        if (event instanceof NcclEvent.Version version) {
          state.ncclVersion = version.nccl();
        }
        if (JobEventFilter.matters(event)) {
          var membership = ofThread(process, head);
          if (membership == null && connected(event)) {
            await(head, process, event);
          } else if (event instanceof NcclEvent.Warning) {
            // each warning counts, other statements only hold
            facts.add(about(process, membership, event));
          } else {
            statement(process, membership, event);
          }
        }
      }
    }
  }

  /// Keeps what the thread states about a communicator whose init line has not come yet.
  private void await(NcclHead speaks, ProcessState process, LineEvent event) {
    beforeInit
        .computeIfAbsent(new ThreadKey(process, speaks.tid()), _ -> new ArrayList<>())
        .add(fact(writer(process, 0), null, event));
  }

  /// Whether NCCL prints such a line just before the init of a communicator is complete.
  private static boolean connected(LineEvent event) {
    return event instanceof NcclEvent.RingsConnected
        || event instanceof NcclEvent.TreesConnected
        || event instanceof NcclEvent.Channels;
  }

  private void failed(FailureEvent event) {
    failures++;
    if (event instanceof FailureEvent.Said said && said.ofAScript()) {
      state.failures.missed(chunk.offset(line));
    } else if (event instanceof FailureEvent.Raised
        || event instanceof FailureEvent.Said part && part.ofAPart()) {
      state.failures.raised(chunk.offset(line));
    }
    facts.add(fact(Writer.NONE, null, event));
  }

  private Optional<FailureEvent> failure(LineEvent event) {
    return switch (event) {
      case FailureEvent failure -> state.failures.read(failure);
      case TorchEvent torch -> state.failures.read(torch);
      case DeepSpeedEvent.LaunchedExit exit -> state.failures.read(exit);
      case NcclEvent _,
          OfiEvent _,
          DeepSpeedEvent _,
          TrainerEvent _,
          MegatronEvent _,
          LoopEvent _,
          NcclTestsEvent _,
          NvlinkEvent _,
          RdmaEvent _,
          PodTeam _,
          LineOrigin _ ->
          Optional.empty();
    };
  }

  /// The process of the header. The last one is kept, as a process often writes several lines in a
  /// row.
  private @Nullable ProcessState process(NcclHead speaks) {
    if (!speaks.equals(recentHead)) {
      recentHead = speaks;
      recentProcess = state.process(speaks.host(), speaks.pid());
    }
    return recentProcess;
  }

  /// Index of the process's GPU among the chunk's writers.
  private int writer(ProcessState process, int gpu) {
    var host = process.host.equals(chunk.source().pod()) ? "" : process.host;
    var writer = new Writer(host, process.pid, gpu);
    var known = writers.putIfAbsent(writer, writers.size());
    return known == null ? writers.size() - 1 : known;
  }

  private Fact about(ProcessState process, @Nullable Membership membership, LineEvent event) {
    return membership == null
        ? fact(writer(process, 0), null, event)
        : fact(writer(process, membership.gpu), membership.comm, event);
  }

  /// Adds the event if the process did not state it before about the communicator.
  private void statement(ProcessState process, @Nullable Membership membership, LineEvent event) {
    if (comesAgain(event) || isNew(process, membership)) {
      facts.add(about(process, membership, event));
    }
  }

  /// Whether equal lines are different statements: each GPU in the machine's topology tree has the
  /// same branches, and only the line before shows which GPU is meant.
  private static boolean comesAgain(LineEvent event) {
    return event instanceof NcclEvent.TopologyBranch;
  }

  /// Whether the process states this about the communicator for the first time. Compares the line
  /// from its word `NCCL` on, whatever thread wrote it, or the whole line if that word is missing.
  private boolean isNew(ProcessState process, @Nullable Membership membership) {
    int nccl = Chars.find(chunk.text(), start, end, "NCCL ");
    int from = nccl < 0 ? start : nccl;
    return isNew(process, membership, chunk.text(), from, end);
  }

  private boolean isNew(
      ProcessState process, @Nullable Membership membership, Text text, int from, int end) {
    long about = 31L * process.host.hashCode() + process.pid;
    if (membership != null) {
      about = 31L * (31L * about + membership.gpu) + membership.comm.hashCode();
    }
    return state.told.isNew(about * 0x9E37_79B9_7F4A_7C15L, text, from, end);
  }

  private void init(NcclHead speaks, ProcessState process, NcclEvent.CommInit init) {
    var comm = init.commId();
    if (comm == null && init.parent() != null) {
      var parent = process.memberships.get(init.parent());
      comm =
          (parent == null || parent.count != null ? "?" + init.parent() : parent.comm)
              + "/"
              + init.splitCount()
              + "/"
              + init.color();
    }
    if (comm == null) {
      comm = process.unnamed(init);
    }
    if (comm == null) {
      return;
    }
    var known = process.memberships.get(init.comm());
    if (known == null || !known.comm.equals(comm)) {
      known = new Membership(comm, process.gpu(init), init.rank(), init.nranks());
      if (!state.join(process, init.comm(), known)) {
        return;
      }
    }
    known.over |= init.phase() == NcclEvent.Phase.DESTROY || init.phase() == NcclEvent.Phase.ABORT;
    if (init.phase() == NcclEvent.Phase.START) {
      process.pointerByThread.put(speaks.tid(), init.comm());
    } else {
      // from now on the thread's lines are about what the process uses, not about what it
      // initialised
      process.pointerByThread.remove(speaks.tid());
    }
    process.lastPointer = init.comm();
    statement(process, known, init);
    var key = new ThreadKey(process, speaks.tid());
    int writer = writer(process, known.gpu);
    for (var waiting : beforeInit.getOrDefault(key, List.of())) {
      var text = waiting.text();
      var said = Text.of(text.substring(Math.max(0, text.indexOf("NCCL "))));
      if (comesAgain(waiting.event()) || isNew(process, known, said, 0, said.length())) {
        facts.add(waiting.about(writer, comm));
      }
    }
    beforeInit.remove(key);
  }

  private void edge(ProcessState process, NcclEvent.Edge edge, @Nullable Membership likely) {
    var membership = process.owner(edge, likely);
    if (!isNew(process, membership)) {
      return;
    }
    var key =
        new EdgeKey(
            process,
            membership == null ? null : membership.comm,
            edge.source(),
            edge.target(),
            edge.direction(),
            edge.transport(),
            membership == null ? edge.sourceBracket() : -1,
            membership == null ? edge.targetBracket() : -1);
    var first = edges.get(key);
    if (first == null) {
      edges.put(key, facts.size());
      facts.add(about(process, membership, edge));
    } else {
      facts.set(first, facts.get(first).again());
    }
  }

  private void call(NcclHead speaks, ProcessState process, NcclEvent.Collective call) {
    var membership = process.memberships.get(call.comm());
    if (membership == null) {
      // its init lines were not seen: the job finds out to whose round the call belongs; the fact
      // shows that the process lives
      if (isNew(process, null, STRANGER, 0, STRANGER.length())) {
        facts.add(fact(writer(process, 0), null, call));
      }
      membership = state.unseen(process, call);
      if (membership == null) {
        return;
      }
    }
    var count = membership.count;
    if (count == null) {
      process.lastPointer = call.comm();
      if (!call.ofAllRanks()) {
        membership.callsAPeer();
        if (membership.newPeer(call.root())) {
          facts.add(about(process, membership, call));
        }
        var counts = membership.post(call);
        if (counts != null) {
          posted.put(
              new PostedKey(process, membership.comm, call.root()),
              about(process, membership, counts));
        }
        return;
      }
    }
    var key = new ChunkCalls.Key(writer(process, membership.gpu), membership.comm);
    var basis = times.basis(speaks, origin);
    if (count == null) {
      arrive(key, membership, membership.number(call), call, basis);
    } else {
      unseen(key, membership, count, call, basis);
    }
  }

  /// A call on a communicator whose init lines were not seen.
  private void unseen(
      ChunkCalls.Key key,
      Membership membership,
      CallCount count,
      NcclEvent.Collective call,
      TimeBasis basis) {
    boolean lost = count.lost();
    long number = count.next(call, time);
    if (number >= 0) {
      arrive(key, membership, number, call, basis);
    } else if (number == CallCount.LOST && !lost) {
      calls.lost(key, basis, failures);
    }
  }

  /// Adds a call whose number on the communicator is known.
  private void arrive(
      ChunkCalls.Key key,
      Membership membership,
      long ordinal,
      NcclEvent.Collective call,
      TimeBasis basis) {
    boolean paused = time == NO_TIME || time - membership.lastCallNanos >= PAUSE_NANOS;
    var run = calls.run(key, membership, ordinal, time, basis);
    membership.lastCallNanos = time;
    if (run == null) {
      return;
    }
    run.add(time, signature(call, membership.missing()), failures);
    if (paused) {
      run.prove(new Arrivals.Proof(ordinal, chunk.offset(line), proof()));
    }
  }

  /// Whether a bar shows the same second as before: bars are drawn up to ten times a second.
  private boolean drawnAgain(LineEvent event) {
    if (!(event instanceof TrainerEvent.Progress bar)) {
      return false;
    }
    var shown = bars.put(bar.total(), bar.elapsedSeconds());
    return shown != null && shown == bar.elapsedSeconds();
  }

  private Fact fact(int writer, @Nullable String comm, LineEvent event) {
    return new Fact(writer, comm, time, chunk.offset(line), proof(), 1, event);
  }

  /// The current line, cut to what a report shows.
  private String proof() {
    return chunk.text().head(start, end, Fact.MAX_TEXT);
  }

  /// Hash of what all ranks must agree on in a round, including how many lines before it are
  /// missing: if that differs, the lines are not of one round.
  private static int signature(NcclEvent.Collective call, long missing) {
    int hash = 31 * (31 * call.op().hashCode() + Long.hashCode(call.count())) + call.datatype();
    return missing == 0 ? hash : 31 * hash + Long.hashCode(missing);
  }

  /// The communicator that a line without one is about. Lines of an init thread belong to the
  /// communicator that the thread initialises. Lines of other threads belong to the one that the
  /// process initialised or used last (connections made at first use, NCCL 2.22.3 and later). Null
  /// for versions that name no communicator: they make all connections before their only init line.
  private static @Nullable Membership ofThread(ProcessState process, NcclHead speaks) {
    var pointer = process.pointerByThread.getOrDefault(speaks.tid(), process.lastPointer);
    var membership = pointer == null ? null : process.memberships.get(pointer);
    return membership == null || !membership.named() ? null : membership;
  }

  /// @param sourceGpu number in brackets, which tells groups apart if no communicator is known;
  ///   else -1
  /// @param targetGpu the same for the target
  private record EdgeKey(
      ProcessState process,
      @Nullable String comm,
      int source,
      int target,
      NcclEvent.Direction direction,
      Transport transport,
      long sourceGpu,
      long targetGpu) {}

  private record PostedKey(ProcessState process, String comm, int peer) {}

  private record ThreadKey(ProcessState process, int tid) {}
}
