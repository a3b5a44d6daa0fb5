package io.ringside.streams.waits;

import java.util.TreeMap;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;

/// Values over time, one bucket for each stretch of windows. When there would be too many buckets,
/// each becomes twice as wide and absorbs its neighbour.
///
/// @param <B> values of one stretch
final class Buckets<B extends Buckets.Bucket<B>> {
  private long width = 1;
  private final TreeMap<Long, B> byIndex = new TreeMap<>();

  /// Values of one stretch.
  interface Bucket<B> {
    /// Adds all values of another stretch.
    void add(B other);
  }

  /// The bucket of a window.
  ///
  /// @param most how many buckets there may be
  B at(long window, int most, Supplier<B> fresh) {
    while (!byIndex.isEmpty()
        && Math.max(byIndex.lastKey(), index(window)) - Math.min(byIndex.firstKey(), index(window))
            >= most) {
      fold(fresh);
    }
    return byIndex.computeIfAbsent(index(window), _ -> fresh.get());
  }

  private long index(long window) {
    return Math.floorDiv(window, width);
  }

  private void fold(Supplier<B> fresh) {
    var old = new TreeMap<>(byIndex);
    byIndex.clear();
    width *= 2;
    old.forEach(
        (index, bucket) ->
            byIndex.computeIfAbsent(Math.floorDiv(index, 2), _ -> fresh.get()).add(bucket));
  }

  /// Width of a bucket in windows: 1, 2, 4 …
  long width() {
    return width;
  }

  boolean isEmpty() {
    return byIndex.isEmpty();
  }

  /// The first window of the first bucket, if there is one.
  long first() {
    return byIndex.firstKey() * width;
  }

  /// The first window of the last bucket, if there is one.
  long last() {
    return byIndex.lastKey() * width;
  }

  /// All buckets, oldest first, with their first windows.
  void each(ObjLongConsumer<B> reader) {
    byIndex.forEach((index, bucket) -> reader.accept(bucket, index * width));
  }
}
