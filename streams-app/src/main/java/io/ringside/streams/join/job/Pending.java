package io.ringside.streams.join.job;

import java.util.Arrays;

/// The calls of one rank that wait for the other ranks': a queue of times and signatures, in the order
/// of their ordinals, on plain arrays.
final class Pending {
  private long[] nanos = new long[0];
  private int[] signatures = new int[0];
  private int head;
  private int size;
  private long firstOrdinal;

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
    return firstOrdinal + size;
  }

  long firstNanos() {
    return nanos[head];
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

  void removeFirst() {
    head++;
    size--;
    firstOrdinal++;
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
