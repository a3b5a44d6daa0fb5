package io.ringside.streams.waits;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.fact.Arrivals;
import io.ringside.streams.fact.TimeBasis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// The collective rounds of one communicator: calls of all its ranks, aligned by ordinal.
///
/// Rounds complete in the order of their ordinals, whatever the order in which ranks' lines come
/// in. So everything here depends on the lines alone, not on how they interleave. Memory grows with
/// the ranks that call, since a line may claim any number of others.
public final class Rounds {
  /// Width of a window of event time, in which waits are summed up.
  public static final long WINDOW_NANOS = 5_000_000_000L;

  /// Most calls of a rank that wait for others; more are given up.
  private static final int MAX_PENDING = 50_000;

  private static final int MAX_SAMPLES = 4;

  /// A program may go on for this many calls before it waits for what it enqueued.
  private static final int LAST_ROUNDS = 16;

  /// A step of large models may have this many rounds of one communicator, or more.
  private static final int MANY_ROUNDS = 20;

  private int nranks;
  private final TreeMap<Integer, PendingCalls> pending = new TreeMap<>();

  /// Whether other ranks call than those whose rounds were judged.
  private boolean newCallers;

  /// The queues of all ranks that made calls, in the order of the ranks: each round goes through
  /// them.
  private transient List<PendingCalls> queues = List.of();

  /// Number of ranks whose calls wait, -1 if not counted yet: a large job has too many ranks to
  /// check all of them at each chunk.
  private transient int waiting = -1;

  private TimeBasis basis = TimeBasis.CONTAINER;
  private final TreeMap<Long, Map<Integer, Evidence>> proofs = new TreeMap<>();

  private long completed;
  private long mismatched;

  /// The first round in which ranks called different operations, -1 if none.
  private long disagreed = -1;

  /// Whether other ranks than in that round were apart in a later one.
  private boolean scattered;

  /// The ranks that did, if they are fewer than the others.
  private Set<Integer> apart = new TreeSet<>();

  private transient int[] signatures = new int[0];
  private long leftOut;

  /// The ordinal after the last one that was taken or given up.
  private long reached;

  private long cutAt = Long.MAX_VALUE;
  private Waits waits = new Waits();
  private final Bursts bursts = new Bursts();
  private final List<Evidence> samples = new ArrayList<>();

  public Rounds() {}

  public Rounds(int nranks) {
    this.nranks = nranks;
    waits = new Waits(nranks);
  }

  /// Adds calls of one rank.
  ///
  /// @param clock clock of the times
  /// @param evidence turns a proof into a line of evidence
  public void add(Arrivals calls, Clock clock, Function<Arrivals.Proof, Evidence> evidence) {
    int rank = calls.rank();
    if (rank < 0 || rank >= nranks) {
      return;
    }
    var queue =
        pending.computeIfAbsent(
            rank,
            _ -> {
              newCallers = true;
              return new PendingCalls(clock);
            });
    if (calls.basis().ordinal() > basis.ordinal()) {
      basis = calls.basis();
    }
    for (var proof : calls.proofs()) {
      proofs
          .computeIfAbsent(proof.ordinal(), _ -> new TreeMap<>())
          .put(rank, evidence.apply(proof));
    }
    boolean waited = !queue.isEmpty();
    for (int i = 0; i < calls.nanos().length && calls.firstOrdinal() + i < cutAt; i++) {
      queue.add(calls.firstOrdinal() + i, calls.nanos()[i], calls.signatures()[i]);
    }
    if (calls.leftOut() > 0) {
      queue.leaveOut(Math.clamp(cutAt - queue.nextOrdinal(), 0, calls.leftOut()));
    }
    if (waiting >= 0 && !waited && !queue.isEmpty()) {
      waiting++;
    }
    while (queue.size() > MAX_PENDING) {
      giveUp();
    }
    closeComplete(nranks);
    if (calls.leftOut() > 0 && allBeyond()) {
      waits.pause();
    }
  }

  /// Whether no rank will have lines of the next round, since it was left out.
  private boolean allBeyond() {
    if (pending.size() < nranks) {
      return false;
    }
    for (var queue : pending.values()) {
      if (!queue.isEmpty() || queue.nextOrdinal() <= reached) {
        return false;
      }
    }
    return true;
  }

  /// Records that lines of this rank were lost. The number of calls among them is unknown, so its
  /// later calls belong to unknown rounds. Rounds before that still complete.
  public void cut(int rank) {
    if (rank >= 0 && rank < nranks) {
      var queue = pending.get(rank);
      cutAt = Math.min(cutAt, queue == null ? 0 : queue.nextOrdinal());
    }
  }

  /// Whether later calls are not aligned, since lines of a rank were lost.
  public boolean cutOff() {
    return cutAt != Long.MAX_VALUE;
  }

