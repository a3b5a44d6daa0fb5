package io.ringside.streams.parse.ras;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.scan.DateTime;
import java.util.List;
import java.util.regex.Pattern;

/// Events of `ncclras -m`, which watches a job (2.29.2 and later, src/ras/client_support.cc). Only
/// events about processes that are considered dead are read, as one line each or as JSON.
///
/// `[2026-11-22 08:33:08] PEER_DEAD: Process 703 on node 192.0.2.2 managing GPU 3`
final class RasEvents {
  /// Part of every line that may be an event.
  static final String DEAD = "PEER_DEAD";

  private static final Pattern EVENT =
      Pattern.compile(
          "\\[(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d)\\] PEER_DEAD: Process (\\d{1,9}) on node (\\S{1,100}) ");

  private static final Pattern PEER =
      Pattern.compile("\\[\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\] PEER_[A-Z_]{3,20}: ");

  private static final Pattern GROUP =
      Pattern.compile("\"group\"\\s{0,4}:\\s{0,4}\"(?:LIFECYCLE|TRACE)\"");

  private static final Pattern HOST =
      Pattern.compile("\"host\"\\s{0,4}:\\s{0,4}\"([^\"]{1,100})\"");
  private static final Pattern PID = Pattern.compile("\"pid\"\\s{0,4}:\\s{0,4}(\\d{1,9})");

  private static final Pattern TIMESTAMP =
      Pattern.compile("\"timestamp\"\\s{0,4}:\\s{0,4}\"([^\"]{19,40})\"");

  /// How many lines of JSON may follow until the process is named.
  private static final int MOST_AWAITED = 6;

  private int awaited;
  private String host = "";
  private long stamped;

  /// Whether a text with this beginning holds such events.
  static boolean recognises(String head, int lines) {
    return head.lines()
        .filter(line -> !line.isBlank())
        .limit(lines)
        .anyMatch(
            line ->
                line.startsWith("RAS Monitor Mode - watching")
                    || PEER.matcher(line).lookingAt()
                    || GROUP.matcher(line).find());
  }

  /// Whether an event still waits for its process.
  boolean open() {
    return awaited > 0;
  }

  /// Reads a line.
  ///
  /// @param nanos when it was written, NO_TIME if unknown
  void line(String line, long nanos, List<RasAnswer> sink) {
    var event = EVENT.matcher(line);
    if (event.find()) {
      awaited = 0;
      tell(nanos, date(event.group(1)), event.group(2), event.group(3), sink);
      return;
    }
    var stamp = TIMESTAMP.matcher(line);
    if (stamp.find()) {
      stamped = date(stamp.group(1));
    }
    if (line.contains('"' + DEAD + '"')) {
      awaited = MOST_AWAITED;
      host = "";
    }
    if (awaited > 0) {
      awaited--;
      var named = HOST.matcher(line);
      if (named.find()) {
        host = named.group(1);
      }
      var pid = PID.matcher(line);
      if (pid.find()) {
        awaited = 0;
        tell(nanos, stamped, pid.group(1), host, sink);
      }
    }
  }

  private static void tell(long nanos, long date, String pid, String host, List<RasAnswer> sink) {
    sink.add(
        new RasAnswer(
            nanos == NO_TIME ? date : nanos,
            List.of(),
            "",
            false,
            List.of(new RasAnswer.Dead(Integer.parseInt(pid), host))));
  }

  private static long date(String text) {
    return DateTime.nanos(Text.of(text), 0);
  }
}
