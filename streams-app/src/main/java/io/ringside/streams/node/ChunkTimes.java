package io.ringside.streams.node;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Text;
import io.ringside.streams.fact.TimeBasis;
import io.ringside.streams.parse.event.LineOrigin;
import io.ringside.streams.parse.event.NcclHead;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.Ctime;
import io.ringside.streams.parse.scan.DateTime;
import org.jspecify.annotations.Nullable;

/// When the lines of a chunk were written, by whoever stamped them and as far as that may be
/// believed.
final class ChunkTimes {
  /// The runtime stamps a line by the clock by which the agent reads it, up to what that was set
  /// back by meanwhile.
  private static final long RUNTIME_AHEAD_NANOS = 300_000_000_000L;

  /// Other stamps are those of other machines, or without a time zone.
  private static final long AHEAD_NANOS = 86_400_000_000_000L;

  /// A logger's lines come at least as often while its program waits; time zones differ by more.
  private static final long SAME_CLOCK_NANOS = 10 * 60_000_000_000L;

  private static final long HOUR_NANOS = 3_600_000_000_000L;
  private static final long ZONE_NANOS = 900_000_000_000L;

  /// Of who writes, in brackets.
  private static final int LONGEST_TAG = 40;

  /// A clock may be set back between the two stamps.
  private static final long CARRIER_EARLY_NANOS = 5_000_000_000L;

  private final LogChunk chunk;
  private final ToldTimes told;
  private final long readNanos;
  private long toNanos = NO_TIME;

  ChunkTimes(LogChunk chunk, ToldTimes told) {
    this.chunk = chunk;
    this.told = told;
    this.readNanos = Nanos.of(chunk.readAt());
  }

  /// When the line was written: by NCCL's own stamp if that is fine, else by the runtime or the
  /// wrapper that has fractions of a second, else by NCCL's whole seconds, else by any wrapper;
  /// NO_TIME if none of them tells. Whoever carries a line stamps it when it comes, and a program
  /// may hold its output back for seconds.
  long of(int line, @Nullable NcclHead head, LineOrigin origin) {
    if (stampedByRuntime() || finely(origin)) {
      long carried = stampedByRuntime() ? ofRuntime(line) : believed(origin.nanos(), AHEAD_NANOS);
      return carried == NO_TIME || head == null || !finely(head)
          ? carried
          : inZoneOf(carried, head.stampNanos());
    }
    if (head != null && head.stamped()) {
      return believed(head.stampNanos(), AHEAD_NANOS);
    }
    return origin.timed() ? believed(origin.nanos(), AHEAD_NANOS) : chunk.timeNanos(line);
  }

  private static boolean finely(NcclHead head) {
    return head.stamped() && head.stampDigits() > 0;
  }

  private static boolean finely(LineOrigin origin) {
    return origin.timed() && origin.digits() > 0;
  }

  /// NCCL stamps by the local time of a zone that it does not name (src/debug.cc), and zones differ
  /// by quarters of an hour. The carrier's stamp is in UTC, and never the earlier one.
  private static long inZoneOf(long carried, long stamp) {
    long behind = carried - stamp + CARRIER_EARLY_NANOS;
    return behind >= 0 && behind < HOUR_NANOS
        ? stamp
        : stamp + Math.floorDiv(behind, ZONE_NANOS) * ZONE_NANOS;
  }

  long ofRuntime(int line) {
    return believed(chunk.timeNanos(line), RUNTIME_AHEAD_NANOS);
  }

  boolean stampedByRuntime() {
    return chunk.nanos().length != 0;
  }

  /// What the times of calls rest on.
  TimeBasis basis(NcclHead head, LineOrigin origin) {
    if (finely(head)) {
      return TimeBasis.NCCL;
    }
    if (stampedByRuntime() || finely(origin)) {
      return TimeBasis.CONTAINER;
    }
    if (head.stamped()) {
      return TimeBasis.NCCL_SECONDS;
    }
    if (origin.timed()) {
      return TimeBasis.NCCL_SECONDS;
    }
    return chunk.live() ? TimeBasis.READ : TimeBasis.NONE;
  }

