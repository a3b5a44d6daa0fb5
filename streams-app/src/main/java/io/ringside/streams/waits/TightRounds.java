package io.ringside.streams.waits;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// The rounds to which all ranks came most nearly at one moment, by stamps as they are. Where the
/// clocks of many hosts agree again and again, none of them is far off: that one who is late is so
/// by just what its clock is wrong happens once, not three times.
///
/// So programs that queue calls before they first wait for each other, each from when its own start
/// is over, tell nothing of clocks. Times are nanoseconds.
final class TightRounds {
  /// Two or three may well meet by chance.
  private static final int LEAST_CLOCKS = 8;

  private static final int KEPT = 3;

  /// Rounds that are not further apart are of one moment.
  private static final long MOMENT = 1_000_000_000L;

  /// Two clocks may gain so much on each other.
  private static final double DRIFT = 100e-6;

  /// After so many moments at which they did not meet again, a clock may have been set.
  private static final int MOST_MISSED = 16;

  private long missedNanos;
  private int missed;
  private final List<Long> atNanos = new ArrayList<>();
  private final List<Long> spreads = new ArrayList<>();
  private final List<long[]> differences = new ArrayList<>();

  /// Takes in a round.
  ///
  /// @param earliest by clock
  /// @param middle what clocks are compared with
  /// @param at Unix epoch
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
      return; // of a clock there are no lines
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

  /// Where a round goes, -1 if it is no tighter than those that are kept.
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

  /// What a clock may be ahead by, as near to an estimate as these rounds allow.
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

  /// A clock was set forwards by so much: what was seen before is known of it all the same.
  void set(int clock, long nanos) {
    differences.forEach(each -> each[clock] += nanos);
  }

  /// A clock was set: what was seen before is of no use.
  void forget() {
    atNanos.clear();
    spreads.clear();
    differences.clear();
    missed = 0;
  }
}
