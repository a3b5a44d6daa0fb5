package io.ringside.streams.parse.scan;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.LineOrigin;
import org.jspecify.annotations.Nullable;

/// Text that launchers, runtimes, collectors and terminals write in front of a line, several deep
/// and in any order. This class alone removes it. There are two kinds:
///
/// ```text
///   sure    [rank0]: · [1,26]<stdout>: · 3: · (Actor pid=1, ip=10.0.0.1) · [pod/name/container]
///           2026-…Z stdout F
///           removed whatever follows
///   likely  worker-0: · pod container · name-1  | · Nov 20 20:42:26 host unit[7]: · 123: · [12]
///           > · <node>: · INFO:name:
///           prose may begin like this: removed only if a known line follows
/// ```
///
/// Colours are already removed, see [Escapes]. The agent handles the formats in which runtimes
/// store lines in their own files (CRI, Docker, JSON). Prefixes of loggers come last: [Prefixes].
public final class Wrappers {

  private static final int MOST = 12;

  /// Highest number of likely wrappers in a row.
  private static final int MOST_LIKELY = 6;

  private Wrappers() {}

  /// Index of the first char after all sure wrappers; blanks stay.
  public static int skip(Text text, int start, int end) {
    var at = start;
    for (var i = 0; i < MOST; i++) {
      var next = one(text, at, end, null);
      if (next <= at) {
        break;
      }
      at = next;
    }
    return at;
  }

  /// Skips up to six likely wrappers in a row.
  ///
  /// @return `from` if there is none
  public static int skipAllLikely(Text text, int from, int end) {
    var at = from;
    for (var i = 0; i < MOST_LIKELY; i++) {
      var next = skipLikely(text, at, end);
      if (next <= at) {
        break;
      }
      at = next;
    }
    return at;
  }

  /// Index after one likely wrapper and the sure ones that follow it; `at` if there is none.
  public static int skipLikely(Text text, int at, int end) {
    var next = LikelyWrappers.one(text, at, end, null);
    return next <= at ? at : skip(text, next, end);
  }

  /// Index after one wrapper of no known launcher and the sure ones that follow it; `at` if there
  /// is none.
  public static int skipUnknown(Text text, int at, int end) {
    var next = UnknownWrappers.one(text, at, end);
    return next <= at ? at : skip(text, next, end);
  }

  /// Rank and time from the wrappers of a range. All are accepted, because a known line follows.
  public static LineOrigin origin(Text text, int start, int end) {
    var found = new FoundOrigin(text);
    var at = start;
    for (var i = 0; i < MOST && at < end; i++) {
      var next = one(text, at, end, found);
      if (next <= at) {
        next = LikelyWrappers.one(text, at, end, found);
      }
      if (next <= at) {
        next = UnknownWrappers.one(text, at, end);
      }
      if (next <= at) {
        break;
      }
      at = next;
    }
    return found.origin();
  }

  private static int one(Text text, int at, int end, @Nullable FoundOrigin found) {
    if (at >= end) {
      return at;
    }
    return switch (text.charAt(at)) {
      case '[' -> LauncherWrappers.bracket(text, at, end, found);
      case '(' -> LauncherWrappers.ray(text, at, end, found);
      case '<' -> CollectorWrappers.rfc5424(text, at, end, found);
      case '^' -> Escapes.afterBare(text, at, end);
      case ' ' -> LauncherWrappers.padded(text, at, end, found);
      case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number(text, at, end, found);
      default -> at;
    };
  }

  private static int number(Text text, int at, int end, @Nullable FoundOrigin found) {
    var task = LauncherWrappers.task(text, at, end, found);
    return task > at ? task : CollectorWrappers.stamp(text, at, end, found);
  }
}
