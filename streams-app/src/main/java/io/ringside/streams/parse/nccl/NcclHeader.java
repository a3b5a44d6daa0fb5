package io.ringside.streams.parse.nccl;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.NcclHead;
import io.ringside.streams.parse.scan.Chars;

/// Finds and reads the header `host:pid:tid [dev] [where ]NCCL LEVEL ` (src/debug.cc). The search
/// runs backwards from the word NCCL, so the text that a launcher or a container runtime wrote
/// before the header does not matter. Only [#read] allocates.
public final class NcclHeader {

  private static final int LONGEST_LOCATION = 1024;
  private static final int LONGEST_HOST = 255;

  private static final boolean[] HOST = hostChars();

  private NcclHeader() {}

  /// Index of the next `NCCL INFO `, `NCCL WARN `, … at or after `from`, or -1. The search looks at
  /// every fourth char only: the four capitals of NCCL always cover one of them.
  public static int find(Text text, int from, int end) {
    for (var at = from + 3; at < end; at += 4) {
      var c = text.charAt(at);
      if ((c & 0xfff0) != 0x40) {
        continue; // not one of @ to O, which hold the letters C, L and N
      }
      var keyword =
          switch (c) {
            case 'C' -> text.charAt(at - 1) == 'N' ? at - 1 : at - 2;
            case 'L' -> at - 3;
            case 'N' -> at;
            default -> -1;
          };
      if (keyword >= from && isKeyword(text, keyword, end)) {
        return keyword;
      }
    }
    return -1;
  }

  private static boolean isKeyword(Text text, int at, int end) {
    if (end - at < 9 || text.charAt(at + 4) != ' ' || !text.startsWith("NCCL", at)) {
      return false;
    }
    return switch (text.charAt(at + 5)) {
      case 'I' -> text.startsWith("INFO", at + 5) && ends(text, at + 9, end);
      case 'W' -> text.startsWith("WARN", at + 5) && ends(text, at + 9, end);
      case 'A' -> text.startsWith("ABORT", at + 5) && ends(text, at + 10, end);
      case 'T' -> text.startsWith("TRACE", at + 5) && ends(text, at + 10, end);
      case 'C' -> text.startsWith("CALL", at + 5) && ends(text, at + 9, end);
      default -> false;
    };
  }

  private static boolean ends(Text text, int at, int end) {
    return at == end || at < end && text.charAt(at) == ' ';
  }

  /// First char of the message after the level, given the index from [#find]; at most `end`.
  public static int messageStart(Text text, int keyword, int end) {
    var level = text.charAt(keyword + 5);
    return Math.min(end, keyword + (level == 'A' || level == 'T' ? 11 : 10));
  }

  /// Kinds of lines that NCCL prints. NCCL prints a quieted WARN as INFO, so this level is not the
  /// whole severity.
  enum Level {
    INFO,
    WARN,
    ABORT,
    TRACE,
    CALL
  }

  /// The level at the index from [#find].
  static Level level(Text text, int keyword) {
    return switch (text.charAt(keyword + 5)) {
      case 'W' -> Level.WARN;
      case 'A' -> Level.ABORT;
      case 'T' -> Level.TRACE;
      case 'C' -> Level.CALL;
      default -> Level.INFO;
    };
  }

  /// Index of the colon after the host, for the header with the index from [#find]; -1 if there is
  /// no header. The host does not begin before `from`.
  public static int hostEnd(Text text, int from, int keyword) {
    if (keyword - from < 8 || text.charAt(keyword - 1) != ' ') {
      return -1;
    }
    if (text.charAt(keyword + 5) == 'C') {
      return beforePids(text, from, keyword - 1);
    }
    if (text.charAt(keyword - 2) == ']') {
      var host = beforeBracket(text, from, keyword - 2);
      if (host >= 0 || text.charAt(keyword + 5) == 'I') {
        return host;
      }
    }
    var limit = Math.max(from, keyword - LONGEST_LOCATION);
    for (var at = keyword - 3; at > limit; at--) {
      if (text.charAt(at) == ']' && text.charAt(at + 1) == ' ') {
        var host = beforeBracket(text, from, at);
        if (host >= 0) {
          return host;
        }
      }
    }
    return -1;
  }

