package io.ringside.streams.parse.scan;

import io.ringside.schemas.event.Text;
import org.jspecify.annotations.Nullable;

/// Wrappers that ordinary prose may resemble. They count only if a known line follows. Each method
/// returns the index after the wrapper that begins at the given index, or the given index if there
/// is none.
///
/// ```text
///   worker-0:  10.0.3.17:  localhost:  pdsh, clush
///   <node>:                            somebody's placeholder; : alone is the rest of a name
///   /home/me/train.sh:  ./train.sh:    bash, in front of `line 44: …`
///   trainer-1  |                       docker compose
///   dinov2.node-4 [stderr]             milabench and others that name the stream
///   llama-0 trainer                    stern; with the namespace in front under --all-namespaces
///   [llama-0 trainer] , [llama-0]      kubetail
///   [rank 3] , (Rank: 3/8) , rank 3:   ranks that training scripts print themselves
///   [node 1] , [worker 3] , node=1     machines and processes that they print themselves
///   [host1:0] , [trainer0|3]:          torchrun with TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE
///   Nov 20 20:42:26 host unit[7]:      journalctl, syslog; the time alone where the rest was cut
///   llama.log:12:  12:  [12]  12       grep -n, editors, cat -n; [12] may also be a rank of MPICH
///   > , | , + , -                      quotes, tables and diffs
///   # [ , # Traceback , # KeyError:    a log in comments, which prose and scripts have, too
///   INFO:trainer: , INFO - , trainer INFO:   loggers
///   11/20 20:42:26 - mmengine - INFO - MMEngine, with the year in front in some versions
///   [11/20 20:42:26 d2.utils.events]:  Detectron2
///   [20:42:26]                         scripts
///   gpu-1:3 <tab> olmo.train:967 <tab> INFO <tab>  OLMo, after the time: host, local rank, module
/// ```
final class LikelyWrappers {

  private static final String[] STREAMS = {" [stderr] ", " [stdout] "};

  /// Names of things that a job has many of.
  private static final String[] OF_MANY = {
    "node", "Node", "worker", "Worker", "host", "gpu", "GPU", "proc", "process", "trainer"
  };

  private static final String LOCALHOST = "localhost: ";

  /// nccl-tests write a host of any name in front of their failures (src/common.h).
  private static final String NCCL_TESTS = "Test NCCL failure ";

  private static final String CUDA_TESTS = "Test CUDA failure ";
  private static final String SCRIPT_LINE = ": line ";

  /// In bytes: `строка`, with some reserve.
  private static final int LONGEST_WORD = 20;

  private static final int LONGEST_PATH = 512;

  private LikelyWrappers() {}

  static int one(Text text, int at, int end, @Nullable FoundOrigin found) {
    if (end - at < 4) {
      return at;
    }
    var c = text.charAt(at);
    if (Chars.isLetter(c)) {
      var rank = RankWords.bare(text, at, end, found);
      return rank > at ? rank : named(text, at, end);
    }
    if (Chars.isDigit(c)) {
      return numbered(text, at, end);
    }
    return switch (c) {
      case ' ', '\t' -> Chars.skipBlanks(text, at, end);
      case '>', '|', '+', '-' -> marks(text, at, end);
      case '#' -> comment(text, at, end);
      case '[' -> bracket(text, at, end, found);
      case '(' -> RankWords.bracketed(text, at, end, ')', found);
      case '<' -> placeholder(text, at, end);
      case ':' -> text.charAt(at + 1) == ' ' ? at + 2 : at;
      case '/', '.', '~' -> script(text, at, end);
      default -> at;
    };
  }

  /// `/home/me/train.sh: line 44: `, with which bash reports on its child processes;
  /// `/home/me/train.sh: 行 44: ` in other languages.
  private static int script(Text text, int at, int end) {
    var last = Math.min(end, at + LONGEST_PATH);
    var behind = Chars.find(text, at, last, SCRIPT_LINE);
    behind = behind < 0 ? Chars.find(text, at, last, ": ") : behind;
    return behind < 0 || !isNumbered(text, behind + 2, end) ? at : behind + 2;
  }

  /// Whether a word, a number and a colon follow.
  private static boolean isNumbered(Text text, int at, int end) {
    var blank = Chars.find(text, at, Math.min(end, at + LONGEST_WORD), ' ');
    var digits = blank < 0 ? -1 : Chars.skipDigits(text, blank + 1, end);
    return digits > blank + 1 && Chars.at(text, digits, end, ": ");
  }

  private static int named(Text text, int at, int end) {
    var name = Names.scan(text, at, end);
    var token = Names.end(name);
    if (token >= end) {
      return at;
    }
    return switch (text.charAt(token)) {
      case ':' -> host(text, at, name, end);
      case '=' -> numberOf(text, at, token, end);
      case ' ' -> {
        var next = pods(text, at, name, end);
        next = next > at ? next : CollectorWrappers.syslog(text, at, end);
        next = next > at ? next : CollectorWrappers.decoded(text, at, end);
        next = next > at ? next : Levels.skip(text, at, end);
        yield next > at ? next : logger(text, at, token, end);
      }
      default -> at;
    };
  }

