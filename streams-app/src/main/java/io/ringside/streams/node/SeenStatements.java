package io.ringside.streams.node;

import io.ringside.schemas.event.Text;

/// Statements that the processes of one log file have already made. The job gets each statement
/// once, however often it is printed. Kept as 64-bit hashes of process, communicator and message in
/// an open-addressing table. Owned by one stream thread.
public final class SeenStatements {
  /// Enough for 16 processes with 1,000 statements each; beyond that everything is passed on.
  private static final int MOST = 16_384;

  /// Most characters that the statements of one file may have: a hundred starts of eight ranks.
  /// Later statements are ignored, which bounds the state of the job.
  private static final long MOST_CHARACTERS = 16 << 20;

  private long[] table = new long[64];
  private long characters;
  private int size;
  private transient boolean changed;

  /// Whether the statement is new; the call remembers it. Once a file has stated too much, nothing
  /// is new.
  ///
  /// @param about hash of the process and the communicator
  boolean isNew(long about, Text text, int from, int to) {
    if (size < MOST) {
      long hash = about;
      for (int i = from; i < to; i++) {
        hash = (hash ^ text.charAt(i)) * 0x0000_0100_0000_01B3L;
      }
      if (!add(mixed(hash))) {
        return false;
      }
    }
    characters += to - from;
    return characters <= MOST_CHARACTERS;
  }

  /// Whether anything was added since the last call.
  public boolean takeChanged() {
    boolean was = changed;
    changed = false;
    return was;
  }

  private boolean add(long hash) {
    long entry = hash == 0 ? 1 : hash;
    int at = slot(table, entry);
    if (table[at] == entry) {
      return false;
    }
    table[at] = entry;
    changed = true;
    if (++size * 2 > table.length) {
      grow();
    }
    return true;
  }

  private void grow() {
    var wider = new long[table.length * 2];
    for (long entry : table) {
      if (entry != 0) {
        wider[slot(wider, entry)] = entry;
      }
    }
    table = wider;
  }

  private static int slot(long[] table, long entry) {
    int at = (int) entry & (table.length - 1);
    while (table[at] != 0 && table[at] != entry) {
      at = (at + 1) & (table.length - 1);
    }
    return at;
  }

  private static long mixed(long hash) {
    long mixed = (hash ^ (hash >>> 32)) * 0x9E37_79B9_7F4A_7C15L;
    return mixed ^ (mixed >>> 29);
  }
}
