package io.ringside.shipper.source.log.follow;

import java.util.ArrayDeque;

/// The chunks of one file in flight, in order, and the point up to which all are safe with the
/// broker. Thread-safe: answers come on the producer's thread.
final class Deliveries {
  /// Where to continue once everything before it is safe.
  ///
  /// @param resume offset to read from, at most `offset`: a partial line may begin before it
  /// @param offset end of the last chunk
  /// @param sequence number of the next chunk
  record Point(long resume, long offset, long sequence) {
    static final Point START = new Point(0, 0, 0);
  }

  /// One chunk in flight.
  static final class Sent {
    private final Point after;
    private boolean safe;

    private Sent(Point after) {
      this.after = after;
    }
  }

  private final ArrayDeque<Sent> underway = new ArrayDeque<>();
  private Point safe;
  private boolean failed;

  Deliveries(Point start) {
    safe = start;
  }

  synchronized Sent sent(Point after) {
    var sent = new Sent(after);
    underway.addLast(sent);
    return sent;
  }

  synchronized void answered(Sent sent, boolean isSafe) {
    if (!isSafe) {
      failed = true;
      return;
    }
    sent.safe = true;
    while (!underway.isEmpty() && underway.peekFirst().safe) {
      safe = underway.removeFirst().after;
    }
  }

  /// Whether a chunk was refused, so that everything from {@link #safe} on must be read again.
  synchronized boolean failed() {
    return failed;
  }

  synchronized boolean settled() {
    return underway.isEmpty();
  }

  synchronized Point safe() {
    return safe;
  }
}
