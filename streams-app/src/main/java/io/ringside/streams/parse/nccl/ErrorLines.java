package io.ringside.streams.parse.nccl;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.Shape;
import java.util.List;

/// Warnings and retries (src/debug.cc, src/misc/socket.cc).
final class ErrorLines {

  private ErrorLines() {}

  static final List<Shape<NcclMessage>> SHAPES =
      List.of(
          Shape.of(
              "*: connect to * returned *, retrying (#/#)*", "2.27+", ErrorLines::connectRetry),
          Shape.of(
              "*: connect returned *, retrying (#/#)*",
              "2.24.3 to 2.26.6",
              ErrorLines::connectRetry),
          Shape.of("Call to connect returned *, retrying", "to 2.23", ErrorLines::oldConnectRetry),
          Shape.of("group.cc:# -> #*", "all", ErrorLines::callFailed),
          Shape.ignored("[Service thread] Connection closed by localRank #", "2.12+"),
          Shape.ignored("RAS *", "2.24.3+, RAS"));

  /// `… connect to 10.0.0.1<51234> returned Connection refused, retrying (3/34) after sleep for 300
  /// msec`.
  private static boolean connectRetry(NcclMessage message) {
    message.seek(": connect ");
    var peer = message.skip("to ") ? message.before(" returned ") : "";
    if (peer.isEmpty()) {
      message.expect("returned ");
    }
    var reason = message.before(", retrying (");
    var attempt = message.integer();
    var attempts = message.expect("/").integer();
    return message.good()
        && message.emit(new NcclEvent.ConnectRetry(peer, reason, attempt, attempts));
  }

  private static boolean oldConnectRetry(NcclMessage message) {
    var reason = message.seek(" returned ").before(", retrying");
    return message.good() && message.emit(new NcclEvent.ConnectRetry("", reason, -1, -1));
  }

  /// `group.cc:64 -> 2 [Async thread]`. Results 4 and 5 mean wrong arguments, which a WARN names; 7
  /// is no error.
  private static boolean callFailed(NcclMessage message) {
    message.expect("group.cc:").integer();
    var result = message.expect(" -> ").integer();
    return message.good()
        && (result == 1 || result == 2 || result == 3 || result == 6)
        && message.emit(new NcclEvent.CallFailed(result));
  }

  /// Any WARN or ABORT line.
  static boolean warning(NcclMessage message) {
    return message.emit(new NcclEvent.Warning(message.rest()));
  }

  /// True for a message that begins with a place in the source: the trace of an error on its way up
  /// the call stack, `init.cc:126 -> 5` (src/include/checks.h), or a note on an allocation. A
  /// warning before it reports the error itself.
  static boolean located(Text text, int from, int end) {
    var limit = Math.min(end, from + 200);
    for (var at = from; at < limit && text.charAt(at) > ' '; at++) {
      if (text.charAt(at) == ':'
          && at > from + 2
          && at + 1 < end
          && Chars.isDigit(text.charAt(at + 1))) {
        var after = Chars.skipDigits(text, at + 1, end);
        return after < end && text.charAt(after) == ' ' && isSource(text, from, at);
      }
    }
    return false;
  }

  private static boolean isSource(Text text, int from, int colon) {
    for (var at = colon - 1; at > from && colon - at <= 5; at--) {
      if (text.charAt(at) == '.') {
        return true;
      }
    }
    return false;
  }
}
