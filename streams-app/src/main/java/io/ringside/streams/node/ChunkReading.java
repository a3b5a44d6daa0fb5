package io.ringside.streams.node;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Text;
import io.ringside.streams.fact.Arrivals;
import io.ringside.streams.fact.Fact;
import io.ringside.streams.fact.LogFacts;
import io.ringside.streams.fact.TimeBasis;
import io.ringside.streams.fact.Writer;
import io.ringside.streams.node.SourceState.Membership;
import io.ringside.streams.node.SourceState.ProcessState;
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
import io.ringside.streams.parse.event.OfiEvent;
import io.ringside.streams.parse.event.Outcome;
import io.ringside.streams.parse.event.TorchEvent;
import io.ringside.streams.parse.event.TrainerEvent;
import io.ringside.streams.parse.event.Transport;
import io.ringside.streams.parse.failure.OddException;
import io.ringside.streams.parse.scan.DateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One chunk on its way to facts: gathers what its lines say, puts communicators to lines that only
/// name a pointer or a thread, and folds what repeats.
final class ChunkReading {
  /// A call this long after the process's last one on the communicator keeps its line as proof.
  private static final long PAUSE_NANOS = 5_000_000;

  private static final int MAX_SHAPES = 32;

  /// What a process says first that was there before its log was read.
  private static final Text STRANGER = Text.of("calls on a communicator whose init was not seen");

  /// NCCL prints from a buffer of 1,024 bytes (src/debug.cc); with its stamp and a wrapper's prefix a line of its is
  /// shorter than this. What is longer was not said by NCCL.
  private static final int LONGEST_STATEMENT = 2_048;

  /// The runtime stamps a line by the clock by which the agent reads it, up to what that was set back by meanwhile.
  private static final long RUNTIME_AHEAD_NANOS = 300_000_000_000L;

  /// Other stamps are those of other machines, or without a time zone.
  private static final long AHEAD_NANOS = 86_400_000_000_000L;

  private final LogChunk chunk;
  private final SourceState state;
  private final int callsPerSecond;
  private final long readNanos;
  private final Map<Writer, Integer> writers = new LinkedHashMap<>();
  private final List<Fact> facts = new ArrayList<>();
  private final Map<EdgeKey, Integer> edges = new HashMap<>();
  private final Map<ThreadKey, List<Fact>> beforeInit = new HashMap<>();
  private final Map<CallsKey, Calls> calls = new LinkedHashMap<>();
  private final List<Arrivals> arrivals = new ArrayList<>();
  private final Map<String, Integer> unknownShapes = new HashMap<>();
  private final Map<Long, Long> bars = new HashMap<>();
  private final EventSink sink =
      (head, event, start, end) -> event(this.reading, head, event, start, end);

  /// The line that is read.
  private int reading;

  private @Nullable NcclHead recentHead;
  private @Nullable ProcessState recentProcess;
  private long toNanos = NO_TIME;
  private int ncclLines;
  private int spliced;
  private int failures;

  /// What wrappers say of the line that is read.
  private LineOrigin origin = LineOrigin.NONE;

  ChunkReading(LogChunk chunk, SourceState state, int callsPerSecond) {
    this.chunk = chunk;
    this.state = state;
    this.callsPerSecond = callsPerSecond;
    this.readNanos = Nanos.of(chunk.readAt());
  }

  /// A logger's lines come at least as often while its program waits; time zones differ by more.
  private static final long SAME_CLOCK_NANOS = 10 * 60_000_000_000L;

  /// Where the parser puts the events of this line.
  EventSink at(int line) {
    origin = LineOrigin.NONE;
    reading = line;
    return sink;
  }

