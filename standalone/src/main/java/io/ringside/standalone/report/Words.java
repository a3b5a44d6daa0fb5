package io.ringside.standalone.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Splits spans where a line may break: at spaces, after slashes of paths, and inside very long
/// words.
final class Words {
  private static final int LONGEST = 60;

  /// Parts of a path up to this length are not split: `n/a`, `NET/Socket`.
  private static final int SHORT = 12;

  private static final Pattern UNIT = Pattern.compile(" (%|ms|s|min|h|d|[kMG]B(?:/s)?)(?![\\w/])");

  private Words() {}

  /// The span in pieces: words, runs of spaces, and parts of long words.
  static List<ColouredText> of(ColouredText span) {
    List<ColouredText> pieces = new ArrayList<>();
    int[] points = span.text().codePoints().toArray();
    int from = 0;
    for (int i = 1; i <= points.length; i++) {
      boolean edge =
          i == points.length
              || ((points[i] == ' ') != (points[i - 1] == ' ') && !withUnit(span.text(), points, i))
              || (points[i - 1] == '/' && i - from > SHORT)
              || i - from == LONGEST;
      if (edge) {
        pieces.add(new ColouredText(new String(points, from, i - from), span.ink()));
        from = i;
      }
    }
    return pieces;
  }

  /// Whether the space at this place separates a number and its unit, which stay on one line.
  private static boolean withUnit(String text, int[] points, int place) {
    int space = points[place] == ' ' ? place : place - 1;
    return space > 0
        && Character.isDigit(points[space - 1])
        && UNIT.matcher(text.substring(text.offsetByCodePoints(0, space))).lookingAt();
  }

  /// Index after the last piece that fits on a line of this width; at least one piece fits.
  static int fitting(List<ColouredText> pieces, int from, int width) {
    int used = 0;
    int to = from;
    while (to < pieces.size() && used + pieces.get(to).length() <= width) {
      used += pieces.get(to).length();
      to++;
    }
    return Math.max(to, from + 1);
  }

  static int skipSpaces(List<ColouredText> pieces, int from) {
    int i = from;
    while (i < pieces.size() && isSpace(pieces.get(i))) {
      i++;
    }
    return i;
  }

  private static boolean isSpace(ColouredText piece) {
    return piece.text().isBlank();
  }
}
