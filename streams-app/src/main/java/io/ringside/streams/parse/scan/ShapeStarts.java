package io.ringside.streams.parse.scan;

import org.jspecify.annotations.Nullable;

/// Where the walk over a {@link ShapeTree} may begin: the first eight bytes of a message lead to the node that holds the
/// last of them, without the steps to it. A hash table, looked up once a message.
///
/// @param keys eight bytes each, the first one lowest; 0 in a slot that is free
/// @param starts what the keys lead to
@SuppressWarnings("ArrayRecordComponent") // read by the tree alone, at every message
record ShapeStarts(long[] keys, @Nullable Start[] starts) {

  static final int BYTES = Long.BYTES;
  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

  /// A node in the middle of the tree.
  ///
  /// @param key bytes that lead to it
  /// @param node its number
  /// @param before how many of the bytes lie before its label
  /// @param last the last node above at which a shape ends, or -1
  /// @param lastAfter how many bytes lie before the end of that one's label
  record Start(long key, int node, int before, int last, int lastAfter) {}

  /// A table that can hold so many starts.
  static ShapeStarts of(int starts) {
    var slots = Integer.highestOneBit(Math.max(1, starts)) * 4;
    return new ShapeStarts(new long[slots], new Start[slots]);
  }

  void put(Start start) {
    var slot = slot(start.key());
    while (keys[slot] != 0) {
      slot = slot + 1 & keys.length - 1;
    }
    keys[slot] = start.key();
    starts[slot] = start;
  }

  /// The start for a message that begins with these bytes; null if no shape does, or one has less text or a number there.
  @Nullable Start find(long key) {
    var slot = slot(key);
    while (keys[slot] != key) {
      if (keys[slot] == 0) {
        return null;
      }
      slot = slot + 1 & keys.length - 1;
    }
    return starts[slot];
  }

  private int slot(long key) {
    return (int) (key * SPREAD >>> 40) & keys.length - 1;
  }
}
