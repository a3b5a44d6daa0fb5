package io.ringside.shipper.source.log.line;

import io.ringside.schemas.event.LogChunk;

/// Parses one line of Docker's json-file driver: an object of which the string members `log`,
/// `stream` and `time` are used. They may come in any order, with blanks between them if another
/// program rewrote the line. There may be other members (`attrs` is an object). Any other text is
/// rejected. Not thread-safe.
final class DockerJson {
  byte[] text = new byte[256];
  int length;
  boolean stderr;
  long nanos;

  private final StampReader stamps;
  private byte[] in = text;
  private int at;
  private int end;

  DockerJson(StampReader stamps) {
    this.stamps = stamps;
  }

  boolean parse(byte[] bytes, int from, int to) {
    if (to - from < 2 || bytes[from] != '{' || bytes[to - 1] != '}') {
      return false;
    }
    in = bytes;
    at = from + 1;
    end = to - 1;
    length = -1;
    nanos = LogChunk.NO_TIME;
    stderr = false;
    skipBlanks();
    while (at < end) {
      if (!member()) {
        return false;
      }
      skipBlanks();
      if (at < end && in[at++] != ',') {
        return false;
      }
      skipBlanks();
    }
    return length >= 0 && nanos != LogChunk.NO_TIME;
  }

  private boolean member() {
    int key = at + 1;
    int keyEnd = skipString();
    skipBlanks();
    if (keyEnd < 0 || at >= end || in[at++] != ':') {
      return false;
    }
    skipBlanks();
    if (is(key, keyEnd, "log")) {
      return readText();
    }
    int value = at + 1;
    if (at < end && in[at] == '"') {
      int valueEnd = skipString();
      if (valueEnd < 0) {
        return false;
      }
      if (is(key, keyEnd, "time")) {
        nanos = stamps.nanos(in, value, valueEnd);
      } else if (is(key, keyEnd, "stream")) {
        stderr = is(value, valueEnd, "stderr");
      }
      return true;
    }
    return skipValue();
  }

  private void skipBlanks() {
    while (at < end && (in[at] == ' ' || in[at] == '\t')) {
      at++;
    }
  }

  /// Skips an object, array, number or word up to the comma that ends it.
  private boolean skipValue() {
    int depth = 0;
    while (at < end) {
      byte b = in[at];
      if (b == '"') {
        if (skipString() < 0) {
          return false;
        }
        continue;
      }
      if (b == '{' || b == '[') {
        depth++;
      } else if (b == '}' || b == ']') {
        depth--;
      } else if (b == ',' && depth == 0) {
        return true;
      }
      at++;
    }
    return depth == 0;
  }

  /// Moves from the opening quote to after the closing one. Returns the index of the closing quote,
  /// or -1.
  private int skipString() {
    if (at >= end || in[at] != '"') {
      return -1;
    }
    for (int i = at + 1; i < end; i++) {
      if (in[i] == '\\') {
        i++;
      } else if (in[i] == '"') {
        at = i + 1;
        return i;
      }
    }
    return -1;
  }

  private boolean readText() {
    if (at >= end || in[at] != '"') {
      return false;
    }
    int i = at + 1;
    int out = 0;
    if (text.length < end - i) {
      text = new byte[Math.max(end - i, 2 * text.length)];
    }
    while (i < end) {
      byte b = in[i++];
      if (b == '"') {
        at = i;
        length = out;
        return true;
      }
      if (b != '\\') {
        text[out++] = b;
        continue;
      }
      if (i >= end) {
        return false;
      }
      byte escape = in[i++];
      if (escape == 'u') {
        int unit = hex(i);
        i += 4;
        if (unit < 0) {
          return false;
        }
        if (Character.isHighSurrogate((char) unit)
            && i + 6 <= end
            && in[i] == '\\'
            && in[i + 1] == 'u') {
          int low = hex(i + 2);
          if (low >= 0 && Character.isLowSurrogate((char) low)) {
            unit = Character.toCodePoint((char) unit, (char) low);
            i += 6;
          }
        }
        out = putUtf8(unit, out);
      } else {
        text[out++] = unescaped(escape);
      }
    }
    return false;
  }

  private static byte unescaped(byte escape) {
    return switch (escape) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      default -> escape;
    };
  }

  private int hex(int from) {
    if (from + 4 > end) {
      return -1;
    }
    int value = 0;
    for (int i = from; i < from + 4; i++) {
      int digit = Character.digit(in[i], 16);
      if (digit < 0) {
        return -1;
      }
      value = (value << 4) | digit;
    }
    return value;
  }

  /// An escape takes at least as many bytes as its UTF-8, so `text` is long enough.
  private int putUtf8(int codePoint, int out) {
    int point = codePoint >= 0xd800 && codePoint < 0xe000 ? 0xfffd : codePoint;
    int next = out;
    if (point < 0x80) {
      text[next++] = (byte) point;
    } else if (point < 0x800) {
      text[next++] = (byte) (0xc0 | (point >> 6));
      text[next++] = (byte) (0x80 | (point & 0x3f));
    } else if (point < 0x10000) {
      text[next++] = (byte) (0xe0 | (point >> 12));
      text[next++] = (byte) (0x80 | ((point >> 6) & 0x3f));
      text[next++] = (byte) (0x80 | (point & 0x3f));
    } else {
      text[next++] = (byte) (0xf0 | (point >> 18));
      text[next++] = (byte) (0x80 | ((point >> 12) & 0x3f));
      text[next++] = (byte) (0x80 | ((point >> 6) & 0x3f));
      text[next++] = (byte) (0x80 | (point & 0x3f));
    }
    return next;
  }

  private boolean is(int from, int to, String word) {
    if (to - from != word.length()) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (in[from + i] != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
