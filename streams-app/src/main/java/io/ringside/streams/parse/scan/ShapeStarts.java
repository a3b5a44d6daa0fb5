package io.ringside.streams.parse.scan;

/// Where the walk over a {@link ShapeTree} may begin: the first eight bytes of a message lead
/// directly to the node that holds the last of them. A hash table with one lookup per message.
///
/// @param keys eight bytes each, the first one lowest; 0 in a free slot
/// @param places the target of each key, {@link #FIELDS} numbers each
@SuppressWarnings("ArrayRecordComponent") // read by the tree alone, at every message
record ShapeStarts(long[] keys, int[] places) {

  static final int BYTES = Long.BYTES;
  static final int FIELDS = 4;

  /// The node that holds the eighth byte.
  static final int NODE = 0;

  /// Where the rest of the node's label begins, which the eight bytes do not cover.
  static final int REST = 1;

  /// Length of that rest.
  static final int LENGTH = 2;

  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

  /// A table for the given number of starts.
  static ShapeStarts of(int starts) {
    var slots = Integer.highestOneBit(Math.max(1, starts)) * 4;
    return new ShapeStarts(new long[slots], new int[slots * FIELDS]);
  }

  void put(long key, int node, int rest, int length) {
    var slot = slot(key);
    while (keys[slot] != 0) {
      slot = slot + 1 & keys.length - 1;
    }
    keys[slot] = key;
    places[slot * FIELDS + NODE] = node;
    places[slot * FIELDS + REST] = rest;
    places[slot * FIELDS + LENGTH] = length;
  }

  /// Index of the place for a message that begins with these bytes. Negative if no shape begins so,
  /// or if the shape is shorter or has a number there.
  int find(long key) {
    var slot = slot(key);
    while (keys[slot] != key) {
      if (keys[slot] == 0) {
        return -1;
      }
      slot = slot + 1 & keys.length - 1;
    }
    return slot * FIELDS;
  }

  private int slot(long key) {
    return (int) (key * SPREAD >>> 40) & keys.length - 1;
  }
}
