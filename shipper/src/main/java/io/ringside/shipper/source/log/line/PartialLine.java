package io.ringside.shipper.source.log.line;

import java.util.Arrays;

/// The beginning of a line that the container runtime wrote in parts. Not thread-safe.
public final class PartialLine {
  private static final byte[] NOTHING = {};
  private int limit;
  private final LineCounts counts;
  public byte[] bytes = NOTHING;
  public int length;

  /// Whether bytes beyond the limit were dropped.
  public boolean cut;

  /// Offset of the first part in the file, or -1 if there is none.
  public long offset = -1;

  public PartialLine(int limit, LineCounts counts) {
    this.limit = limit;
    this.counts = counts;
  }

  /// Changes the limit. Bytes already collected beyond it are kept, but none are added.
  public void limit(int bytes) {
    limit = bytes;
  }

  public boolean isEmpty() {
    return offset < 0;
  }

  public void append(byte[] from, int start, int end, long at) {
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

  /// Removes the first `count` bytes; the rest began at `at`.
  public void dropHead(int count, long at) {
    System.arraycopy(bytes, count, bytes, 0, length - count);
    length -= count;
    offset = at;
  }

  public void clear() {
    bytes = NOTHING;
    length = 0;
    cut = false;
    offset = -1;
  }
}
