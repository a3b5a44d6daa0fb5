package io.ringside.streams.parse.scan;

import io.ringside.schemas.event.Text;

/// Scans the name of a host, a pod or a file once: finds its end and the kinds of chars in it,
/// packed into a long.
final class Names {
  private static final int LONGEST = 254;
  private static final int NAME = 1;

  /// Chars of names in Kubernetes: small letters, digits and hyphens.
  private static final int LABEL = 2;

  private static final int HYPHEN = 4;
  private static final int SLASH = 8;

  /// A digit, hyphen, point or underscore: host names have one, plain words have none.
  private static final int MARK = 16;

  private static final byte[] KINDS = kinds();

  private Names() {}

  private static byte[] kinds() {
    var kinds = new byte[256];
    for (char c = 0; c < 128; c++) {
      var label = c >= 'a' && c <= 'z' || Chars.isDigit(c) || c == '-';
      var mark = Chars.isDigit(c) || c == '-' || c == '.' || c == '_';
      if (label || mark || Chars.isLetter(c) || c == '/') {
        kinds[c] =
            (byte)
                (NAME
                    | (label ? LABEL : 0)
                    | (c == '-' ? HYPHEN : 0)
                    | (c == '/' ? SLASH : 0)
                    | (mark ? MARK : 0));
      }
    }
    return kinds;
  }

  static long scan(Text text, int from, int end) {
    var limit = Math.min(end, from + LONGEST);
    var any = 0;
    var all = LABEL;
    var at = from;
    for (; at < limit; at++) {
      var kind = KINDS[text.charAt(at)];
      if (kind == 0) {
        break;
      }
      any |= kind;
      all &= kind;
    }
    return (long) at << 8 | any & ~LABEL | all;
  }

  static int end(long name) {
    return (int) (name >>> 8);
  }

  static boolean isLabel(long name) {
    return (name & LABEL) != 0;
  }

  static boolean isPod(long name) {
    return (name & (LABEL | HYPHEN)) == (LABEL | HYPHEN);
  }

  static boolean isPath(long name) {
    return (name & SLASH) != 0;
  }

  static boolean isHost(long name) {
    return (name & (SLASH | MARK)) == MARK;
  }
}
