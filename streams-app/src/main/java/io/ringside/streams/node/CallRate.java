package io.ringside.streams.node;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import io.ringside.streams.fact.KeptBlocks;

/// How often a process calls a communicator, and which calls are kept to limit their number. The
/// result depends only on the ordinals and times of the process's own lines, so a replay keeps the
/// same calls.
final class CallRate {
  /// The rate is measured over this many calls, several blocks: some blocks of a step have no
  /// pause, and alone they would make the program seem too fast.
  private static final int SPAN = 8 * KeptBlocks.BLOCK;

  /// If a block takes this many times as long as at the allowed rate, the program has become slow,
  /// and all its calls are kept again.
  private static final int SLOW = 2;

  /// A lower level is used only if it would keep less than this share of the allowed calls.
  private static final double LESS = 0.8;

  private int level;
  private long spanNanos = NO_TIME;
  private long blockNanos = NO_TIME;

  /// Whether the call is kept. Must be called once for each call, in order.
  ///
  /// @param atNanos time of the call; NO_TIME if unknown, then all calls are kept
  /// @param most allowed calls a second
  boolean keeps(long ordinal, long atNanos, int most) {
    if (ordinal % KeptBlocks.BLOCK == 0) {
      blockNanos = atNanos;
      if (ordinal % SPAN == 0) {
        level = spanNanos == NO_TIME || atNanos == NO_TIME ? 0 : level(atNanos - spanNanos, most);
        spanNanos = atNanos;
      }
    } else if (level > 0
        && (atNanos == NO_TIME
            || atNanos - blockNanos > SLOW * KeptBlocks.BLOCK * 1_000_000_000L / most)) {
      level = 0;
    }
    return KeptBlocks.keeps(ordinal, level);
  }

  private int level(long nanos, int most) {
    double rate = SPAN / Nanos.seconds(Math.max(1, nanos));
    int wanted = 0;
    while (wanted < KeptBlocks.MOST_LEVEL && rate > most * (1L << wanted)) {
      wanted++;
    }
    boolean keeps = wanted == level - 1 && rate > LESS * most * (1L << wanted);
    return keeps ? level : wanted;
  }
}
