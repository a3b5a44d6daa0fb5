package io.ringside.streams.parse.scan;

import io.ringside.schemas.event.Text;
import org.jspecify.annotations.Nullable;

/// Wrappers of log collectors. Each method returns the index after the wrapper that begins at the
/// given index, or the given index if there is none.
///
/// ```text
///   [pod/llama-node-0-0/trainer]                kubectl logs --prefix
///   [node/ip-10-0-0-1]                          the same for a machine
///   2026-11-20T20:42:26.942Z                    kubectl logs --timestamps, docker logs -t,
///                                               CloudWatch
///   2026-11-20T20:42:26.942Z stdout F           CRI
///   2026-11-20T20:42:26+0100 host unit[7]:      journalctl -o short-iso, rsyslog
///   2026-11-20T20:42:26Z {app="llama", pod="x"} logcli
///   Nov 20 20:42:26 host unit[7]:               journalctl, syslog
///   <14>1 2026-11-20T20:42:26.9Z host unit 7 - -  syslog as in RFC 5424
///   kern  :warn  :                              dmesg --decode
///   kern: warning: [2026-04-22T21:30:51.494Z]:  talosctl dmesg
///   2026-11-20 20:42:26,123 - root - INFO -     loggers, see [Levels]
///   [NeMo I 2026-… nemo_logging:349], [titan]   loggers of NeMo and torchtitan
/// ```
final class CollectorWrappers {

  private static final int LONGEST = 400;

  /// Width of the facility in chars, with its colon.
  private static final int FACILITY = 7;

  /// In chars: `kern: warning: [`.
  private static final int LONGEST_LEVEL = 20;

  private static final int LONGEST_STAMP = 40;

  /// In bytes: `févr.`.
  private static final int LONGEST_MONTH = 7;

  /// Fields of RFC 5424 between the version and the data.
  private static final int HEAD_FIELDS_5424 = 5;

  private CollectorWrappers() {}

  static int resource(Text text, int at, int end) {
    if (!Chars.at(text, at, end, "[pod/") && !Chars.at(text, at, end, "[node/")) {
      return at;
    }
    var close = Chars.find(text, at, Math.min(end, at + LONGEST), ']');
    if (close < 0) {
      return at;
    }
    return LauncherWrappers.afterBlank(text, close + 1, end);
  }

  /// `[NeMo I 2026-11-20 20:42:26 nemo_logging:349] `.
  static int nemo(Text text, int at, int end, @Nullable FoundOrigin found) {
    if (!Chars.at(text, at, end, "[NeMo ")) {
      return at;
    }
    var close = Chars.find(text, at, Math.min(end, at + LONGEST), ']');
    if (close < 0) {
      return at;
    }
    if (found != null && DateTime.isAt(text, at + 8, close)) {
      found.time(at + 8, close);
    }
    return LauncherWrappers.afterBlank(text, close + 1, end);
  }

  /// `[2026-11-20T20:42:26.942Z] `. A zone is required, because NCCL and loggers write such stamps
  /// without one; the exception is Slurm's stamp in front of its errors.
  static int bracketed(Text text, int at, int end, @Nullable FoundOrigin found) {
    if (end - at < 24 || text.charAt(at + 11) != 'T' || !DateTime.isAt(text, at + 1, end)) {
      return at;
    }
    var fraction = DateTime.fractionEnd(text, at + 1, end);
    var zone = DateTime.zoneEnd(text, fraction, end);
    boolean slurm = zone == fraction && Chars.at(text, zone, end, "] error: ");
    if (!slurm && (zone == fraction || !Chars.at(text, zone, end, "] "))) {
      return at;
    }
    if (found != null) {
      found.time(at + 1, zone);
    }
    return zone + 2;
  }

