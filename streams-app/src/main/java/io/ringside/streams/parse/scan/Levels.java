package io.ringside.streams.parse.scan;

import io.ringside.schemas.event.Text;
import java.util.List;

/// The severity that loggers write, with the fields around it:
///
/// ```text
///   INFO:torch.distributed.run:            logging.basicConfig
///   INFO: , INFO - , [INFO] , [INFO] [train.py:12] , [INFO] [train]
///   - root - INFO - , - INFO - trainer -   logging's usual formats, after the time
///   | INFO     | trainer.loop:fit:12 -     loguru
///   | INFO | train_inner |                 fairseq
///   INFO trainer:                          logging, `%(levelname)s %(name)s: %(message)s`
///   INFO 11-20 20:42:26 [worker.py:12]     vLLM
///   ERROR 2019-12-12 04:02:41,061 launch.py:269]   PaddlePaddle
///   WARNING worker.py:1462 --              Ray
///   [train.py:311][INFO] , [trainer][INFO] -   after the time in a bracket; Hydra
/// ```
final class Levels {

  private static final List<String> LEVELS =
      List.of("INFO", "WARNING", "WARN", "ERROR", "DEBUG", "CRITICAL", "FATAL", "SUCCESS", "TRACE");

  /// How a line about a step begins after the name of its logger.
  private static final List<String> OF_STEPS =
      List.of("step", "Step", "iter", "Iter", "epoch", "Epoch", "global", "train", "Train");

  /// Endings of the names of loggers that report an evaluation.
  private static final List<String> KEPT =
      List.of("val", "valid", "validation", "eval", "evaluation", "evaluate", "test");

  private static final int MOST_FIELDS = 4;
  private static final int LONGEST_NAME = 120;
  private static final int LONGEST_PLACE = 48;

  private Levels() {}

  /// Length of the level at an index, else 0.
  static int at(Text text, int at, int end) {
    if (at + 4 > end || !isCapital(text.charAt(at)) || !isCapital(text.charAt(at + 3))) {
      return 0;
    }
    for (var level : LEVELS) {
      var behind = at + level.length();
      if (Chars.at(text, at, end, level)
          && (behind == end || !Chars.isLetter(text.charAt(behind)))) {
        return level.length();
      }
    }
    return 0;
  }

  private static boolean isCapital(char c) {
    return (char) (c - 'A') < 26;
  }

  /// Index of the first char after the level and its fields; `at` if there is no level.
  static int skip(Text text, int at, int end) {
    if (at >= end) {
      return at;
    }
    var c = text.charAt(at);
    if (c == '[') {
      var level = at(text, at + 1, end);
      return level > 0
              && (Chars.at(text, at + 1 + level, end, "] ")
                  || Chars.at(text, at + 1 + level, end, "]\t"))
          ? logger(text, place(text, at + level + 3, end), end)
          : at;
    }
    if (c == '-' || c == '|') {
      return fields(text, at, end);
    }
    var level = at(text, at, end);
    return level == 0 ? at : behind(text, at + level, end, at);
  }

  private static int behind(Text text, int at, int end, int otherwise) {
    if (at >= end) {
      return otherwise;
    }
    if (text.charAt(at) == ':') {
      var colon = Chars.find(text, at + 1, Math.min(end, at + LONGEST_NAME), ':');
      return colon > at + 1 && name(text, at + 1, colon) == colon
          ? LauncherWrappers.afterBlank(text, colon + 1, end)
          : Chars.at(text, at, end, ": ") ? at + 2 : otherwise;
    }
    var next = Chars.skipBlanks(text, at, end);
    var dashes = Chars.find(text, next, Math.min(end, next + LONGEST_PLACE), " -- ");
    if (dashes > next
        && Chars.find(text, next, dashes, ".py:") > 0
        && Chars.find(text, next, dashes, ' ') < 0) {
      return dashes + 4;
    }
    if (next < end && (text.charAt(next) == '-' || text.charAt(next) == '|')) {
      return name(text, next, end, " - ");
    }
    return next > at ? logger(text, place(text, next, end), end) : otherwise;
  }

