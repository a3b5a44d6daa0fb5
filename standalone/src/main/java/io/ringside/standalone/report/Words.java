package io.ringside.standalone.report;

import java.util.ArrayList;
import java.util.List;

/// Breaks spans where a line may break: at spaces, and inside a word that is longer than a line.
final class Words {
  private static final int LONGEST = 40;

  private Words() {}

  /// The span in pieces: words, runs of spaces, and long words in parts.
  static List<Span> of(Span span) {
    List<Span> pieces = new ArrayList<>();
    int[] points = span.text().codePoints().toArray();
    int from = 0;
    for (int i = 1; i <= points.length; i++) {
      boolean edge =
          i == points.length || (points[i] == ' ') != (points[i - 1] == ' ') || i - from == LONGEST;
      if (edge) {
        pieces.add(new Span(new String(points, from, i - from), span.ink()));
        from = i;
      }
    }
    return pieces;
  }

  /// Up to which piece a line of this width reaches; at least one piece.
  static int fitting(List<Span> pieces, int from, int width) {
    int used = 0;
    int to = from;
    int lastBreak = from;
    while (to < pieces.size() && used + pieces.get(to).length() <= width) {
      used += pieces.get(to).length();
      to++;
      if (to == pieces.size() || isSpace(pieces.get(to)) || isSpace(pieces.get(to - 1))) {
        lastBreak = to;
      }
    }
    return lastBreak > from ? lastBreak : Math.max(to, from + 1);
  }

  static int skipSpaces(List<Span> pieces, int from) {
    int i = from;
    while (i < pieces.size() && isSpace(pieces.get(i))) {
      i++;
    }
    return i;
  }

  private static boolean isSpace(Span piece) {
    return piece.text().isBlank();
  }
}
