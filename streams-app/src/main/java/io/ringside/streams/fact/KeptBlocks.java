package io.ringside.streams.fact;

/// Selects which calls of a communicator are examined if its ranks make too many: whole blocks of
/// consecutive ordinals, one block out of two, four, eight and so on. The selection is
/// pseudo-random, so that it cannot run in step with a program's own period. It depends on the
/// ordinals alone, so that all ranks select the same blocks without communication. Blocks kept on a
/// higher level are also kept on every lower level, so ranks on different levels still share the
/// blocks of the higher one.
public final class KeptBlocks {
  /// Calls in a block: more than three of the longest steps that {@code StepPeriod} can recognize.
  public static final int BLOCK = 2048;

  /// Highest level: one of 64 blocks.
  public static final int MOST_LEVEL = 6;

  private KeptBlocks() {}

  /// Whether the call is kept.
  ///
  /// @param level one of 2<sup>level</sup> blocks is kept, 0 to {@link #MOST_LEVEL}
  public static boolean keeps(long ordinal, int level) {
    long block = ordinal / BLOCK;
    for (int i = 1; i <= level; i++) {
      // the draw selects one of two neighbours on this level
      if (((block >>> (i - 1)) & 1) != draw(block >>> i, i)) {
        return false;
      }
    }
    return true;
  }

  private static long draw(long pair, int level) {
    long mixed = (pair * 64 + level) * 0x9E37_79B9_7F4A_7C15L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8_FEB8_6659_FD93L;
    return (mixed >>> 40) & 1;
  }
}