  /// Where `[dev] ` begins in front of the index from [#find], or that index itself if there is
  /// none.
  static int beforeDevice(Text text, int from, int keyword) {
    var at = keyword - 3;
    while (at > from && Chars.isDigit(text.charAt(at))) {
      at--;
    }
    return at >= from
            && at < keyword - 3
            && text.charAt(at) == '['
            && text.startsWith("] ", keyword - 2)
        ? at
        : keyword;
  }

  /// The colon after the host of `host:pid:tid [dev]`, whose bracket closes at `close`, or -1.
  private static int beforeBracket(Text text, int from, int close) {
    var at = close - 1;
    while (at > from && Chars.isDigit(text.charAt(at))) {
      at--;
    }
    if (at == close - 1) {
      return -1;
    }
    if (text.charAt(at) == '-') {
      at--;
    }
    if (at - from < 5 || text.charAt(at) != '[' || text.charAt(at - 1) != ' ') {
      return -1;
    }
    return beforePids(text, from, at - 1);
  }

  /// The colon after the host of `host:pid:tid` that ends (exclusive) at `to`, or -1.
  private static int beforePids(Text text, int from, int to) {
    var tid = beforeNumber(text, from, to);
    var pid = tid < 0 ? -1 : beforeNumber(text, from, tid);
    return pid > from && (isHostChar(text.charAt(pid - 1)) || placeholder(text, from, pid) >= 0)
        ? pid
        : -1;
  }

  private static int beforeNumber(Text text, int from, int to) {
    var at = to - 1;
    while (at > from && Chars.isDigit(text.charAt(at))) {
      at--;
    }
    return at == to - 1 || at <= from || text.charAt(at) != ':' ? -1 : at;
  }

  /// Where a placeholder such as `<node>` begins, which people write in place of a host name; -1 if
  /// none ends at `hostEnd`.
  private static int placeholder(Text text, int from, int hostEnd) {
    if (text.charAt(hostEnd - 1) != '>') {
      return -1;
    }
    var at = hostEnd - 2;
    while (at > from && isHostChar(text.charAt(at)) && text.charAt(at) != '<') {
      at--;
    }
    return at >= from && at < hostEnd - 2 && text.charAt(at) == '<' ? at : -1;
  }

  private static boolean isHostChar(char c) {
    return c > ' ' && (c > '~' || HOST[c]);
  }

  private static boolean[] hostChars() {
    var host = new boolean[128];
    for (var c = '!'; c < host.length; c++) {
      host[c] = ":[]>)|+,=\"'".indexOf(c) < 0;
    }
    return host;
  }

  /// First char of the host that ends at `hostEnd`, not before `from`. A colour escape in front of
  /// the host is not part of it.
  static int hostStart(Text text, int from, int hostEnd) {
    var placeholder = placeholder(text, from, hostEnd);
    if (placeholder >= 0) {
      return placeholder;
    }
    var host = hostEnd;
    var limit = Math.max(from, hostEnd - LONGEST_HOST);
    while (host > limit && isHostChar(text.charAt(host - 1))) {
      host--;
    }
    if (host > from + 1 && text.charAt(host - 1) == '[' && text.charAt(host - 2) == 0x1b) {
      var letter = host;
      while (letter < hostEnd && !Chars.isLetter(text.charAt(letter))) {
        letter++;
      }
      return letter + 1 < hostEnd ? letter + 1 : host;
    }
    // a line that a diff marks as removed
    return text.charAt(host) == '-' && host + 1 < hostEnd ? host + 1 : host;
  }

  /// The header as a record.
  ///
  /// @param from first char of the line
  /// @param host first char of the host
  /// @param hostEnd index from [#hostEnd]
  static NcclHead read(Text text, int from, int host, int hostEnd) {
    var at = hostEnd + 1;
    var pid = 0;
    for (; text.charAt(at) != ':'; at++) {
      pid = pid * 10 + (text.charAt(at) - '0');
    }
    var tid = 0;
    for (at++; text.charAt(at) != ' '; at++) {
      tid = tid * 10 + (text.charAt(at) - '0');
    }
    var stamp = NcclStamp.start(text, from, host);
    return new NcclHead(
        text.substring(host, hostEnd),
        pid,
        tid,
        stamp < 0 ? NcclHead.NO_STAMP : NcclStamp.nanos(text, stamp),
        stamp < 0 ? 0 : NcclStamp.fractionDigits(text, stamp));
  }
}