  /// Counts the line after its events are in.
  void line(int line, Outcome outcome, int start, int end) {
    switch (outcome) {
      case UNKNOWN_NCCL -> {
        ncclLines++;
        if (unknownShapes.size() < MAX_SHAPES) {
          var shape = state.ncclVersion + " " + Shapes.of(chunk.text(), start, end);
          unknownShapes.merge(shape, 1, Integer::sum);
        }
      }
      case IGNORED -> ncclLines++;
      case EVENTS, IGNORED_OTHER, FOREIGN -> {}
    }
    long time = ofRuntime(line);
    if (time != NO_TIME) {
      span(time);
    }
    if (outcome == Outcome.FOREIGN && chunk.nanos().length == 0) {
      stampOfItsOwn(start, end);
    }
    boolean untold = outcome == Outcome.FOREIGN || outcome == Outcome.IGNORED_OTHER;
    if (untold && !isCode(start, end)) {
      state.failures.standsIn(null);
    }
    if (untold && state.failures.mayRaise()) {
      OddException.of(chunk.text(), start, end)
          .filter(raised -> state.failures.awaits(raised.rank()))
          .flatMap(state.failures::read)
          .ifPresent(raised -> failed(raised, time, line, start, end));
    }
    if (untold && state.failures.isOpen() && ordinary(start, end)) {
      state.failures.ordinary().ifPresent(lives -> failed(lives, time, line, start, end));
    }
  }

  /// A line that says nothing shows that its program lives, until when its logger tells: `2026-10-08 18:13:17,701 INFO alive`. Its clock
  /// is the other lines' if it goes on where they left off; a time zone of its own would be a quarter of an hour away.
  private void stampOfItsOwn(int start, int end) {
    var text = chunk.text();
    long before = state.times.believed();
    if (before == NO_TIME
        || !DateTime.isAt(text, start, end)
        || DateTime.fractionEnd(text, start, end) == start + DateTime.LENGTH) {
      return;
    }
    long nanos = DateTime.nanos(text, start);
    if (nanos > before && nanos - before <= SAME_CLOCK_NANOS) {
      span(nanos);
    }
  }

  /// Whether a traceback may print such a line below a frame: code, and marks below it, behind the rank.
  private boolean isCode(int start, int end) {
    int from = start;
    if (chunk.text().startsWith("[rank", start)) {
      while (from < end && chunk.text().charAt(from) != ':') {
        from++;
      }
      from += 2;
    }
    return from >= end || chunk.text().charAt(from) == ' ';
  }

  /// Whether a program prints such a line while it lives: not code of a traceback, a C++ stack, a table or wandb's summary.
  private boolean ordinary(int start, int end) {
    return start < end
        && " \t=-*#".indexOf(chunk.text().charAt(start)) < 0
        && !chunk.text().startsWith("frame #", start)
        && !chunk.text().startsWith("wandb", start);
  }

  LogFacts facts(long lostBytes) {
    state.times.settle();
    beforeInit.values().forEach(facts::addAll);
    calls.values().forEach(each -> arrivals.add(each.arrivals()));
    if (chunk.end()) {
      state.failures.unfinished(chunk.nextOffset()).ifPresent(facts::add);
    }
    return new LogFacts(
        chunk.source(),
        chunk.readAt(),
        chunk.live(),
        chunk.end(),
        state.times.reached(toNanos),
        chunk.lines(),
        ncclLines,
        lostBytes > 0 ? 1 : 0,
        lostBytes,
        spliced,
        unknownShapes,
        List.copyOf(writers.keySet()),
        facts,
        arrivals);
  }

