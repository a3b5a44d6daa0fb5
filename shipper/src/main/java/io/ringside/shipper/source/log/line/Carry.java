package io.ringside.shipper.source.log.line;

import java.util.Arrays;

/// The beginning of a line that the container runtime wrote in parts. Not thread-safe.
final class Carry {
  private static final byte[] NOTHING = {};
  private int limit;
  private final LineCounts counts;
  byte[] bytes = NOTHING;
  int length;

  /// Whether something behind the limit was dropped.
  boolean cut;

  /// Where the first part lies in the file, or -1 if there is none.
  long offset = -1;

  Carry(int limit, LineCounts counts) {
    this.limit = limit;
    this.counts = counts;
  }

  /// What is longer already stays; nothing is added to it.
  void limit(int bytes) {
    limit = bytes;
  }

  boolean isEmpty() {
    return offset < 0;
  }

  void append(byte[] from, int start, int end, long at) {
    if (isEmpty()) {
      offset = at;
    }
    int wanted = end - start;
    int room = Math.max(0, Math.min(wanted, limit - length));
    if (bytes.length < length + room) {
      bytes = Arrays.copyOf(bytes, Math.max(length + room, Math.min(limit, 2 * bytes.length)));
    }
    System.arraycopy(from, start, bytes, length, room);
    length += room;
    if (room < wanted) {
      cut = true;
      counts.cutBytes.add(wanted - room);
    }
  }

  /// Forgets the first `count` bytes; the rest began at `at`.
  void dropHead(int count, long at) {
    System.arraycopy(bytes, count, bytes, 0, length - count);
    length -= count;
    offset = at;
  }

  void clear() {
    bytes = NOTHING;
    length = 0;
    cut = false;
    offset = -1;
  }
}