  /// `node=0 `, `worker=3 `.
  private static int numberOf(Text text, int at, int token, int end) {
    var digits = Chars.skipDigits(text, token + 1, end);
    return digits > token + 1 && Chars.at(text, digits, end, " ") && isOfMany(text, at, token)
        ? digits + 1
        : at;
  }

  /// `worker-0: `, `llama.log:12:`, `llama.log:`, `INFO:trainer:`.
  private static int host(Text text, int at, long name, int end) {
    var level = Math.max(CollectorWrappers.talos(text, at, end), Levels.skip(text, at, end));
    if (level > at) {
      return level;
    }
    var token = Names.end(name);
    var next = token + 1;
    if (Chars.at(text, at, end, Prefixes.COMPILER)) {
      return at;
    }
    if (next < end && text.charAt(next) == ' ') {
      return Names.isHost(name)
              || Chars.at(text, at, end, LOCALHOST)
              || Chars.at(text, next + 1, end, NCCL_TESTS)
              || Chars.at(text, next + 1, end, CUDA_TESTS)
          ? next + 1
          : Names.isPath(name) ? next : at;
    }
    var digits = Chars.skipDigits(text, next, end);
    if (digits > next && Chars.at(text, digits, end, "\t")) {
      return columns(text, at, digits + 1, end);
    }
    if (digits > next && digits < end && text.charAt(digits) == ':') {
      return LauncherWrappers.afterBlank(text, digits + 1, end);
    }
    return Names.isPath(name) || Chars.find(text, at, token, '.') > 0 ? next : at;
  }

  /// `olmo.train:967 <tab> INFO <tab> `, beginning at the module.
  private static int columns(Text text, int at, int from, int end) {
    var module = Names.end(Names.scan(text, from, end));
    var tab = Chars.at(text, module, end, ":") ? Chars.skipDigits(text, module + 1, end) : end;
    var level = Chars.at(text, tab, end, "\t") ? Levels.at(text, tab + 1, end) : 0;
    return level > 0 ? Chars.skipBlanks(text, tab + 1 + level, end) : at;
  }

  /// `maskrcnn_benchmark.trainer INFO: `, after the time.
  private static int logger(Text text, int at, int token, int end) {
    var level = Levels.at(text, token + 1, end);
    return level > 0 && Chars.at(text, token + 1 + level, end, ": ") ? token + level + 3 : at;
  }

  /// `name-1  | `, `pod container `, `namespace pod container `.
  private static int pods(Text text, int at, long name, int end) {
    var token = Names.end(name);
    for (var stream : STREAMS) {
      if (Chars.at(text, token, end, stream)) {
        return token + stream.length();
      }
    }
    var next = Chars.skipBlanks(text, token, end);
    if (Chars.at(text, next, end, "| ")) {
      return next + 2;
    }
    if (next != token + 1 || !Names.isLabel(name)) {
      return stream(at, name);
    }
    var second = Names.scan(text, next, end);
    var behind = Names.end(second);
    if (!isWord(text, next, second, end)) {
      return stream(at, name);
    }
    if (Names.isPod(name)) {
      return behind + 1;
    }
    if (!Names.isPod(second)) {
      return at;
    }
    var third = Names.scan(text, behind + 1, end);
    return isWord(text, behind + 1, third, end) ? Names.end(third) + 1 : at;
  }

  private static boolean isWord(Text text, int from, long name, int end) {
    var behind = Names.end(name);
    return behind > from && Names.isLabel(name) && behind < end && text.charAt(behind) == ' ';
  }

  /// `llama/trainer/0f3c5 `: `aws logs tail` names the stream after the time.
  private static int stream(int at, long name) {
    return Names.isPath(name) || Names.isPod(name) ? Names.end(name) + 1 : at;
  }

  /// `123:`, `123-`, `123  ` or a number and a tab.
  private static int numbered(Text text, int at, int end) {
    var digits = Chars.skipDigits(text, at, Math.min(end, at + 9));
    if (digits >= end) {
      return at;
    }
    return switch (text.charAt(digits)) {
      case ':' -> isClock(text, digits, end) ? at : digits + 1;
      case '-', '\t', ' ', '|' -> Chars.skipBlanks(text, digits + 1, end);
      case '.' -> address(text, at, digits, end);
      case '/' -> shortDate(text, at, digits, end);
      default -> CollectorWrappers.syslog(text, at, end);
    };
  }

