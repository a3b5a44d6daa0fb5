package io.ringside.shipper.source.export;

import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/// Detects whether a text was broken at a terminal's width, as `kubectl logs` copied from a window
/// may be. Requires all of these signs:
///
/// ```text
///   no line is longer than W                    and W is a terminal's width
///   lines of width W continue in the next one   which does not begin like a log line
///   those lines begin like log lines            rows of a table, all of one width, do not
///   and are of several kinds                    lines of one kind may have equal length by chance
///   shorter lines are complete                  the next one begins like a log line
/// ```
final class Wrapping {
  private static final int NARROWEST = 60;
  private static final int WIDEST = 400;
  private static final int LEAST_KINDS = 3;

  /// Fewer kinds suffice where the terminal filled every line with blanks, which no program does.
  private static final int LEAST_KINDS_FILLED = 2;

  /// Least shares for lines of exactly this width and for others. They are below 1 because a line
  /// may end at this width by chance, and a traceback has lines that do not look like the beginning
  /// of a log line.
  private static final double MOST = 0.8;

  private static final double MOST_OTHERS = 0.6;

  /// The differences between lines of one kind: numbers, including pointers.
  private static final Pattern NUMBERS = Pattern.compile("[0-9a-f.:]+");

  private static final List<String> BRACKETS =
      List.of(
          "rank", "Rank ", "RANK ", "default", "pod/", "node/", "NeMo ", "INFO", "WARNING", "E ");

  private Wrapping() {}

  /// The width at which the lines were broken, in columns, 0 if they were not.
  ///
  /// @param whole whether the last line is complete
  static int width(String text, boolean whole) {
    var lines = text.lines().toList();
    if (!whole && !lines.isEmpty()) {
      lines = lines.subList(0, lines.size() - 1);
    }
    int width = lines.stream().mapToInt(Wrapping::width).max().orElse(0);
    return width >= NARROWEST && width <= WIDEST && isCut(lines, width) ? width : 0;
  }

  private static boolean isCut(List<String> lines, int width) {
    int cut = 0;
    int goOn = 0;
    int chains = 0;
    var kinds = new HashSet<String>();
    int begun = 0;
    int others = 0;
    int end = 0;
    for (int at = 0; at + 1 < lines.size(); at++) {
      boolean next = begins(lines.get(at + 1));
      if (width(lines.get(at)) < width) {
        others++;
        end += next ? 1 : 0;
        continue;
      }
      cut++;
      goOn += next ? 0 : 1;
      if (at == 0 || width(lines.get(at - 1)) < width) {
        chains++;
        begun += begins(lines.get(at)) ? 1 : 0;
        kinds.add(NUMBERS.matcher(lines.get(at)).replaceAll(""));
      }
    }
    return kinds.size() >= (isFilled(lines, width) ? LEAST_KINDS_FILLED : LEAST_KINDS)
        && goOn >= MOST * cut
        && begun >= MOST * chains
        && end >= MOST_OTHERS * others;
  }

  private static boolean isFilled(List<String> lines, int width) {
    return lines.stream().anyMatch(line -> line.endsWith("  "))
        && lines.stream().allMatch(line -> line.codePointCount(0, line.length()) == width);
  }

  /// Width of a line in columns, one per character. Trailing blanks are ignored, since some
  /// terminals fill lines with blanks.
  static int width(String line) {
    int end = line.endsWith("  ") ? line.stripTrailing().length() : line.length();
    return line.codePointCount(0, end);
  }

  /// Whether a line begins like a log line: a bracket, a date, glog's letter, or NCCL's
  /// `host:pid:tid [`. After a break a line begins anywhere within a message.
  static boolean begins(String line) {
    if (line.isEmpty()) {
      return true;
    }
    char first = line.charAt(0);
    if (first == '{'
        || first == '#'
        || line.startsWith("Traceback ")
        || line.startsWith("  File ")) {
      return true;
    }
    if (first == '[') {
      return isBracket(line);
    }
    return isDate(line) || isGlog(line) || isNccl(line);
  }

  /// Accepts `[rank3]:`, `[E1120 …`, `[2026-…`, `[1,0]<stdout>:`; not `[send]` or `[0]` from the
  /// middle of an NCCL line.
  private static boolean isBracket(String line) {
    int digits = digits(line, 1);
    return BRACKETS.stream().anyMatch(word -> line.startsWith(word, 1))
        || isGlog(line.substring(1))
        || isDate(line.substring(1))
        || digits > 1 && line.startsWith(",", digits);
  }

  private static boolean isDate(String line) {
    return line.length() > 16
        && line.startsWith("20")
        && digits(line, 0) == 4
        && (line.charAt(4) == '-' || line.charAt(4) == '/')
        && digits(line, 5) == 7;
  }

  private static boolean isGlog(String line) {
    return line.length() > 8
        && "IWEF".indexOf(line.charAt(0)) >= 0
        && digits(line, 1) == 5
        && line.charAt(5) == ' ';
  }

  private static boolean isNccl(String line) {
    int colon = line.indexOf(':');
    if (colon < 1 || colon > 64 || line.lastIndexOf(' ', colon) >= 0) {
      return false;
    }
    int pid = digits(line, colon + 1);
    int tid = pid < line.length() && line.charAt(pid) == ':' ? digits(line, pid + 1) : -1;
    return pid > colon + 1 && tid > pid + 1 && line.startsWith(" [", tid);
  }

  private static int digits(String line, int from) {
    int at = from;
    while (at < line.length() && line.charAt(at) >= '0' && line.charAt(at) <= '9') {
      at++;
    }
    return at;
  }
}
