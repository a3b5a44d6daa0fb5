package io.ringside.shipper.mask;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Finds which of a set of words occur in a chunk and where, in one pass and without decoding it.
/// Immutable.
///
/// Reads only every second pair of bytes: of two neighbouring pairs of a word, one always lies at
/// an even offset. For each word the two neighbouring pairs that are rarest in logs are used. A
/// bitmap of 8 KiB, which stays in the L1 cache, says whether a pair belongs to a word.
final class WordFilter {
  private static final VarHandle PAIRS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  /// Characters in the approximate order of their frequency in training logs, the most frequent
  /// first; all others are rare.
  private static final String FREQUENT = " e0a1tnoris2LNICd43lcu5678m[]9:phO-F/g_.,fb=yvSRPk";

  /// A word and the offset of one of its pairs from its beginning.
  ///
  /// @param index of the word in the list
  private record Candidate(int index, byte[] word, int offset) {}

  /// Receives the words found in a text.
  interface Found {
    /// @param index of the word in the list
    /// @param at offset at which it begins, in bytes
    void word(int index, int at);
  }

  private final long[] pairs = new long[1 << 10];
  private final Candidate[][] byPair = new Candidate[1 << 16][];

  /// @param words each at least two bytes long
  WordFilter(List<String> words) {
    for (int i = 0; i < words.size(); i++) {
      byte[] word = words.get(i).getBytes(StandardCharsets.UTF_8);
      if (word.length == 2) {
        addShort(i, word);
      } else {
        int rarest = rarest(word);
        add(pair(word, rarest), new Candidate(i, word, rarest));
        add(pair(word, rarest + 1), new Candidate(i, word, rarest + 1));
      }
    }
  }

  /// A word of two bytes is one pair, or spans two pairs whose outer bytes may have any value.
  private void addShort(int index, byte[] word) {
    add(pair(word, 0), new Candidate(index, word, 0));
    for (int other = 0; other < 256; other++) {
      add(word[1] & 0xff | other << 8, new Candidate(index, word, 1));
    }
  }

  private void add(int pair, Candidate candidate) {
    pairs[pair >>> 6] |= 1L << pair;
    var same = new ArrayList<Candidate>();
    if (byPair[pair] != null) {
      same.addAll(Arrays.asList(byPair[pair]));
    }
    same.add(candidate);
    byPair[pair] = same.toArray(Candidate[]::new);
  }

  /// Reports each occurrence of each word, in the order in which the search meets one of its pairs.
  /// A word that overlaps itself may be reported once.
  void find(byte[] text, Found found) {
    for (int i = 0; i + 1 < text.length; i += 2) {
      int pair = (short) PAIRS.get(text, i) & 0xffff;
      if ((pairs[pair >>> 6] & 1L << pair) != 0) {
        each(byPair[pair], text, i, found);
      }
    }
    // the last byte of an odd number of bytes is in no pair
    int last = text.length - 1;
    if ((text.length & 1) == 1 && last > 0 && byPair[text[last] & 0xff] != null) {
      each(byPair[text[last] & 0xff], text, last, found);
    }
  }

  private static void each(Candidate[] candidates, byte[] text, int at, Found found) {
    for (Candidate candidate : candidates) {
      int from = at - candidate.offset;
      byte[] word = candidate.word;
      if (from >= 0
          && from + word.length <= text.length
          && Arrays.equals(text, from, from + word.length, word, 0, word.length)) {
        found.word(candidate.index, from);
      }
    }
  }

  /// Offset of the word's two rarest neighbouring pairs.
  private static int rarest(byte[] word) {
    int best = 0;
    double least = Double.MAX_VALUE;
    for (int at = 0; at + 2 < word.length; at++) {
      double expected = weight(word[at + 1]) * (weight(word[at]) + weight(word[at + 2]));
      if (expected < least) {
        least = expected;
        best = at;
      }
    }
    return best;
  }

  private static double weight(byte b) {
    int rank = FREQUENT.indexOf(b);
    return rank < 0 ? 0.2 : 10.0 / (rank + 2);
  }

  private static int pair(byte[] bytes, int at) {
    return (short) PAIRS.get(bytes, at) & 0xffff;
  }
}
