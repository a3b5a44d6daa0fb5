package io.ringside.shipper.mask;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// Hides the lines of a PEM private key (RFC 7468) that a log prints line by line. An expression
/// sees only one line, so these lines are found by their position: after a line that begins a key,
/// or before a line that ends a key whose beginning is in the previous chunk.
final class PrivateKeyLines {
  /// Occurs in the lines that begin and end a key. A user whose masks lack this word wants keys
  /// left visible.
  static final String WORD = "PRIVATE KEY";

  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "-----END ";

  /// Limit of a key's lines. An RSA key of 16,384 bits takes 200.
  private static final int MOST = 256;

  /// Least length of a key's line, in characters. PEM writes 64 a line; some programs write 70 or
  /// 76.
  private static final int LONG = 40;

  private PrivateKeyLines() {}

  /// The text with the lines of its keys hidden; the same object if there are none.
  static String hidden(String text, LongAdder masked) {
    if (!text.contains(WORD) || text.indexOf('\n') < 0) {
      return text;
    }
    var lines = new ArrayList<>(List.of(text.split("\n", -1)));
    boolean changed = false;
    for (int at = 0, last = -1; at < lines.size(); at++) {
      if (names(lines.get(at), BEGIN)) {
        int end = end(lines, at + 1);
        changed |= hide(lines, at + 1, Math.min(end, at + 1 + MOST), masked);
        at = end == lines.size() ? at : end;
        last = at;
      } else if (names(lines.get(at), END)) {
        changed |= hide(lines, Math.max(last + 1, at - MOST), at, masked);
        last = at;
      }
    }
    return changed ? String.join("\n", lines) : text;
  }

  /// Index of the line that ends the key, or the number of lines if there is none.
  private static int end(List<String> lines, int from) {
    int at = from;
    while (at < lines.size() && at < from + MOST && !names(lines.get(at), END)) {
      at++;
    }
    return at < lines.size() && names(lines.get(at), END) ? at : lines.size();
  }

  private static boolean names(String line, String edge) {
    int at = line.indexOf(edge);
    return at >= 0 && line.indexOf(WORD, at) > 0;
  }

  private static boolean hide(List<String> lines, int from, int to, LongAdder masked) {
    boolean changed = false;
    for (int at = from; at < to; at++) {
      String line = lines.get(at);
      int body = body(line, at + 1 == to && to < lines.size());
      if (body >= 0) {
        lines.set(at, line.substring(0, body) + Masking.MASK);
        masked.increment();
        changed = true;
      }
    }
    return changed;
  }

  /// Where the key's part of the line begins, after any prefix that a launcher writes. Returns -1
  /// if the line has no such part, for example a line of another thread among those of the key.
  ///
  /// @param last whether the key ends after this line, in which case the line may be short
  private static int body(String line, boolean last) {
    int start = line.stripTrailing().lastIndexOf(' ') + 1;
    String word = line.substring(start).strip();
    boolean letters = !word.isEmpty() && word.chars().allMatch(PrivateKeyLines::isBase64);
    return letters && (start == 0 || last || word.length() >= LONG) ? start : -1;
  }

  private static boolean isBase64(int c) {
    return c >= '0' && c <= '9'
        || (c | 0x20) >= 'a' && (c | 0x20) <= 'z'
        || c == '+'
        || c == '/'
        || c == '=';
  }
}
