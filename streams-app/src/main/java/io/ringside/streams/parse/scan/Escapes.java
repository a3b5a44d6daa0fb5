package io.ringside.streams.parse.scan;

import io.ringside.schemas.event.Text;
import java.util.Arrays;

/// Colours and other escape sequences for terminals (ECMA-48): `ESC [ 36 m`, `ESC ] 0 ; title BEL`.
/// Also the rest of a colour whose escape char was lost in a clipboard or changed by `cat -v`:
/// `[36m`, `^[[0m`.
public final class Escapes {

  private static final char ESCAPE = 0x1b;
  private static final char BELL = 0x07;

  private Escapes() {}

  /// A line without escapes, with the original positions of its bytes.
  ///
  /// @param from position in the text of each byte and of the end
  public record Plain(Text text, int[] from) {}

  /// The range without its escapes.
  public static Plain without(Text text, int start, int end) {
    var bytes = new byte[end - start];
    var from = new int[end - start + 1];
    var length = 0;
    for (var at = start; at < end; ) {
      if (text.charAt(at) == ESCAPE) {
        at = after(text, at + 1, end);
        continue;
      }
      bytes[length] = text.utf8()[at];
      from[length++] = at++;
    }
    from[length] = end;
    return new Plain(Text.of(Arrays.copyOf(bytes, length)), Arrays.copyOf(from, length + 1));
  }

  private static int after(Text text, int at, int end) {
    if (at >= end) {
      return end;
    }
    return switch (text.charAt(at)) {
      case '[' -> afterControl(text, at + 1, end);
      case ']' -> afterString(text, at + 1, end);
      case '(', ')' -> Math.min(end, at + 2);
      default -> at + 1;
    };
  }

  private static int afterControl(Text text, int at, int end) {
    var p = at;
    while (p < end && text.charAt(p) >= ' ' && text.charAt(p) < '@') {
      p++;
    }
    return Math.min(end, p + 1);
  }

  private static int afterString(Text text, int at, int end) {
    var p = at;
    while (p < end && text.charAt(p) != BELL && text.charAt(p) != ESCAPE) {
      p++;
    }
    return Math.min(end, p < end && text.charAt(p) == ESCAPE ? p + 2 : p + 1);
  }

  /// Index after `[36m`, `[1;36m` or `^[[36m` at an index, else that index.
  static int afterBare(Text text, int at, int end) {
    var p = Chars.at(text, at, end, "^[[") ? at + 3 : at + 1;
    while (p < end && (Chars.isDigit(text.charAt(p)) || text.charAt(p) == ';')) {
      p++;
    }
    return p > at + 1 && p < end && text.charAt(p) == 'm' ? p + 1 : at;
  }
}