  /// `11/20 20:42:26 ` and `2026/11/20 20:42:26 `.
  private static int shortDate(Text text, int at, int slash, int end) {
    var from = slash == at + 4 ? slash + 1 : at;
    return Chars.skipDigits(text, from, end) == from + 2
            && Chars.at(text, from + 2, end, "/")
            && Chars.skipDigits(text, from + 3, end) == from + 5
            && Chars.at(text, from + 5, end, " ")
            && Chars.skipDigits(text, from + 6, end) == from + 8
            && isClock(text, from + 8, end)
            && Chars.skipDigits(text, from + 12, end) == from + 14
            && Chars.at(text, from + 14, end, " ")
        ? Levels.skip(text, from + 15, end)
        : at;
  }

  /// `10.0.3.17: `: pdsh names a host in the form of its host list.
  private static int address(Text text, int at, int dot, int end) {
    var next = dot;
    for (var part = 1; part < 4; part++) {
      var digits = Chars.at(text, next, end, ".") ? Chars.skipDigits(text, next + 1, end) : next;
      if (digits <= next + 1) {
        return at;
      }
      next = digits;
    }
    return Chars.at(text, next, end, ": ") ? next + 2 : at;
  }

  private static boolean isClock(Text text, int colon, int end) {
    return Chars.skipDigits(text, colon + 1, end) == colon + 3
        && Chars.at(text, colon + 3, end, ":");
  }

  private static int marks(Text text, int at, int end) {
    return Chars.skipBlanks(text, at + 1, end);
  }

  /// `[12] `, `[pod container] `, `[pod] `, `[rank 1] `, `[trainer] `, `[host1:0] `,
  /// `[trainer0|3]:`.
  private static int bracket(Text text, int at, int end, @Nullable FoundOrigin found) {
    var rank = RankWords.bracketed(text, at, end, ']', found);
    if (rank > at) {
      return rank;
    }
    if (Chars.skipDigits(text, at + 1, end) == at + 3
        && Chars.at(text, at + 3, end, ":")
        && isClock(text, at + 3, end)) {
      var seconds = Chars.skipDigits(text, at + 7, end);
      return seconds == at + 9 && Chars.at(text, seconds, end, "] ") ? seconds + 2 : at;
    }
    var name = Names.scan(text, at + 1, end);
    var behind = Names.end(name);
    var close = behind;
    if (Names.isPod(name) && behind < end && text.charAt(behind) == ' ') {
      close = Names.end(Names.scan(text, behind + 1, end));
    } else if (Chars.at(text, behind, end, " ") && isOfMany(text, at + 1, behind)) {
      close = Chars.skipDigits(text, behind + 1, end);
    } else if (behind > at + 1
        && (Chars.at(text, behind, end, ":") || Chars.at(text, behind, end, "|"))) {
      close = Chars.skipDigits(text, behind + 1, end);
      if (Chars.at(text, close, end, "]:")) {
        return LauncherWrappers.afterBlank(text, close + 2, end);
      }
    }
    if (close == at + 1 || !Chars.at(text, close, end, "] ")) {
      return DateTime.isAt(text, at + 1, end) || shortDate(text, at + 1, at + 3, end) > at + 1
          ? date(text, at, end)
          : at;
    }
    return close + 2;
  }

  private static boolean isOfMany(Text text, int from, int to) {
    for (var word : OF_MANY) {
      if (to - from == word.length() && Chars.at(text, from, to, word)) {
        return true;
      }
    }
    return false;
  }

  private static int date(Text text, int at, int end) {
    var close = Chars.find(text, at, Math.min(end, at + 60), ']');
    if (close < 0) {
      return at;
    }
    var next = Chars.at(text, close, end, "]: ") ? close + 2 : close + 1;
    return Chars.at(text, next, end, " ") ? next + 1 : at;
  }

  private static int placeholder(Text text, int at, int end) {
    var close = Chars.find(text, at, Math.min(end, at + 64), '>');
    if (close < 0 || CollectorWrappers.token(text, at + 1, close) != close) {
      return at;
    }
    var colon = close + 1 < end && text.charAt(close + 1) == ':' ? close + 2 : close + 1;
    return LauncherWrappers.afterBlank(text, colon, end);
  }

  private static int comment(Text text, int at, int end) {
    if (!Chars.at(text, at, end, "# ")) {
      return at;
    }
    int next = Chars.skipBlanks(text, at + 1, end);
    if (Chars.at(text, next, end, "[")
        || Chars.at(text, next, end, "Traceback (")
        || Chars.at(text, next, end, "File \"")) {
      return next;
    }
    int colon = Chars.find(text, next, Math.min(end, next + LONGEST_EXCEPTION), ':');
    return colon > next + ERROR.length()
            && text.startsWith(ERROR, colon - ERROR.length())
            && Chars.find(text, next, colon, ' ') < 0
        ? next
        : at;
  }

  private static final String ERROR = "Error";

  private static final int LONGEST_EXCEPTION = 80;
}