  /// The line was written then, NO_TIME if that is not known.
  void reached(int line, long nanos) {
    if (nanos != NO_TIME) {
      toNanos = Math.max(toNanos, nanos);
      told.told(line, nanos);
    }
  }

  /// A line that says nothing shows that its program lives, until when its logger tells:
  /// `2026-10-08 18:13:17,701 INFO alive`, `[monitor] 2026-10-08 18:13:17 alive`, or nvidia-smi
  /// above its table, `Thu Oct  8 18:13:17 2026`. Its clock is the
  /// other lines' if it goes on where they left off; a time zone of its own would be a quarter of
  /// an hour away.
  void stampOfItsOwn(int line, int start, int end) {
    var text = chunk.text();
    long before = told.believed();
    if (before == NO_TIME) {
      return;
    }
    int stamp = behindTag(text, start, end);
    long nanos =
        DateTime.isAt(text, stamp, end) && endsAt(text, stamp, end)
            ? DateTime.nanos(text, stamp)
            : Ctime.nanos(text, start, end);
    if (nanos > before && nanos - before <= SAME_CLOCK_NANOS) {
      reached(line, nanos);
    }
  }

  /// A step's line tells by its logger when it was made, ` [2026-02-01 10:00:00.123456] iteration
  /// …`, where nobody else stamps it: from then on others' stamps are known to be of this time.
  void stampOfStep(int line, int start, int end) {
    var text = chunk.text();
    int stamp = Chars.skipBlanks(text, start, end);
    stamp += stamp < end && text.charAt(stamp) == '[' ? 1 : 0;
    if (DateTime.isAt(text, stamp, end)) {
      reached(line, DateTime.nanos(text, stamp));
    }
  }

  /// Whether a logger's stamp stands where the line starts, with a word behind it, as of a level
  /// or a program: a row of a table may begin with a date too.
  boolean isLogged(int start, int end) {
    var text = chunk.text();
    if (!DateTime.isAt(text, start, end) || !endsAt(text, start, end)) {
      return false;
    }
    int behind = Math.max(start + DateTime.LENGTH, DateTime.fractionEnd(text, start, end));
    while (behind < end && " -:|[(]".indexOf(text.charAt(behind)) >= 0) {
      behind++;
    }
    return behind < end && Chars.isLetter(text.charAt(behind));
  }

  /// Whether lines of two moments have told the time.
  boolean believes() {
    return told.believed() != NO_TIME;
  }

  /// Behind `[` or `[monitor] `, or where the line starts.
  private static int behindTag(Text text, int start, int end) {
    int tagged = start < end && text.charAt(start) == '[' ? start : end;
    if (DateTime.isAt(text, Math.min(end, tagged + 1), end)) {
      return tagged + 1;
    }
    int behind = Chars.find(text, tagged, Math.min(end, tagged + LONGEST_TAG), "] ");
    return behind < 0 ? start : behind + 2;
  }

  /// Whether it is a logger's stamp and no cell of a table: it has a fraction, or a blank or a
  /// bracket behind its whole seconds.
  private static boolean endsAt(Text text, int stamp, int end) {
    int whole = stamp + DateTime.LENGTH;
    return DateTime.fractionEnd(text, stamp, end) > whole
        || whole < end && (text.charAt(whole) == ' ' || text.charAt(whole) == ']');
  }

  /// Until when the chunk goes, once all its lines are read.
  long end() {
    told.settle();
    return told.reached(toNanos);
  }

  /// A line that was stamped long after it was read says nothing of when it was written. When a
  /// recording is read says nothing of it either.
  private long believed(long nanos, long ahead) {
    return chunk.live() && nanos - ahead > readNanos ? NO_TIME : nanos;
  }
}
