package io.ringside.streams.bill;

import io.ringside.schemas.event.Nanos;
import io.ringside.streams.waits.MissingTime.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// A set of stretches of time.
record Times(List<Stretch> stretches) {
  static final Times NEVER = new Times(List.of());

  Times {
    stretches = List.copyOf(stretches);
  }

  /// A stretch of time, in Unix epoch nanoseconds.
  record Stretch(long sinceNanos, long untilNanos) {
    boolean meets(long since, long until) {
      return sinceNanos < until && since <= untilNanos;
    }
  }

  static Times of(long sinceNanos, long untilNanos) {
    return new Times(List.of(new Stretch(sinceNanos, untilNanos)));
  }

  Times and(Times other) {
    var both = new ArrayList<>(stretches);
    both.addAll(other.stretches);
    return new Times(both);
  }

  /// Begin of the earliest one in epoch nanoseconds; empty for never.
  OptionalLong first() {
    return stretches.stream().mapToLong(Stretch::sinceNanos).min();
  }

  /// Total length in seconds.
  double seconds() {
    return stretches.stream()
        .mapToDouble(stretch -> Nanos.seconds(stretch.untilNanos() - stretch.sinceNanos()))
        .sum();
  }

  /// Whether both overlap.
  boolean meets(Times other) {
    return stretches.stream()
        .anyMatch(
            stretch ->
                other.stretches.stream()
                    .anyMatch(its -> stretch.meets(its.sinceNanos(), its.untilNanos())));
  }

  /// Whether the bucket overlaps with a stretch.
  boolean touches(Span span) {
    return stretches.stream()
        .anyMatch(stretch -> stretch.meets(span.sinceNanos(), span.untilNanos()));
  }
}
