package io.ringside.shipper.source.log.line;

/// Whether bytes are UTF-8 as the JDK's decoder accepts it: no overlong forms, no surrogates,
/// nothing above U+10FFFF (RFC 3629).
public final class Utf8 {
  private Utf8() {}

  public static boolean isValid(byte[] b, int from, int to) {
    int i = from;
    while (i < to) {
      if (b[i] >= 0) {
        int next = LineScan.nonAscii(b, i, to);
        if (next < 0) {
          return true;
        }
        i = next;
      }
      int size = sequence(b, i, to);
      if (size == 0) {
        return false;
      }
      i += size;
    }
    return true;
  }

  /// Length of the sequence that begins at `i`, or 0 if it is invalid.
  private static int sequence(byte[] b, int i, int to) {
    int lead = b[i] & 0xff;
    if (lead < 0xc2 || lead > 0xf4) {
      return 0;
    }
    int size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (i + size > to || !secondFits(lead, b[i + 1] & 0xff)) {
      return 0;
    }
    for (int k = i + 2; k < i + size; k++) {
      if ((b[k] & 0xc0) != 0x80) {
        return 0;
      }
    }
    return size;
  }

  private static boolean secondFits(int lead, int second) {
    return switch (lead) {
      case 0xe0 -> second >= 0xa0 && second <= 0xbf;
      case 0xed -> second >= 0x80 && second <= 0x9f;
      case 0xf0 -> second >= 0x90 && second <= 0xbf;
      case 0xf4 -> second >= 0x80 && second <= 0x8f;
      default -> second >= 0x80 && second <= 0xbf;
    };
  }
}
