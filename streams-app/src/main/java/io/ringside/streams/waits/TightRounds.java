package io.ringside.streams.waits;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// The rounds to which all ranks came most nearly at one moment, by uncorrected timestamps. If the
/// clocks of many hosts agree again and again, none of them is far off: that a rank is late by
/// exactly the error of its clock happens once, not three times.
///
/// Programs that queue calls before they first wait for each other, each rank from the end of its
/// own start on, therefore show nothing about clocks. Times are nanoseconds.
final class TightRounds {
  /// Two or three clocks may well agree by chance.
  private static final int LEAST_CLOCKS = 8;

  private static final int KEPT = 3;

  /// Rounds at most this far apart are of one moment.
  private static final long MOMENT = 1_000_000_000L;

  /// Most that two clocks may gain on each other, in seconds a second.
  private static final double DRIFT = 100e-6;

  /// After this many moments at which the clocks did not agree again, a clock may have been set.
  private static final int MOST_MISSED = 16;

  private long missedNanos;
  private int missed;
  private final List<Long> atNanos = new ArrayList<>();
  private final List<Long> spreads = new ArrayList<>();
  private final List<long[]> differences = new ArrayList<>();

  /// Adds a round.
  ///
  /// @param earliest earliest call of each clock
  /// @param middle time with which clocks are compared
  /// @param at time of the round, Unix epoch
  void note(long[] earliest, long middle, long at) {
    if (earliest.length < LEAST_CLOCKS) {
      return;
    }
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    for (long each : earliest) {
      least = Math.min(least, each);
      most = Math.max(most, each);
    }
    if (most == Long.MAX_VALUE) {
      return; // a clock has no lines
    }
    meetAgain(most - least, at);
    int place = place(at, most - least);
    if (place < 0) {
      return;
    }
    var own = new long[earliest.length];
    for (int clock = 0; clock < own.length; clock++) {
      own[clock] = earliest[clock] - middle;
    }
    if (place == atNanos.size()) {
      atNanos.add(at);
      spreads.add(most - least);
      differences.add(own);
    } else {
      atNanos.set(place, at);
      spreads.set(place, most - least);
      differences.set(place, own);
    }
  }

  private void meetAgain(long spread, long at) {
    boolean meet = false;
    for (int i = 0; i < atNanos.size(); i++) {
      meet |= spread <= 2 * spreadNow(i, at);
    }
    if (meet) {
      missed = 0;
    } else if (at - missedNanos >= MOMENT) {
      missedNanos = at;
      if (++missed > MOST_MISSED) {
        forget();
      }
    }
  }

  /// Place at which a round is kept, -1 if it is no tighter than those that are kept.
  private int place(long at, long spread) {
    int worst = -1;
    for (int i = 0; i < atNanos.size(); i++) {
      if (Math.abs(at - atNanos.get(i)) < MOMENT) {
        return spread < spreads.get(i) ? i : -1;
      }
      worst = worst < 0 || spreadNow(i, at) > spreadNow(worst, at) ? i : worst;
    }
    if (atNanos.size() < KEPT) {
      return atNanos.size();
    }
    return spread < spreadNow(worst, at) ? worst : -1;
  }

  private long spreadNow(int i, long at) {
    return spreads.get(i) + Math.round(DRIFT * Math.max(0, at - atNanos.get(i)));
  }

  /// How far a clock may be ahead: the value nearest to the estimate that these rounds allow.
  long bound(int clock, long estimate) {
    if (atNanos.size() < KEPT) {
      return estimate;
    }
    long now = Collections.max(atNanos);
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    for (int i = 0; i < KEPT; i++) {
      long own = differences.get(i)[clock];
      low = Math.min(low, own - spreadNow(i, now));
      high = Math.max(high, own + spreadNow(i, now));
    }
    return Math.clamp(estimate, low, high);
  }

  /// Records that a clock was set forwards by this much: earlier rounds stay valid for it.
  void set(int clock, long nanos) {
    differences.forEach(each -> each[clock] += nanos);
  }

  /// Forgets all rounds: a clock was set, and what was seen before is of no use.
  void forget() {
    atNanos.clear();
    spreads.clear();
    differences.clear();
    missed = 0;
  }
}