  private void event(int line, @Nullable NcclHead head, LineEvent event, int start, int end) {
    if (event instanceof LineOrigin told) {
      origin = told;
      return;
    }
    long time = time(line, head);
    if (time != NO_TIME) {
      span(time);
    }
    if (head == null) {
      failure(event).ifPresent(failed -> failed(failed, time, line, start, end));
      state.failures.standsIn(
          event instanceof FailureEvent.Frame
              ? fact(Writer.NONE, null, time, line, start, end, event)
              : null);
      if (event instanceof MegatronEvent megatron) {
        facts.addAll(
            state.timers.read(megatron, fact(Writer.NONE, null, time, line, start, end, event)));
      }
      if (Asked.matters(event) && !drawnAgain(event)) {
        facts.add(fact(Writer.NONE, null, time, line, start, end, Asked.of(event)));
      }
      return;
    }
    ncclLines++;
    var process = end - start > LONGEST_STATEMENT ? null : process(head);
    if (process == null) {
      return;
    }
    switch (event) {
      case NcclEvent.Collective call -> call(line, head, process, call, time, start, end);
      case NcclEvent.CommInit init -> init(line, head, process, init, time, start, end);
      case NcclEvent.Edge edge -> edge(line, head, process, edge, time, start, end);
      case NcclEvent.Spliced _ -> spliced++;
      case NcclEvent.NetworkChosen _ -> await(line, head, process, event, time, start, end);
      case NcclEvent.CommNodes nodes -> {
        var membership = process.memberships.get(nodes.comm());
        statement(process, membership, time, line, start, end, event);
      }
      case NcclEvent _,
          OfiEvent _,
          TorchEvent _,
          DeepSpeedEvent _,
          TrainerEvent _,
          MegatronEvent _,
          LoopEvent _,
          NcclTestsEvent _,
          FailureEvent _,
          LineOrigin _ -> {
        if (event instanceof NcclEvent.Version version) {
          state.ncclVersion = version.nccl();
        }
        if (Asked.matters(event)) {
          var membership = ofThread(process, head);
          if (membership == null && connected(event)) {
            await(line, head, process, event, time, start, end);
          } else if (event instanceof NcclEvent.Warning) {
            // warnings count, other statements only hold
            facts.add(about(process, membership, time, line, start, end, event));
          } else {
            statement(process, membership, time, line, start, end, event);
          }
        }
      }
    }
  }

  /// Keeps what the thread says of the communicator whose init line is yet to come.
  private void await(
      int line,
      NcclHead head,
      ProcessState process,
      LineEvent event,
      long time,
      int start,
      int end) {
    beforeInit
        .computeIfAbsent(new ThreadKey(process, head.tid()), _ -> new ArrayList<>())
        .add(fact(writer(process, 0), null, time, line, start, end, event));
  }

  /// What a communicator says of itself just before it is up.
  private static boolean connected(LineEvent event) {
    return event instanceof NcclEvent.RingsConnected
        || event instanceof NcclEvent.TreesConnected
        || event instanceof NcclEvent.Channels;
  }

