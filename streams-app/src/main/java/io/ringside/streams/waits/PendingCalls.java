package io.ringside.streams.waits;

import java.util.Arrays;

/// The calls of one rank that wait for those of other ranks: a queue of times and signatures, in
/// the order of their ordinals, on plain arrays. Ordinals that were left out are gaps in it.
final class PendingCalls {
  private Clock clock = Clock.of("");
  private long[] nanos = new long[0];
  private int[] signatures = new int[0];
  private int head;
  private int size;
  private long firstOrdinal;

  /// For each gap, the ordinal of its first call and its number of calls, alternating; all after
  /// the first call.
  private long[] gaps = new long[0];

  PendingCalls() {}

  /// @param clock clock of the times
  PendingCalls(Clock clock) {
    this.clock = clock;
  }

  /// The same calls, which may only be removed from the front. They are not copied, so the view is
  /// valid until the next call is added here.
  PendingCalls view() {
    var view = new PendingCalls(clock);
    view.nanos = nanos;
    view.signatures = signatures;
    view.head = head;
    view.size = size;
    view.firstOrdinal = firstOrdinal;
    view.gaps = gaps.clone();
    return view;
  }

  Clock clock() {
    return clock;
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  long firstOrdinal() {
    return firstOrdinal;
  }

  /// The ordinal of the rank's next call.
  long nextOrdinal() {
    long next = firstOrdinal + size;
    for (int i = 1; i < gaps.length; i += 2) {
      next += gaps[i];
    }
    return next;
  }

  long firstNanos() {
    return nanos[head];
  }

  long lastNanos() {
    return nanos[head + size - 1];
  }

  int firstSignature() {
    return signatures[head];
  }

  void add(long ordinal, long at, int signature) {
    if (size == 0) {
      head = 0;
      firstOrdinal = ordinal;
    }
    if (head + size == nanos.length) {
      makeRoom();
    }
    nanos[head + size] = at;
    signatures[head + size] = signature;
    size++;
  }

  /// Records that the rank's next calls are left out.
  void leaveOut(int calls) {
    if (size == 0) {
      firstOrdinal += calls;
      return;
    }
    long from = nextOrdinal();
    if (gaps.length > 0 && gaps[gaps.length - 2] + gaps[gaps.length - 1] == from) {
      gaps[gaps.length - 1] += calls;
      return;
    }
    gaps = Arrays.copyOf(gaps, gaps.length + 2);
    gaps[gaps.length - 2] = from;
    gaps[gaps.length - 1] = calls;
  }

  void removeFirst() {
    head++;
    size--;
    firstOrdinal++;
    if (gaps.length > 0 && gaps[0] == firstOrdinal) {
      firstOrdinal += gaps[1];
      gaps = Arrays.copyOfRange(gaps, 2, gaps.length);
    }
  }

  private void makeRoom() {
    if (head > 0 && head >= nanos.length / 2) {
      System.arraycopy(nanos, head, nanos, 0, size);
      System.arraycopy(signatures, head, signatures, 0, size);
    } else {
      var from = head;
      var wider = Math.max(64, size * 2);
      nanos = Arrays.copyOf(Arrays.copyOfRange(nanos, from, from + size), wider);
      signatures = Arrays.copyOf(Arrays.copyOfRange(signatures, from, from + size), wider);
    }
    head = 0;
  }
}
