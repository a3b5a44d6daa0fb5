package io.ringside.standalone.input;

/// The structure of UTF-8 sequences, checked well enough to count invalid bytes.
final class Utf8 {
  private Utf8() {}

  /// Length of the sequence that begins here, 0 if it is invalid. A sequence cut off by the end of
  /// the array counts as valid.
  static int lengthAt(byte[] bytes, int at) {
    int length = lengthByLead(bytes[at] & 0xff);
    for (int i = 1; i < length && at + i < bytes.length; i++) {
      if ((bytes[at + i] & 0xc0) != 0x80) {
        return 0;
      }
    }
    return length;
  }

  private static int lengthByLead(int lead) {
    if (lead < 0x80) {
      return 1;
    }
    if (lead < 0xc2 || lead > 0xf4) {
      return 0;
    }
    return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  }
}