  private void failed(FailureEvent event, long time, int line, int start, int end) {
    failures++;
    if (event instanceof FailureEvent.Raised) {
      state.failures.raised(chunk.offset(line));
    }
    facts.add(fact(Writer.NONE, null, time, line, start, end, event));
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
          LineOrigin _ ->
          Optional.empty();
    };
  }

  /// The process of the header: lines of one process come in runs.
  private @Nullable ProcessState process(NcclHead head) {
    if (!head.equals(recentHead)) {
      recentHead = head;
      recentProcess = state.process(head.host(), head.pid());
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

  private Fact about(
      ProcessState process,
      @Nullable Membership membership,
      long time,
      int line,
      int start,
      int end,
      LineEvent event) {
    return membership == null
        ? fact(writer(process, 0), null, time, line, start, end, event)
        : fact(writer(process, membership.gpu), membership.comm, time, line, start, end, event);
  }

  /// Adds what the process did not say before of the communicator.
  private void statement(
      ProcessState process,
      @Nullable Membership membership,
      long time,
      int line,
      int start,
      int end,
      LineEvent event) {
    if (comesAgain(event) || isNew(process, membership, start, end)) {
      facts.add(about(process, membership, time, line, start, end, event));
    }
  }

  /// Each GPU of the machine's tree has the same branches: which one is meant, the line before tells.
  private static boolean comesAgain(LineEvent event) {
    return event instanceof NcclEvent.TopologyBranch;
  }

  /// Whether the process did not say so before of the communicator: what it says is the line from its word
  /// `NCCL` on, whatever thread it comes from.
  private boolean isNew(ProcessState process, @Nullable Membership membership, int start, int end) {
    int from = start;
    while (from < end && !chunk.text().startsWith(" NCCL ", from)) {
      from++;
    }
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

  private void init(
      int line,
      NcclHead head,
      ProcessState process,
      NcclEvent.CommInit init,
      long time,
      int start,
      int end) {
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
      if (!process.join(init.comm(), known)) {
        return;
      }
    }
    known.over |= init.phase() == NcclEvent.Phase.DESTROY || init.phase() == NcclEvent.Phase.ABORT;
    if (init.phase() == NcclEvent.Phase.START) {
      process.pointerByThread.put(head.tid(), init.comm());
    } else {
      // what the thread says from now on is about what the process uses, not about what it
      // initialised
      process.pointerByThread.remove(head.tid());
    }
    process.lastPointer = init.comm();
    statement(process, known, time, line, start, end, init);
    var key = new ThreadKey(process, head.tid());
    int writer = writer(process, known.gpu);
    for (var waiting : beforeInit.getOrDefault(key, List.of())) {
      var text = waiting.text();
      var said = Text.of(text.substring(Math.max(0, text.indexOf(" NCCL "))));
      if (comesAgain(waiting.event()) || isNew(process, known, said, 0, said.length())) {
        facts.add(waiting.about(writer, comm));
      }
    }
    beforeInit.remove(key);
  }

  private void edge(
      int line,
      NcclHead head,
      ProcessState process,
      NcclEvent.Edge edge,
      long time,
      int start,
      int end) {
    var membership = process.owner(edge, ofThread(process, head));
    if (!isNew(process, membership, start, end)) {
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
      facts.add(about(process, membership, time, line, start, end, edge));
    } else {
      facts.set(first, facts.get(first).again());
    }
  }

  private void call(
      int line,
      NcclHead head,
      ProcessState process,
      NcclEvent.Collective call,
      long time,
      int start,
      int end) {
    var membership = process.memberships.get(call.comm());
    if (membership == null) {
      // its init lines were not seen: whose round the call is, is for the job to tell, but the
      // process lives
      if (isNew(process, null, STRANGER, 0, STRANGER.length())) {
        facts.add(fact(writer(process, 0), null, time, line, start, end, call));
      }
      membership = process.unseen(call);
      if (membership == null) {
        return;
      }
    }
    if (membership.count != null) {
      unseen(membership, membership.count, line, head, process, call, time, start, end);
      return;
    }
    process.lastPointer = call.comm();
    if (!LogJoin.collective(call.op())) {
      if (membership.newPeer(call.root())) {
        facts.add(about(process, membership, time, line, start, end, call));
      }
      return;
    }
    arrive(membership.nextOrdinal++, membership, line, head, process, call, time, start, end);
  }

  /// A call on a communicator whose init lines were not seen.
  private void unseen(
      Membership membership,
      CallCount count,
      int line,
      NcclHead head,
      ProcessState process,
      NcclEvent.Collective call,
      long time,
      int start,
      int end) {
    boolean lost = count.lost();
    long number = count.next(call, time);
    if (number >= 0) {
      arrive(number, membership, line, head, process, call, time, start, end);
    } else if (number == CallCount.LOST && !lost) {
      var key = new CallsKey(writer(process, membership.gpu), membership.comm);
      var before = calls.remove(key);
      if (before != null) {
        arrivals.add(before.arrivals());
      }
      arrivals.add(Arrivals.unknown(key.writer(), key.comm(), basis(head), failures));
    }
  }

  /// A call of which the process's number on the communicator is known.
  private void arrive(
      long ordinal,
      Membership membership,
      int line,
      NcclHead head,
      ProcessState process,
      NcclEvent.Collective call,
      long time,
      int start,
      int end) {
    var key = new CallsKey(writer(process, membership.gpu), membership.comm);
    var ofComm = calls.get(key);
    boolean kept = membership.rate.keeps(ordinal, time, callsPerSecond);
    if (ofComm == null || (kept && ofComm.leftOut > 0)) {
      if (ofComm != null) {
        arrivals.add(ofComm.arrivals());
      }
      ofComm = new Calls(key, membership, ordinal, basis(head));
      calls.put(key, ofComm);
    }
    if (!kept) {
      ofComm.leftOut++;
      membership.lastCallNanos = time;
      return;
    }
    ofComm.add(time, LogJoin.signature(call.op(), call.count(), call.datatype()), failures);
    if (time == NO_TIME || time - membership.lastCallNanos >= PAUSE_NANOS) {
      ofComm.proofs.add(
          new Arrivals.Proof(ordinal, chunk.offset(line), LogJoin.proof(chunk.text(), start, end)));
    }
    membership.lastCallNanos = time;
  }

  /// Whether a bar shows the same second as before: bars are drawn up to ten times a second.
  private boolean drawnAgain(LineEvent event) {
    if (!(event instanceof TrainerEvent.Progress bar)) {
      return false;
    }
    var shown = bars.put(bar.total(), bar.elapsedSeconds());
    return shown != null && shown == bar.elapsedSeconds();
  }

  private Fact fact(
      int writer, @Nullable String comm, long time, int line, int start, int end, LineEvent event) {
    return new Fact(
        writer, comm, time, chunk.offset(line), LogJoin.proof(chunk.text(), start, end), 1, event);
  }

  /// Lines of the init thread belong to what it initialises; lines of other threads to what the process
  /// initialised or used last (connections made at first use, NCCL 2.22.3 and later). Versions that name no
  /// communicator make all connections before their only init line.
  private static @Nullable Membership ofThread(ProcessState process, NcclHead head) {
    var pointer = process.pointerByThread.getOrDefault(head.tid(), process.lastPointer);
    var membership = pointer == null ? null : process.memberships.get(pointer);
    return membership == null || !membership.named() ? null : membership;
  }

  private long time(int line, @Nullable NcclHead head) {
    if (chunk.nanos().length != 0) {
      return ofRuntime(line);
    }
    if (head != null && head.stamped() && origin.digits() == 0) {
      return believed(head.stampNanos(), AHEAD_NANOS);
    }
    return origin.timed() ? believed(origin.nanos(), AHEAD_NANOS) : chunk.timeNanos(line);
  }

  private long ofRuntime(int line) {
    return believed(chunk.timeNanos(line), RUNTIME_AHEAD_NANOS);
  }

  /// A line that was stamped long after it was read says nothing of when it was written. When a recording is read says
  /// nothing of it either.
  private long believed(long nanos, long ahead) {
    return chunk.live() && nanos - ahead > readNanos ? NO_TIME : nanos;
  }

  private TimeBasis basis(NcclHead head) {
    if (chunk.nanos().length != 0 || origin.timed() && origin.digits() > 0) {
      return TimeBasis.CONTAINER;
    }
    if (head.stamped()) {
      return head.stampDigits() > 0 ? TimeBasis.NCCL : TimeBasis.NCCL_SECONDS;
    }
    if (origin.timed()) {
      return TimeBasis.NCCL_SECONDS;
    }
    return chunk.live() ? TimeBasis.READ : TimeBasis.NONE;
  }

  private void span(long time) {
    toNanos = Math.max(toNanos, time);
    state.times.told(reading, time);
  }

  /// @param sourceGpu what stands in brackets, which tells groups apart where no communicator is known; else -1
  /// @param targetGpu the same of the other end
  private record EdgeKey(
      ProcessState process,
      @Nullable String comm,
      int source,
      int target,
      NcclEvent.Direction direction,
      Transport transport,
      long sourceGpu,
      long targetGpu) {}

  private record ThreadKey(ProcessState process, int tid) {}

  private record CallsKey(int writer, String comm) {}

  /// The calls of one process on one communicator within the chunk.
  private static final class Calls {
    private final CallsKey key;
    private final Membership membership;
    private final long firstOrdinal;
    private final TimeBasis basis;
    private final List<Long> nanos = new ArrayList<>();
    private final List<Integer> signatures = new ArrayList<>();
    private final List<Arrivals.Proof> proofs = new ArrayList<>();
    private int failuresBefore;
    private int leftOut;

    Calls(CallsKey key, Membership membership, long firstOrdinal, TimeBasis basis) {
      this.key = key;
      this.membership = membership;
      this.firstOrdinal = firstOrdinal;
      this.basis = basis;
    }

    void add(long time, int signature, int failures) {
      failuresBefore = failures;
      nanos.add(time);
      signatures.add(signature);
    }

    Arrivals arrivals() {
      return new Arrivals(
          key.writer(),
          key.comm(),
          membership.rank,
          basis,
          firstOrdinal,
          nanos.stream().mapToLong(Long::longValue).toArray(),
          signatures.stream().mapToInt(Integer::intValue).toArray(),
          proofs,
          failuresBefore,
          leftOut,
          membership.count == null ? null : membership.count.numbered());
    }
  }
}
