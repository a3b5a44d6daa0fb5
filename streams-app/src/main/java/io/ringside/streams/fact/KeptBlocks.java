package io.ringside.streams.fact;

/// Which calls of a communicator are looked at where its ranks make too many: whole blocks of
/// consecutive ordinals, one of each two, four, eight … blocks. Which one is drawn, so that no
/// program's steps keep pace with it; but by the ordinals alone, so that all ranks keep the same
/// without a word between them. What a higher level keeps a lower one keeps as well: ranks that
/// choose different levels still have the higher one's in common.
public final class KeptBlocks {
  /// Calls of a block: more than three of the longest steps that {@code StepPeriod} makes out.
  public static final int BLOCK = 2048;

  /// One of 64 blocks.
  public static final int MOST_LEVEL = 6;

  private KeptBlocks() {}

  /// Whether the call is kept.
  ///
  /// @param level one of 2<sup>level</sup> blocks is
  public static boolean keeps(long ordinal, int level) {
    long block = ordinal / BLOCK;
    for (int i = 1; i <= level; i++) {
      // of two neighbours on this level the one that the draw for both says
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