  /// `<14>1 2026-11-20T20:42:26.942Z host unit 7 - - `: priority, version, stamp, host, program,
  /// process, kind of message, data (RFC 5424). Data in brackets is skipped.
  static int rfc5424(Text text, int at, int end, @Nullable FoundOrigin found) {
    int priority = Chars.skipDigits(text, at + 1, Math.min(end, at + 4));
    int stamp = priority + 3;
    if (priority == at + 1
        || !Chars.at(text, priority, end, ">1 ")
        || !DateTime.isAt(text, stamp, end)) {
      return at;
    }
    int last = Math.min(end, at + LONGEST);
    int next = stamp;
    for (int field = 0; field < HEAD_FIELDS_5424; field++) {
      int blank = Chars.find(text, next, last, ' ');
      if (blank < 0) {
        return at;
      }
      if (field == 0 && found != null) {
        found.time(stamp, blank);
      }
      next = blank + 1;
    }
    if (Chars.at(text, next, end, "- ")) {
      return next + 2;
    }
    int close = Chars.at(text, next, end, "[") ? Chars.find(text, next, last, "] ") : -1;
    return close < 0 ? at : close + 2;
  }

  /// A stamp at the beginning, with the text that a collector writes after it.
  static int stamp(Text text, int at, int end, @Nullable FoundOrigin found) {
    if (!DateTime.isAt(text, at, end)) {
      return at;
    }
    var zone = DateTime.zoneEnd(text, DateTime.fractionEnd(text, at, end), end);
    if (zone >= end || !isGap(text.charAt(zone))) {
      return at;
    }
    if (found != null) {
      found.time(at, zone);
    }
    var next = zone + 1;
    if (Chars.at(text, next, end, "stdout ") || Chars.at(text, next, end, "stderr ")) {
      var tag = Chars.find(text, next + 7, Math.min(end, next + 20), ' ');
      return tag < 0 ? next : tag + 1;
    }
    if (Chars.at(text, next, end, "{")) {
      return labels(text, next, end);
    }
    var unit = unit(text, next, end, next);
    int level = unit > next ? unit : Levels.skip(text, next, end);
    return level == next && Chars.at(text, next, end, "| ") && !isRow(text, next, end)
        ? next + 2
        : level;
  }

  /// Whether the bar at `at` is the first of a table's row.
  private static boolean isRow(Text text, int at, int end) {
    return text.charAt(Chars.trimEnd(text, at, end) - 1) == '|';
  }

  private static boolean isGap(char c) {
    return c == ' ' || c == '\t' || c == ',';
  }

  /// `{app="llama", pod="llama-0"} `, if it really is a set of labels.
  private static int labels(Text text, int at, int end) {
    var close = Chars.find(text, at, Math.min(end, at + 4 * LONGEST), "} ");
    return close < 0 || close > at + 1 && Chars.find(text, at, close, "=\"") < 0 ? at : close + 2;
  }

  /// `kern  :warn  : ` of dmesg --decode: facility and level, each padded to six chars.
  static int decoded(Text text, int at, int end) {
    int level = at + FACILITY;
    return Chars.at(text, at, end, "kern  :") && Chars.at(text, level + FACILITY - 1, end, ": ")
        ? level + FACILITY + 1
        : at;
  }

  /// `kern: warning: [2026-04-22T21:30:51.494604223Z]: `.
  static int talos(Text text, int at, int end) {
    if (!Chars.at(text, at, end, "kern: ")) {
      return at;
    }
    var open = Chars.find(text, at, Math.min(end, at + LONGEST_LEVEL), ": [");
    var close = open < 0 ? -1 : Chars.find(text, open, Math.min(end, open + LONGEST_STAMP), "]: ");
    return close < 0 || !DateTime.isAt(text, open + 3, end) ? at : close + 3;
  }