  /// Whether complete rounds wait for later ones to be judged.
  public boolean anyWait() {
    return waits.held() > 0;
  }

  /// Records that no lines came for a while: judges what the window holds so far.
  public void idle() {
    waits.idle();
  }

  /// The rounds if no more lines come, valid until some do. In the result, rounds that all ranks
  /// with lines have reached count, even if other ranks have no lines. In this object their calls
  /// still wait for those ranks, whose lines may be read later.
  public Rounds ended() {
    if (pending.size() < 2 || pending.size() >= nranks) {
      waits.judge();
      return this;
    }
    var ended = new Rounds(nranks);
    pending.forEach((rank, queue) -> ended.pending.put(rank, queue.view()));
    ended.newCallers = newCallers;
    ended.proofs.putAll(proofs);
    ended.basis = basis;
    ended.reached = reached;
    ended.cutAt = cutAt;
    ended.closeComplete(pending.size());
    ended.waits.judge();
    return ended;
  }

  /// How far the ranks with lines have come, if some have called what others have not.
  public Optional<Standstill> standstill() {
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    for (var queue : pending.values()) {
      least = Math.min(least, queue.nextOrdinal());
      most = Math.max(most, queue.nextOrdinal());
    }
    if (least >= most || cutOff()) {
      return Optional.empty();
    }
    var waiting = new TreeSet<Integer>();
    var missing = new TreeSet<Integer>();
    boolean together = true;
    for (var caller : pending.entrySet()) {
      long next = caller.getValue().nextOrdinal();
      (next == least ? missing : waiting).add(caller.getKey());
      together &= next == least || next == most;
    }
    var lines = new ArrayList<Evidence>();
    proofs.tailMap(least).values().forEach(byRank -> lines.addAll(byRank.values()));
    if (lines.isEmpty()) {
      lines.addAll(samples);
    }
    return Optional.of(
        new Standstill(
            least,
            waiting,
            missing,
            together,
            lines.subList(0, Math.min(MAX_SAMPLES, lines.size()))));
  }

  /// Ranks with lines that made at least this many calls fewer than another one; empty if it is not
  /// certain which calls belong together.
  public Set<Integer> outrun(long calls) {
    if (cutOff() || mismatched > 0) {
      return Set.of();
    }
    long most =
        pending.values().stream().mapToLong(PendingCalls::nextOrdinal).max().orElse(Long.MIN_VALUE);
    var outrun = new TreeSet<Integer>();
    pending.forEach(
        (rank, queue) -> {
          if (most - queue.nextOrdinal() >= calls) {
            outrun.add(rank);
          }
        });
    return outrun;
  }

  private void closeComplete(int needed) {
    while (waiting() >= needed) {
      if (newCallers) {
        newCallers = false;
        waits.callers(
            pending.keySet().stream().mapToInt(Integer::intValue).toArray(),
            Clock.names(pending.values().stream().map(PendingCalls::clock).toList()));
      }
      close(firstWaiting(), needed);
    }
  }

  private List<PendingCalls> queues() {
    if (queues.size() != pending.size()) {
      queues = List.copyOf(pending.values());
    }
    return queues;
  }

  private int waiting() {
    if (waiting < 0) {
      waiting = 0;
      for (var queue : pending.values()) {
        waiting += queue.isEmpty() ? 0 : 1;
      }
    }
    return waiting;
  }

  private long firstWaiting() {
    long ordinal = Long.MAX_VALUE;
    for (var queue : queues()) {
      if (!queue.isEmpty()) {
        ordinal = Math.min(ordinal, queue.firstOrdinal());
      }
    }
    return ordinal;
  }

  private void removeFirst(PendingCalls queue) {
    queue.removeFirst();
    if (waiting >= 0 && queue.isEmpty()) {
      waiting--;
    }
  }

