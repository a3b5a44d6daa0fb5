package io.ringside.shipper.mask;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Says whether any of some words stands in a chunk, in one pass and without decoding it: a table
/// knows which two bytes a word may begin with. Immutable.
final class WordFilter {
  private final byte[][][] byStart = new byte[1 << 16][][];

  /// @param words of two bytes or more
  WordFilter(List<String> words) {
    for (String word : words) {
      byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
      int start = start(bytes, 0);
      var same = new ArrayList<byte[]>();
      if (byStart[start] != null) {
        same.addAll(Arrays.asList(byStart[start]));
      }
      same.add(bytes);
      byStart[start] = same.toArray(byte[][]::new);
    }
  }

  boolean occurIn(byte[] text) {
    for (int i = 0; i + 1 < text.length; i++) {
      byte[][] candidates = byStart[start(text, i)];
      if (candidates != null && any(candidates, text, i)) {
        return true;
      }
    }
    return false;
  }

  private static boolean any(byte[][] words, byte[] text, int at) {
    for (byte[] word : words) {
      if (at + word.length <= text.length
          && Arrays.equals(text, at, at + word.length, word, 0, word.length)) {
        return true;
      }
    }
    return false;
  }

  private static int start(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
  }
}