  /// `Nov 20 20:42:26 host unit[7]: `, or the time alone. The year is missing, so the line gets no
  /// time. A copy of such a line may lose a blank of `Nov  2`, or a zero; then a unit must follow.
  static int syslog(Text text, int at, int end) {
    var month = monthEnd(text, at, end);
    if (month == at || month + 10 > end) {
      return at;
    }
    var day = text.charAt(month + 1) == ' ' ? month + 2 : month + 1;
    var behindDay = Chars.skipDigits(text, day, Math.min(end, day + 3));
    var hour = behindDay + 1;
    var clock = Chars.skipDigits(text, hour, Math.min(end, hour + 3));
    if (!few(behindDay - day)
        || !few(clock - hour)
        || clock + 6 >= end
        || text.charAt(behindDay) != ' '
        || text.charAt(clock) != ':'
        || text.charAt(clock + 3) != ':') {
      return at;
    }
    // journalctl -o short-precise has a fraction
    var blank = Chars.find(text, clock + 6, Math.min(end, clock + 17), ' ');
    // else it may be a text such as `step 5 0:12:33 left`
    boolean sure = month == at + 3 && clock == at + 9;
    return blank < 0 ? at : unit(text, blank + 1, end, sure ? blank + 1 : at);
  }

  private static boolean few(int digits) {
    return digits == 1 || digits == 2;
  }

  /// Index after a month in any language, if a number follows: `Nov`, `Okt`, `Mär`, `janv.`, `11月`;
  /// `at` if there is no month.
  private static int monthEnd(Text text, int at, int end) {
    if (at + 8 > end) {
      return at;
    }
    if (Chars.isDigit(text.charAt(at))) {
      return numberedMonthEnd(text, at, end);
    }
    if (!Chars.isLetter(text.charAt(at))) {
      return at;
    }
    var blank = at + 1;
    while (blank < at + LONGEST_MONTH
        && blank + 2 < end
        && text.charAt(blank) != ' '
        && !Chars.isDigit(text.charAt(blank))) {
      blank++;
    }
    boolean numbered =
        blank >= at + 3
            && blank + 2 < end
            && text.charAt(blank) == ' '
            && (Chars.isDigit(text.charAt(blank + 1))
                || text.charAt(blank + 1) == ' ' && Chars.isDigit(text.charAt(blank + 2)));
    return numbered ? blank : at;
  }

  /// Index after `11月` or `11월`, as Chinese, Japanese and Korean number their months, in bytes.
  private static int numberedMonthEnd(Text text, int at, int end) {
    var digits = Chars.skipDigits(text, at, Math.min(end, at + 3));
    var behind = digits + 3;
    return few(digits - at)
            && behind + 2 < end
            && (isMonth(text, digits, 0xE6, 0x9C, 0x88) || isMonth(text, digits, 0xEC, 0x9B, 0x94))
            && text.charAt(behind) == ' '
            && Chars.isDigit(text.charAt(behind + 1))
        ? behind
        : at;
  }

  private static boolean isMonth(Text text, int at, int first, int second, int third) {
    return text.charAt(at) == first
        && text.charAt(at + 1) == second
        && text.charAt(at + 2) == third;
  }

  /// `host unit[7]: `, or `host kernel: `.
  private static int unit(Text text, int at, int end, int otherwise) {
    var host = token(text, at, end);
    if (host == at || host >= end || text.charAt(host) != ' ') {
      return otherwise;
    }
    var name = host + 1;
    while (name < end && isUnit(text.charAt(name))) {
      name++;
    }
    var digits = name;
    var behind = name;
    if (name < end && text.charAt(name) == '[') {
      digits = Chars.skipDigits(text, name + 1, end);
      behind = digits + 1;
    } else if (!Chars.at(text, host + 1, end, "kernel:")) {
      return otherwise;
    }
    if (!Chars.at(text, behind, end, ": ") || digits < behind && text.charAt(digits) != ']') {
      return otherwise;
    }
    return behind + 2;
  }

  private static boolean isUnit(char c) {
    return Chars.isLetter(c) || Chars.isDigit(c) || "-_./@()".indexOf(c) >= 0;
  }

  /// Index after the name of a host or a pod.
  static int token(Text text, int at, int end) {
    return Names.end(Names.scan(text, at, end));
  }
}
