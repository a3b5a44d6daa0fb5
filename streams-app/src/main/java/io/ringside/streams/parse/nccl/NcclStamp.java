package io.ringside.streams.parse.nccl;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.DateTime;

/// NCCL's own timestamp in front of the host (`NCCL_DEBUG_TIMESTAMP_FORMAT`, since 2.26.2). Reads
/// the default `[%F %T] ` and similar formats: with a fraction (`%T.%6f`), with `T` between date
/// and time, without brackets.
final class NcclStamp {

  private NcclStamp() {}

  /// Start of the date in front of `host`, or -1. A stamp with a zone comes from a collector, not
  /// from NCCL.
  static int start(Text text, int from, int host) {
    if (host - from < DateTime.LENGTH) {
      return -1;
    }
    var end = host;
    while (end > from && text.charAt(end - 1) == ' ') {
      end--;
    }
    if (end > from && text.charAt(end - 1) == ']') {
      end--;
    }
    var digits = end;
    while (digits > from && Chars.isDigit(text.charAt(digits - 1))) {
      digits--;
    }
    if (digits > from && (text.charAt(digits - 1) == '.' || text.charAt(digits - 1) == ',')) {
      end = digits - 1;
    }
    var start = end - DateTime.LENGTH;
    return start >= from && DateTime.isAt(text, start, end) ? start : -1;
  }

  /// Sub-second digits of the stamp.
  static int fractionDigits(Text text, int start) {
    var point = start + DateTime.LENGTH;
    return Math.max(0, DateTime.fractionEnd(text, start, text.length()) - point - 1);
  }

  /// Epoch nanoseconds, local time read as UTC.
  static long nanos(Text text, int start) {
    return DateTime.nanos(text, start);
  }
}
