package io.ringside.streams.waits;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Nanos;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// What one turn of a program, a training step if the schedule shows steps, adds to the question
/// which rank is late: how long the others waited, and for which ranks.
final class Turn {
  private static final int MAX_PROOFS = 2;

  /// A wait is real if it is longer than this, in seconds.
  static final double LEAST_WAIT = 0.010;

  /// A rank that is late by at least this share of the latest rank's delay is late together with
  /// it.
  private static final double TOGETHER = 0.5;

  /// A rank that comes with the others, except for this share of a delay, was not late by that
  /// delay.
  private static final double IN_TIME = 0.25;

  private int rounds;
  private double weight = 1;
  private double seconds;
  private double workedSeconds;
  private boolean ahead;
  private long leastSpreadNanos = Long.MAX_VALUE;
  private long othersNanos = Long.MIN_VALUE;

  /// The longest wait of the others in one round: how long it lasted, and from when until when.
  private double longestSeconds;

  private long longestFrom;
  private long longestUntil;
  private long sinceNanos = Long.MAX_VALUE;
  private long untilNanos = Long.MIN_VALUE;
  private long untilRound;
  private long restedNanos;
  private final Map<Integer, Double> lateSeconds = new TreeMap<>();
  private final List<Evidence> proofs = new ArrayList<>();
  private @Nullable LateRound lateRound;

  /// The same turn, if a rank's lateness counts once for all calls, whether or not others call on
  /// meanwhile; null in that view itself.
  private @Nullable Turn called;

  Turn() {}

  /// A turn with both views.
  static Turn withCalled() {
    var turn = new Turn();
    turn.called = new Turn();
    return turn;
  }

  /// The same turn, if a rank's lateness counts once for all calls, whether or not others call on
  /// meanwhile.
  Turn asCalled() {
    return called == null ? this : called;
  }

  int rounds() {
    return rounds;
  }

  /// Number of turns that it stands for: others before it were left out.
  double weight() {
    return weight;
  }

  void weight(double turns) {
    weight = turns;
    if (called != null) {
      called.weight(turns);
    }
  }

  /// Its duration from the end of the turn before, in seconds; 0 if unknown.
  double seconds() {
    return seconds;
  }

  /// The same without a rest of all ranks in it; see [WorkBreaks].
  double workedSeconds() {
    return workedSeconds;
  }

  /// Whether all but the late ranks had made all calls of this turn before the late ones ended the
  /// turn before: then they wait for no rank.
  boolean ahead() {
    return ahead;
  }

  /// @param nanos when the turn before was complete
  /// @param workedNanos the same by {@link #workedNanos}
  void after(long nanos, long workedNanos) {
    seconds = Nanos.seconds(Math.max(0, untilNanos - nanos));
    workedSeconds = Nanos.seconds(Math.max(0, workedNanos() - workedNanos));
    ahead = othersNanos <= nanos;
    if (called != null) {
      called.after(nanos, workedNanos);
    }
  }

  /// When the others came to the round in which they waited longest.
  long longestFrom() {
    return longestFrom;
  }

  /// When the late rank came to that round.
  long longestUntil() {
    return longestUntil;
  }

  /// When the last round was complete.
  long untilNanos() {
    return untilNanos;
  }

  /// Number of rounds until its end.
  long untilRound() {
    return untilRound;
  }

  void untilRound(long round) {
    untilRound = round;
    if (called != null) {
      called.untilRound(round);
    }
  }

  /// When the others began to wait for the first time.
  long sinceNanos() {
    return sinceNanos;
  }

  List<Evidence> proofs() {
    return proofs;
  }

  /// The round that the proofs belong to.
  @Nullable LateRound lateRound() {
    return lateRound;
  }

  /// When the last round was complete, by a clock that stands still while no rank calls.
  long workedNanos() {
    return untilNanos - restedNanos;
  }

