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

/// When the lines of a chunk were written: chooses among their timestamps and rejects those that
/// cannot be true.
final class ChunkTimes {
  /// The runtime stamps a line by the same clock by which the agent reads it. The stamp can be
  /// ahead only by as much as that clock was set back in between.
  private static final long RUNTIME_AHEAD_NANOS = 300_000_000_000L;

  /// Other timestamps come from other machines, or have no time zone.
  private static final long AHEAD_NANOS = 86_400_000_000_000L;

  /// A logger prints at least this often while its program waits; time zones differ by more.
  private static final long SAME_CLOCK_NANOS = 10 * 60_000_000_000L;

  private static final long HOUR_NANOS = 3_600_000_000_000L;
  private static final long ZONE_NANOS = 900_000_000_000L;

  /// Longest tag in brackets that names the writer of a line, in characters.
  private static final int LONGEST_TAG = 40;

  /// How far the carrier's timestamp may be before NCCL's: a clock may be set back between the two.
  private static final long CARRIER_EARLY_NANOS = 5_000_000_000L;

  private final LogChunk chunk;
  private final FileClock fileClock;
  private final long readNanos;
  private long toNanos = NO_TIME;

  ChunkTimes(LogChunk chunk, FileClock fileClock) {
    this.chunk = chunk;
    this.fileClock = fileClock;
    this.readNanos = Nanos.of(chunk.readAt());
  }

  /// When the line was written. In this order: NCCL's own timestamp if it has fractions of a
  /// second; that of the runtime or of a wrapper with fractions; NCCL's whole seconds; that of any
  /// wrapper. NO_TIME if there is none. NCCL's own is best since runtime and wrappers stamp a line
  /// when they get it, and a program may hold its output back for seconds.
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

  /// Converts NCCL's timestamp to UTC. NCCL stamps in the local time of a zone that it does not
  /// name (src/debug.cc), and zones differ by quarters of an hour. The carrier's timestamp is in
  /// UTC and never the earlier one.
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

  /// Source of the times of calls.
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

  /// Records that the line was written at this time, NO_TIME if unknown.
  void reached(int line, long nanos) {
    if (nanos != NO_TIME) {
      toNanos = Math.max(toNanos, nanos);
      fileClock.advance(line, nanos);
    }
  }

  /// Records the timestamp of a line without an event, which shows that its program lived then:
  /// `2026-10-08 18:13:17,701 INFO alive`, `[monitor] 2026-10-08 18:13:17 alive`, or nvidia-smi
  /// above its table, `Thu Oct  8 18:13:17 2026`. The timestamp is by the same clock as the other
  /// lines' if it continues where they stopped; another time zone would be at least a quarter of an
  /// hour away.
  void stampOfItsOwn(int line, int start, int end) {
    var text = chunk.text();
    long before = fileClock.believed();
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

  /// Records the logger's timestamp of a step's line, ` [2026-02-01 10:00:00.123456] iteration …`,
  /// if nothing else stamps the line. From then on, other timestamps can be checked against it.
  void stampOfStep(int line, int start, int end) {
    var text = chunk.text();
    int stamp = inBracket(text, start, end);
    for (int at = start; at >= 0 && !DateTime.isAt(text, stamp, end); ) {
      at = behindLabel(text, at, end);
      stamp = at < 0 ? end : inBracket(text, at, end);
    }
    if (DateTime.isAt(text, stamp, end)) {
      reached(line, DateTime.nanos(text, stamp));
    }
  }

  /// Behind `[default3]:`, which names no rank; -1 if there is none.
  private static int behindLabel(Text text, int start, int end) {
    int label = Chars.find(text, start, Math.min(end, start + LONGEST_TAG), "]:");
    return label < 0 ? -1 : label + 2;
  }

  private static int inBracket(Text text, int start, int end) {
    int at = Chars.skipBlanks(text, start, end);
    return at < end && text.charAt(at) == '[' ? at + 1 : at;
  }

  /// Whether the line starts with a logger's timestamp and a word after it, such as a level or a
  /// program. The word is needed since a row of a table may begin with a date too.
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

  /// Whether lines of two moments have given the time.
  boolean believes() {
    return fileClock.believed() != NO_TIME;
  }

  /// Where a timestamp may stand: after `[` or `[monitor] `, or at the start of the line.
  private static int behindTag(Text text, int start, int end) {
    int tagged = start < end && text.charAt(start) == '[' ? start : end;
    if (DateTime.isAt(text, Math.min(end, tagged + 1), end)) {
      return tagged + 1;
    }
    int behind = Chars.find(text, tagged, Math.min(end, tagged + LONGEST_TAG), "] ");
    return behind < 0 ? start : behind + 2;
  }

  /// Whether this is a logger's timestamp and not a cell of a table: it has a fraction, or a blank
  /// or bracket after its whole seconds.
  private static boolean endsAt(Text text, int stamp, int end) {
    int whole = stamp + DateTime.LENGTH;
    return DateTime.fractionEnd(text, stamp, end) > whole
        || whole < end && (text.charAt(whole) == ' ' || text.charAt(whole) == ']');
  }

  /// Time up to which the chunk goes, once all its lines are read.
  long end() {
    fileClock.settle();
    return fileClock.reached(toNanos);
  }

  /// A live line that is stamped long after it was read does not show when it was written. The time
  /// at which a recording is read does not show that either.
  private long believed(long nanos, long ahead) {
    return chunk.live() && nanos - ahead > readNanos ? NO_TIME : nanos;
  }
}
