package io.ringside.streams.bill;

import io.ringside.schemas.event.Nanos;
import io.ringside.streams.waits.Missing.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// Some stretches of time.
record Times(List<Stretch> stretches) {
  static final Times NEVER = new Times(List.of());

  Times {
    stretches = List.copyOf(stretches);
  }

  /// Unix epoch nanoseconds.
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

  /// When the first of them begins; empty for never.
  OptionalLong first() {
    return stretches.stream().mapToLong(Stretch::sinceNanos).min();
  }

  /// How long they are, one after the other.
  double seconds() {
    return stretches.stream()
        .mapToDouble(stretch -> Nanos.seconds(stretch.untilNanos() - stretch.sinceNanos()))
        .sum();
  }

  /// Whether both are at one time.
  boolean meets(Times other) {
    return stretches.stream()
        .anyMatch(
            stretch ->
                other.stretches.stream()
                    .anyMatch(its -> stretch.meets(its.sinceNanos(), its.untilNanos())));
  }

  /// Whether some of the bucket is within.
  boolean touches(Span span) {
    return stretches.stream()
        .anyMatch(stretch -> stretch.meets(span.sinceNanos(), span.untilNanos()));
  }
}