  /// Adds a round. Its waits do not include times for which earlier rounds were waited for.
  ///
  /// @param asCalled the same round, whether or not others call on before the late rank comes
  /// @param drawn makes the round's record from the last rank's line
  /// @param rested nanoseconds in all for which no rank called before the round
  void add(
      Arrival arrival,
      Arrival asCalled,
      Map<Integer, Evidence> lines,
      Function<String, LateRound> drawn,
      long rested) {
    add(arrival, lines, drawn, rested, Double::sum);
    if (called != null) {
      called.add(asCalled, Map.of(), drawn, rested, Math::max); // convicts nobody: needs no proof
    }
  }

  private void add(
      Arrival arrival,
      Map<Integer, Evidence> lines,
      Function<String, LateRound> drawn,
      long rested,
      BinaryOperator<Double> ofRounds) {
    rounds++;
    restedNanos = rested;
    untilNanos = Math.max(untilNanos, arrival.lastNanos());
    othersNanos = Math.max(othersNanos, arrival.othersNanos());
    leastSpreadNanos = Math.min(leastSpreadNanos, arrival.lastNanos() - arrival.firstNanos());
    if (arrival.lostSeconds() < LEAST_WAIT) {
      return; // ranks always differ by many short waits
    }
    if (arrival.lostSeconds() > longestSeconds) {
      longestSeconds = arrival.lostSeconds();
      longestFrom = arrival.othersNanos();
      longestUntil = arrival.lastNanos();
    }
    sinceNanos = Math.min(sinceNanos, Math.min(arrival.bodyNanos(), arrival.lastNanos()));
    for (int i = 0; i < arrival.late().length; i++) {
      lateSeconds.merge(arrival.late()[i], arrival.lateSeconds()[i], ofRounds);
    }
    var both = arrival.proofs(lines);
    if (proofs.size() + both.size() <= MAX_PROOFS) {
      proofs.addAll(both);
      if (lateRound == null && !both.isEmpty()) {
        lateRound = drawn.apply(both.getLast().text());
      }
    }
  }

  /// Whether all ranks came to one of the calls at once, by their clocks. They do not if a clock is
  /// wrong by this much.
  boolean together(double seconds) {
    return leastSpreadNanos <= IN_TIME * seconds * 1e9;
  }

  /// Which ranks kept the others waiting.
  ///
  /// @param ranks ranks that were late, together with the latest one; empty if none was, or too
  ///   many were
  /// @param seconds how much later they were than the next rank
  /// @param clear whether that is more than their clocks may be wrong by
  record Verdict(Set<Integer> ranks, double seconds, boolean clear) {
    static final Verdict NOBODY = new Verdict(Set.of(), 0, true);

    /// The same verdict, marked as uncertain.
    Verdict unclear() {
      return new Verdict(ranks, seconds, false);
    }
  }

  /// @param least seconds below which no rank is late
  /// @param error seconds by which a rank's clock may be wrong
  /// @param most ranks that may be late together
  Verdict verdict(double least, double error, int most) {
    var clear = verdict(least, rank -> lateSeconds(rank) >= error, most);
    if (!clear.ranks().isEmpty()) {
      return clear;
    }
    var likely = verdict(least, _ -> true, most);
    return likely.ranks().isEmpty() ? likely : likely.unclear();
  }

  private Verdict verdict(double least, IntPredicate sure, int most) {
    double worst = 0;
    for (var entry : lateSeconds.entrySet()) {
      if (sure.test(entry.getKey())) {
        worst = Math.max(worst, entry.getValue());
      }
    }
    if (worst < least) {
      return Verdict.NOBODY;
    }
    var ranks = new TreeSet<Integer>();
    double next = 0;
    for (var entry : lateSeconds.entrySet()) {
      double seconds = entry.getValue();
      if (seconds >= TOGETHER * worst && sure.test(entry.getKey())) {
        ranks.add(entry.getKey());
      } else {
        next = Math.max(next, seconds);
      }
    }
    return ranks.size() > most || worst - next < least
        ? Verdict.NOBODY
        : new Verdict(ranks, worst - next, true);
  }

  /// How long the others waited for this rank, in seconds.
  double lateSeconds(int rank) {
    return lateSeconds.getOrDefault(rank, 0.0);
  }
}