  /// Index after `trainer: ` or `[train] ` where a step follows. In other lines the word may be
  /// part of the message.
  private static int logger(Text text, int at, int end) {
    boolean bracket = at < end && text.charAt(at) == '[';
    var from = bracket ? at + 1 : at;
    var to = from;
    var limit = Math.min(end, at + LONGEST_PLACE);
    while (to < limit && isLogger(text.charAt(to))) {
      to++;
    }
    return to > from + 1
            && Chars.at(text, to, end, bracket ? "] " : ": ")
            && tellsStep(text, to + 2, end)
            && !isKept(text, from, to)
        ? to + 2
        : at;
  }

  /// Index after `[train.py:311][INFO] ` or `[trainer][INFO] - ` where a step follows.
  static int afterPlace(Text text, int at, int end) {
    int close = Chars.find(text, at, Math.min(end, at + LONGEST_NAME), "][");
    int level = close < 0 ? 0 : at(text, close + 2, end);
    int behind = close + 2 + level;
    if (level == 0 || !Chars.at(text, behind, end, "] ") || isKept(text, at + 1, close)) {
      return at;
    }
    int next = behind + (Chars.at(text, behind, end, "] - ") ? 4 : 2);
    return tellsStep(text, next, end) ? next : at;
  }

  private static boolean tellsStep(Text text, int at, int end) {
    for (var word : OF_STEPS) {
      if (Chars.at(text, at, end, word)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isKept(Text text, int from, int to) {
    for (var word : KEPT) {
      if (to - from >= word.length() && text.startsWith(word, to - word.length())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isLogger(char c) {
    return (char) (c - 'a') < 26 || c == '_' || c == '.';
  }

  /// `11-20 20:42:26 [worker.py:12] `, `2019-12-12 04:02:41,061 launch.py:269] `, or
  /// `[worker.py:12] ` alone, or nothing.
  private static int place(Text text, int at, int end) {
    var time = time(text, at, end);
    var bracket = time < end && text.charAt(time) == '[' ? time : -1;
    var named = bracket < 0 && time > at ? time : bracket;
    var close = named < 0 ? -1 : Chars.find(text, named, Math.min(end, named + LONGEST_NAME), "] ");
    return close < 0 || Chars.find(text, named, close, ':') < 0 ? at : close + 2;
  }

  private static int time(Text text, int at, int end) {
    if (DateTime.isAt(text, at, end)) {
      return DateTime.fractionEnd(text, at, end) + 1;
    }
    return Chars.skipDigits(text, at, end) == at + 2 && end - at > 18 ? at + 15 : at;
  }

  /// `- root - INFO - `, `| INFO     | trainer.loop:fit:12 - `, `| INFO | train_inner | `.
  private static int fields(Text text, int start, int end) {
    var at = start;
    for (var i = 0; i < MOST_FIELDS; i++) {
      if (!Chars.at(text, at, end, "- ") && !Chars.at(text, at, end, "| ")) {
        return start;
      }
      var field = Chars.skipBlanks(text, at + 2, end);
      var level = at(text, field, end);
      if (level > 0) {
        var mark = Chars.skipBlanks(text, field + level, end);
        var behind = name(text, mark, end, " - ");
        return Chars.at(text, mark, end, "| ") && behind == Chars.skipBlanks(text, mark + 1, end)
            ? name(text, mark, end, " | ")
            : behind;
      }
      var name = name(text, field, end);
      at = Chars.skipBlanks(text, name, end);
      if (name == field) {
        return start;
      }
    }
    return start;
  }

  /// Index after a mark, and after the name that follows it if another mark follows the name.
  private static int name(Text text, int mark, int end, String other) {
    if (!Chars.at(text, mark, end, "- ")
        && !Chars.at(text, mark, end, "| ")
        && !Chars.at(text, mark, end, ": ")) {
      return mark;
    }
    var from = Chars.skipBlanks(text, mark + 1, end);
    var name = name(text, from, end);
    return name > from && Chars.at(text, name, end, other) ? name + other.length() : from;
  }

  private static int name(Text text, int at, int end) {
    var p = at;
    var limit = Math.min(end, at + LONGEST_NAME);
    while (p < limit && isName(text.charAt(p))) {
      p++;
    }
    // the colon of "INFO:name:" closes the name, those of "module:function:12" are part of it
    while (p > at && text.charAt(p - 1) == ':') {
      p--;
    }
    return p;
  }

  private static boolean isName(char c) {
    return Chars.isLetter(c) || Chars.isDigit(c) || "._:<>/".indexOf(c) >= 0;
  }
}
