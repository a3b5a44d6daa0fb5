package io.ringside.shipper.mask;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Says whether any of some words stands in a chunk, in one pass and without decoding it. Immutable.
///
/// Only every second pair of bytes is looked at: of two neighbouring pairs of a word one lies at an
/// even place, wherever the word does. A bitmap of 8 KiB, which stays in the nearest cache, tells
/// whether a pair is one of a word's two; these are the rarest neighbours that the word has.
final class WordFilter {
  private static final VarHandle PAIRS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  /// About how often characters stand in training logs, the most frequent first; others are rare.
  private static final String FREQUENT = " e0a1tnoris2LNICd43lcu5678m[]9:phO-F/g_.,fb=yvSRPk";

  /// A word, and how far a pair stands from its beginning.
  private record Candidate(byte[] word, int offset) {}

  private final long[] pairs = new long[1 << 10];
  private final Candidate[][] byPair = new Candidate[1 << 16][];

  /// @param words of two bytes or more
  WordFilter(List<String> words) {
    for (String text : words) {
      byte[] word = text.getBytes(StandardCharsets.UTF_8);
      if (word.length == 2) {
        addShort(word);
      } else {
        int rarest = rarest(word);
        add(pair(word, rarest), new Candidate(word, rarest));
        add(pair(word, rarest + 1), new Candidate(word, rarest + 1));
      }
    }
  }

  /// A word of two bytes lies in one pair, or across two of which any may be.
  private void addShort(byte[] word) {
    add(pair(word, 0), new Candidate(word, 0));
    for (int other = 0; other < 256; other++) {
      add(word[1] & 0xff | other << 8, new Candidate(word, 1));
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

  boolean occurIn(byte[] text) {
    for (int i = 0; i + 1 < text.length; i += 2) {
      int pair = (short) PAIRS.get(text, i) & 0xffff;
      if ((pairs[pair >>> 6] & 1L << pair) != 0 && any(byPair[pair], text, i)) {
        return true;
      }
    }
    return (text.length & 1) == 1 && endsWithShort(text);
  }

  /// The last byte of an odd number is in no pair.
  private boolean endsWithShort(byte[] text) {
    int last = text.length - 1;
    if (last < 1) {
      return false;
    }
    int pair = text[last] & 0xff;
    return byPair[pair] != null && any(byPair[pair], text, last);
  }

  private static boolean any(Candidate[] candidates, byte[] text, int at) {
    for (Candidate candidate : candidates) {
      int from = at - candidate.offset;
      byte[] word = candidate.word;
      if (from >= 0
          && from + word.length <= text.length
          && Arrays.equals(text, from, from + word.length, word, 0, word.length)) {
        return true;
      }
    }
    return false;
  }

  /// Where the word's rarest two neighbouring pairs begin.
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
