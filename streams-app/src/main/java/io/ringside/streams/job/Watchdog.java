package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.parse.event.TorchEvent;

/// The last report of PyTorch's watchdog of one rank before it gave up. Numbers are sequence
/// numbers of the process group, -1 if no line gives them.
///
/// @param voice kind of the report
/// @param group process group of the numbers, empty if no line names it
/// @param sequence number of the work that it waited for
/// @param ranMillis how long it had waited, in milliseconds
public record Watchdog(
    Voice voice,
    String group,
    long sequence,
    String opType,
    long ranMillis,
    long lastEnqueued,
    long lastCompleted,
    Evidence proof) {

  /// Kinds of a watchdog's reports, worst last.
  public enum Voice {
    /// How far this rank had come when an error of NCCL was noticed.
    STATUS,
    /// Another rank's time-out.
    HEARD,
    /// The watchdog's own thread has not moved for long.
    STUCK,
    /// Another rank reports that this one gave the signal to dump: after a time-out, or after any
    /// error of NCCL.
    SAID_TO_HAVE,
    /// A call of this rank took too long.
    TIMED_OUT
  }

  /// Whether a call of this rank took too long, as it reports itself or another rank does.
  public boolean timedOut() {
    return voice == Voice.TIMED_OUT || voice == Voice.SAID_TO_HAVE;
  }

  /// When the call that took too long was made, in nanoseconds: of torch's timestamps, which are
  /// good for differences only, or of the Unix epoch if only the line's carrier gives a time;
  /// NO_TIME if there is neither.
  public long beganNanos() {
    if (!timedOut() || ranMillis < 0) {
      return NO_TIME;
    }
    long at = GlogStamp.of(proof.text());
    if (at == NO_TIME) {
      at = proof.time() == null ? NO_TIME : Nanos.of(proof.time());
    }
    return at == NO_TIME ? NO_TIME : at - ranMillis * 1_000_000;
  }

  /// Kind of the report: a call that took too long, or else the status at an error.
  static Voice of(TorchEvent.WatchdogTimeout event, Evidence line) {
    boolean timeout =
        !event.opType().isEmpty()
            || event.ranMillis() >= 0
            || line.text().contains("Timeout at NCCL work")
            || line.text().contains("operation timeout")
            || line.text().contains("Watchdog caught collective operation");
    return timeout ? Voice.TIMED_OUT : Voice.STATUS;
  }

  /// Merges two lines of one rank. Numbers of different groups do not mix: those of the group that
  /// timed out count. If both or neither did, those of the line that states for how long, or of the
  /// first line.
  Watchdog merge(Watchdog other) {
    boolean alike = group.equals(other.group) || group.isEmpty() || other.group.isEmpty();
    boolean earlier = proof.offset() <= other.proof.offset();
    boolean own = ranMillis >= 0 == other.ranMillis >= 0 ? earlier : ranMillis >= 0;
    var first = own ? this : other;
    var numbers = timedOut() == other.timedOut() ? first : (timedOut() ? this : other);
    return new Watchdog(
        voice.compareTo(other.voice) >= 0 ? voice : other.voice,
        numbers.group.isEmpty() && alike ? group + other.group : numbers.group,
        Math.max(sequence, other.sequence),
        opType.isEmpty() ? other.opType : opType,
        Math.max(ranMillis, other.ranMillis),
        alike ? Math.max(lastEnqueued, other.lastEnqueued) : numbers.lastEnqueued,
        alike ? Math.max(lastCompleted, other.lastCompleted) : numbers.lastCompleted,
        numbers.proof);
  }
}
