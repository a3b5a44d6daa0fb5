package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.streams.fact.Arrivals;
import java.util.Arrays;

/// Checks whether calls of all ranks with equal numbers belong to the same rounds. They must be
/// alike, and no rank may make a call at the time when another rank makes the same call of a later
/// step. Numbers that are wrong by part of a step differ in operation or count somewhere. Numbers
/// that are wrong by whole steps make a rank a whole step late.
final class CommonRounds {
  /// Fewer rounds prove too little.
  static final int FEWEST = 48;

  /// This many rounds without a repetition prove as much as fewer that repeat.
  private static final int MANY = 512;

  /// Share of a step after which the last call of a round seems to belong to the next step. Clocks
  /// that differ and ranks that are late cause this in single rounds.
  private static final double LATEST = 0.9;

  private final int[] signatures;
  private final long[] first;
  private final long[] last;
  private boolean begun;
  private boolean alike = true;
  private boolean timed = true;
  private int filled;

  enum Verdict {
    ALIGNED,
    APART,
    TOO_FEW
  }

  /// @param rounds how many numbers all ranks have
  CommonRounds(int rounds) {
    signatures = new int[rounds];
    first = new long[rounds];
    last = new long[rounds];
    Arrays.fill(first, Long.MAX_VALUE);
    Arrays.fill(last, Long.MIN_VALUE);
  }

  /// Adds calls of one rank, some of which may belong to other rounds.
  ///
  /// @param from number of the first round
  void add(Arrivals calls, long from) {
    for (int i = 0; i < calls.nanos().length; i++) {
      long round = calls.firstOrdinal() + i - from;
      if (round < 0 || round >= signatures.length) {
        continue;
      }
      int at = (int) round;
      alike &= !begun || signatures[at] == calls.signatures()[i];
      signatures[at] = calls.signatures()[i];
      timed &= calls.nanos()[i] != NO_TIME;
      first[at] = Math.min(first[at], calls.nanos()[i]);
      last[at] = Math.max(last[at], calls.nanos()[i]);
      filled++;
    }
  }

  /// Ends the calls of a rank.
  void rankDone() {
    alike &= filled == signatures.length;
    filled = 0;
    begun = true;
  }

  Verdict verdict() {
    if (!alike || !timed) {
      return Verdict.APART;
    }
    int again = step();
    int step = Math.min(again, signatures.length / 2);
    int looked = signatures.length - step;
    int apart = 0;
    for (int round = 0; round < looked; round++) {
      apart += last[round] > first[round] + LATEST * (first[round + step] - first[round]) ? 1 : 0;
    }
    return 2 * apart > looked
        ? Verdict.APART
        : again == step || signatures.length >= MANY ? Verdict.ALIGNED : Verdict.TOO_FEW;
  }

  /// Number of rounds after which the same ones repeat, by Knuth, Morris and Pratt.
  private int step() {
    var border = new int[signatures.length];
    for (int i = 1, length = 0; i < signatures.length; ) {
      if (signatures[i] == signatures[length]) {
        border[i++] = ++length;
      } else if (length > 0) {
        length = border[length - 1];
      } else {
        i++;
      }
    }
    return signatures.length - border[signatures.length - 1];
  }

  /// When the first call of the first round was made, Unix epoch nanoseconds.
  long firstNanos() {
    return first[0];
  }
}
