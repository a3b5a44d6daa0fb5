package io.ringside.streams.parse.scan;

import io.ringside.schemas.event.Text;

/// Suffixes of lines: Ray's ` [repeated 15x across cluster]`, sometimes followed by a hint how to
/// switch it off, and the rest of the colour around it.
public final class Suffixes {

  private static final String REPEATED = " [repeated ";

  private Suffixes() {}

  /// End of the line without its suffixes.
  public static int trim(Text text, int start, int end) {
    if (end - start < 10) {
      return end;
    }
    return switch (text.charAt(end - 1)) {
      case ']', ')' -> repeated(text, start, end);
      case 'm' -> colour(text, start, end);
      default -> end;
    };
  }

  private static int repeated(Text text, int start, int end) {
    if (!text.startsWith(" cluster]", end - 9) && !text.startsWith("options.)", end - 9)) {
      return end;
    }
    var at = Chars.find(text, start, end, REPEATED);
    return at < 0 || Chars.find(text, at, end, " across cluster]") < 0
        ? end
        : trim(text, start, at);
  }

  /// `[0m` or `^[[0m`.
  private static int colour(Text text, int start, int end) {
    var p = end - 1;
    while (p > start && (Chars.isDigit(text.charAt(p - 1)) || text.charAt(p - 1) == ';')) {
      p--;
    }
    if (p == end - 1 || p <= start || text.charAt(p - 1) != '[') {
      return end;
    }
    p--;
    return trim(text, start, p >= start + 2 && text.startsWith("^[", p - 2) ? p - 2 : p);
  }
}
