package io.ringside.streams.waits;

import java.util.Arrays;

/// An even sample of a series of unknown length: keeps every k-th value and doubles k when full.
/// Which values it holds depends on the series alone, so a replay gives the same.
final class Reservoir {
  /// First length of the array. It grows, since most of the many series stay short.
  private static final int FIRST = 16;

  private int capacity;
  private double[] kept;
  private int size;
  private long seen;
  private long every = 1;

  Reservoir() {
    this(512);
  }

  Reservoir(int capacity) {
    this.capacity = capacity;
    kept = new double[Math.min(FIRST, capacity)];
  }

  void add(double value) {
    if (seen++ % every != 0) {
      return;
    }
    if (size == kept.length && size < capacity) {
      kept = Arrays.copyOf(kept, Math.min(capacity, 2 * size));
    }
    if (size == kept.length) {
      for (int i = 0; i < size / 2; i++) {
        kept[i] = kept[2 * i];
      }
      size /= 2;
      every *= 2;
      if ((seen - 1) % every != 0) {
        return;
      }
    }
    kept[size++] = value;
  }

  /// Removes the newest values. Allowed only while every value is kept.
  void removeLast(int values) {
    size -= values;
    seen -= values;
  }

  /// Adds the same amount to every value that is kept.
  void shift(double by) {
    for (int i = 0; i < size; i++) {
      kept[i] += by;
    }
  }

  /// The value below which this share of the series lies, 0 if there are no values.
  double quantile(double share) {
    if (size == 0) {
      return 0;
    }
    var sorted = Arrays.copyOf(kept, size);
    Arrays.sort(sorted);
    return sorted[(int) Math.min(size - 1L, Math.round(share * (size - 1)))];
  }

  /// The values that are kept, the oldest first.
  double[] values() {
    return Arrays.copyOf(kept, size);
  }

  /// The values that are kept, the least first.
  double[] sorted() {
    var sorted = Arrays.copyOf(kept, size);
    Arrays.sort(sorted);
    return sorted;
  }

  int size() {
    return size;
  }
}
