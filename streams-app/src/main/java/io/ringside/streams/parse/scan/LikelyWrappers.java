package io.ringside.streams.parse.scan;

import io.ringside.schemas.event.Text;
import org.jspecify.annotations.Nullable;

/// Wrappers that prose may look like; believed where a known line comes behind them. Each method gives the index behind the
/// wrapper at an index, or that index.
///
/// ```text
///   worker-0:                          pdsh, clush; <node>: is somebody's placeholder
///   trainer-1  |                       docker compose
///   llama-0 trainer                    stern; with the namespace in front under --all-namespaces
///   [llama-0 trainer] , [llama-0]      kubetail
///   Nov 20 20:42:26 host unit[7]:      journalctl, syslog
///   llama.log:12:  12:  [12]  12       grep -n, editors, cat -n; a number in brackets is MPICH's rank, too
///   > , | , + , -                      quotes, tables and differences
///   INFO:trainer: , INFO -             loggers
/// ```
final class LikelyWrappers {

  private LikelyWrappers() {}

  static int one(Text text, int at, int end, @Nullable Found found) {
    if (end - at < 4) {
      return at;
    }
    var c = text.charAt(at);
    if (Chars.isLetter(c)) {
      return named(text, at, end, found);
    }
    if (Chars.isDigit(c)) {
      return numbered(text, at, end, found);
    }
    return switch (c) {
      case ' ', '\t' -> Chars.skipBlanks(text, at, end);
      case '>', '|', '+', '-' -> marks(text, at, end);
      case '[' -> bracket(text, at, end, found);
      case '<' -> placeholder(text, at, end, found);
      default -> at;
    };
  }

  private static int named(Text text, int at, int end, @Nullable Found found) {
    var token = CollectorWrappers.token(text, at, end);
    if (token >= end) {
      return at;
    }
    return switch (text.charAt(token)) {
      case ':' -> host(text, at, token, end, found);
      case ' ' -> {
        var syslog = CollectorWrappers.syslog(text, at, end, found);
        var next = syslog > at ? syslog : pods(text, at, token, end, found);
        yield next > at ? next : Levels.skip(text, at, end);
      }
      default -> at;
    };
  }

  /// `worker-0: `, `llama.log:12:`, `llama.log:`, `INFO:trainer:`.
  private static int host(Text text, int at, int token, int end, @Nullable Found found) {
    var level = Levels.skip(text, at, end);
    if (level > at) {
      return level;
    }
    var next = token + 1;
    if (next < end && text.charAt(next) == ' ') {
      if (!isHost(text, at, token)) {
        return Chars.find(text, at, token, '/') < 0 ? at : next;
      }
      if (found != null) {
        found.node(at, token);
      }
      return next + 1;
    }
    var digits = Chars.skipDigits(text, next, end);
    if (digits > next && digits < end && text.charAt(digits) == ':') {
      return LauncherWrappers.afterBlank(text, digits + 1, end);
    }
    return Chars.find(text, at, token, '.') > 0 || Chars.find(text, at, token, '/') > 0 ? next : at;
  }

  /// Hosts have a digit or a mark in their name, words have none.
  private static boolean isHost(Text text, int from, int to) {
    for (var at = from; at < to; at++) {
      var c = text.charAt(at);
      if (c == '/') {
        return false;
      }
      if (!Chars.isLetter(c)) {
        return true;
      }
    }
    return false;
  }

  /// `name-1  | `, `pod container `, `namespace pod container `.
  private static int pods(Text text, int at, int token, int end, @Nullable Found found) {
    var next = Chars.skipBlanks(text, token, end);
    if (Chars.at(text, next, end, "| ")) {
      if (found != null) {
        found.pod(at, token);
      }
      return next + 2;
    }
    if (next != token + 1) {
      return stream(text, at, token, found);
    }
    var second = label(text, next, end);
    if (second == next || second >= end || text.charAt(second) != ' ') {
      return stream(text, at, token, found);
    }
    if (isPod(text, at, token)) {
      return pod(at, token, next, second, found);
    }
    var third = isPod(text, next, second) ? label(text, second + 1, end) : second + 1;
    return label(text, at, token) == token && third > second + 1 && Chars.at(text, third, end, " ")
        ? pod(next, second, second + 1, third, found)
        : stream(text, at, token, found);
  }

  private static int pod(int from, int to, int next, int end, @Nullable Found found) {
    if (found != null) {
      found.pod(from, to);
      found.container(next, end);
    }
    return end + 1;
  }

  /// `llama/trainer/0f3c5 `: `aws logs tail` names the stream behind the time.
  private static int stream(Text text, int at, int token, @Nullable Found found) {
    if (Chars.find(text, at, token, '/') < 0 && !isPod(text, at, token)) {
      return at;
    }
    if (found != null) {
      found.pod(at, token);
    }
    return token + 1;
  }

  /// A name of Kubernetes: small letters, digits and hyphens.
  private static int label(Text text, int at, int end) {
    var p = at;
    while (p < end && (isSmall(text.charAt(p)) || text.charAt(p) == '-')) {
      p++;
    }
    return p;
  }

  private static boolean isSmall(char c) {
    return c >= 'a' && c <= 'z' || Chars.isDigit(c);
  }

  private static boolean isPod(Text text, int from, int to) {
    return label(text, from, to) == to && Chars.find(text, from, to, '-') > from;
  }

  /// `123:`, `123-`, `123  ` and a tab.
  private static int numbered(Text text, int at, int end, @Nullable Found found) {
    var digits = Chars.skipDigits(text, at, Math.min(end, at + 9));
    if (digits >= end) {
      return at;
    }
    return switch (text.charAt(digits)) {
      case ':' -> isClock(text, digits, end) ? at : digits + 1;
      case '-', '\t', ' ', '|' -> Chars.skipBlanks(text, digits + 1, end);
      default -> at;
    };
  }

  private static boolean isClock(Text text, int colon, int end) {
    return Chars.skipDigits(text, colon + 1, end) == colon + 3 && Chars.at(text, colon + 3, end, ":");
  }

  private static int marks(Text text, int at, int end) {
    return Chars.skipBlanks(text, at + 1, end);
  }

  /// `[12] `, `[pod container] `, `[pod] `, `[rank: 1] `, `[titan] `.
  private static int bracket(Text text, int at, int end, @Nullable Found found) {
    var close = Chars.find(text, at, Math.min(end, at + 300), "] ");
    if (close < 0) {
      return at;
    }
    if (Chars.at(text, at, close, "[rank: ")) {
      if (found != null) {
        found.rank(at + 7, close);
      }
      return close + 2;
    }
    var name = label(text, at + 1, close);
    if (name < close && text.charAt(name) != ' ') {
      return DateTime.isAt(text, at + 1, close) ? close + 2 : at;
    }
    if (found != null && isPod(text, at + 1, name)) {
      found.pod(at + 1, name);
      if (name < close) {
        found.container(name + 1, close);
      }
    }
    return close + 2;
  }

  private static int placeholder(Text text, int at, int end, @Nullable Found found) {
    var close = Chars.find(text, at, Math.min(end, at + 64), '>');
    if (close < 0 || CollectorWrappers.token(text, at + 1, close) != close) {
      return at;
    }
    if (found != null) {
      found.node(at + 1, close);
    }
    var colon = close + 1 < end && text.charAt(close + 1) == ':' ? close + 2 : close + 1;
    return LauncherWrappers.afterBlank(text, colon, end);
  }
}