  private void close(long ordinal, int needed) {
    var all = queues();
    var nanos = new long[all.size()];
    Arrays.fill(nanos, NO_TIME);
    if (signatures.length != nanos.length) {
      signatures = new int[nanos.length];
    }
    int arrived = 0;
    int timed = 0;
    Integer signature = null;
    boolean alike = true;
    for (int place = 0; place < nanos.length; place++) {
      var queue = all.get(place);
      if (queue.isEmpty() || queue.firstOrdinal() != ordinal) {
        continue;
      }
      arrived++;
      nanos[place] = queue.firstNanos();
      timed += nanos[place] == NO_TIME ? 0 : 1;
      signatures[place] = queue.firstSignature();
      alike &= signature == null || signature == signatures[place];
      signature = signatures[place];
      removeFirst(queue);
    }
    proofs.headMap(ordinal).clear();
    var lines = proofs.remove(ordinal);
    if (arrived < needed) {
      // some ranks left it out, or came to it before it was given up
      return;
    }
    long before = ordinal - reached;
    reached = Math.max(reached, ordinal + 1);
    if (before > 0) {
      leftOut += before;
      waits.leftOut(before);
    }
    completed++;
    if (!alike) {
      if (mismatched++ == 0) {
        samples.clear();
        disagreed = ordinal;
        apart = arrived == nanos.length ? fewer() : new TreeSet<>();
      } else if (!scattered && !apart.isEmpty()) {
        scattered = arrived != nanos.length || !fewer().equals(apart);
      }
    }
    if (lines != null && samples.size() < MAX_SAMPLES) {
      lines.values().stream().limit(MAX_SAMPLES - samples.size()).forEach(samples::add);
    }
    if (!alike) {
      return;
    }
    if (timed < needed) {
      return;
    }
    if (basis.fine()) {
      bursts.take(nanos);
    }
    waits.take(
        new Waits.Round(
            signature == null ? 0 : signature, nanos, lines == null ? Map.of() : lines));
    if (!basis.fine()) {
      waits.skip();
    }
  }

  /// The ranks of the smaller of two sides, empty if both are equal.
  private Set<Integer> fewer() {
    var first = new TreeSet<Integer>();
    var other = new TreeSet<Integer>();
    int place = 0;
    for (int rank : pending.keySet()) {
      (signatures[place] == signatures[0] ? first : other).add(rank);
      place++;
    }
    return first.size() == other.size()
        ? new TreeSet<>()
        : first.size() < other.size() ? first : other;
  }

  private void giveUp() {
    long ordinal = firstWaiting();
    for (var queue : queues()) {
      if (!queue.isEmpty() && queue.firstOrdinal() == ordinal) {
        removeFirst(queue);
      }
    }
    proofs.headMap(ordinal + 1).clear();
    reached = Math.max(reached, ordinal + 1);
  }

  /// Ranks that called another operation than most in one of the last rounds. The set is empty if
  /// no side is smaller. There is none if rounds already disagreed earlier, since lines were lost
  /// then.
  public Optional<Set<Integer>> disagreement() {
    return disagreed < 0 || reached - disagreed > LAST_ROUNDS || cutOff()
        ? Optional.empty()
        : Optional.of(apart);
  }

  /// Ranks that have made a call of their own: since one round they alone call other operations
  /// than the others, and they have made more calls than each of the others. Lost lines do not look
  /// like that, because they leave a rank with fewer calls. Empty if there are none.
  public Set<Integer> shifted() {
    if (disagreed < 0 || scattered || apart.isEmpty() || cutOff()) {
      return Set.of();
    }
    long most = Long.MIN_VALUE;
    for (var caller : pending.entrySet()) {
      if (!apart.contains(caller.getKey())) {
        most = Math.max(most, caller.getValue().nextOrdinal());
      }
    }
    for (int rank : apart) {
      var calls = pending.get(rank);
      if (calls == null || calls.nextOrdinal() <= most) {
        return Set.of();
      }
    }
    return Set.copyOf(apart);
  }

  /// Mean duration of a turn in seconds, pauses included; before turns show, that of a step of many
  /// rounds; 0 with fewer than two rounds.
  public double meanStepSeconds() {
    return completed < 2
        ? 0
        : Nanos.seconds(waits.lastNanos() - waits.firstNanos())
            / (completed + leftOut - 1)
            * (waits.roundsAStep() > 0 ? waits.roundsAStep() : MANY_ROUNDS);
  }

  /// Which ranks waited for which in them.
  public Waits waits() {
    return waits;
  }

  /// Ranks whose lines come in bursts while the others' come one by one. The times of their lines
  /// do not show when the calls were made.
  public Set<Integer> inBursts() {
    return bursts.of(pending.keySet());
  }

  /// Some lines of its calls: of the first round that disagrees, if any does, else of the first
  /// rounds.
  public List<Evidence> samples() {
    return List.copyOf(samples);
  }

  /// The least exact basis of the ranks' times.
  public TimeBasis basis() {
    return basis;
  }

  /// Rounds that all ranks were seen to reach.
  public long completed() {
    return completed;
  }

  /// Rounds in which ranks called different operations: lines were lost, or the program is wrong.
  public long mismatched() {
    return mismatched;
  }

  /// Rounds before the last one seen that were left out, since ranks call too often.
  public long leftOut() {
    return leftOut;
  }

  /// Unix epoch nanoseconds of the last call that any rank made, NO_TIME if none is known.
  public long lastCallNanos() {
    long last = waits.lastNanos();
    for (var queue : pending.values()) {
      last = queue.isEmpty() ? last : Math.max(last, queue.lastNanos());
    }
    return last;
  }
}
