package io.ringside.streams.parse.event;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/// Ranks in an order, such as a ring's: the text that lists them, read when somebody asks for the first time. Of a job's
/// rings, which grow with its square, hardly anybody does. Immutable and thread-safe.
public final class RankList extends AbstractList<Integer> implements RandomAccess {
  private final byte[] text;
  private volatile int @Nullable [] ranks;

  /// Ranks in a range of a text.
  ///
  /// @param utf8 decimal numbers, each with or without a minus, and blanks between them; nothing else in the range
  public RankList(byte[] utf8, int from, int to) {
    this.text = Arrays.copyOfRange(utf8, from, to);
  }

  @Override
  public Integer get(int index) {
    return ranks()[index];
  }

  @Override
  public int size() {
    return ranks().length;
  }

  private int[] ranks() {
    var known = ranks;
    if (known == null) {
      known = read(text);
      ranks = known;
    }
    return known;
  }

  /// The numbers; one that is no int saturates.
  private static int[] read(byte[] text) {
    var ranks = new int[(text.length + 1) / 2];
    var size = 0;
    var at = 0;
    while (at < text.length) {
      var negative = text[at] == '-';
      var from = negative ? at + 1 : at;
      var value = 0L;
      for (at = from; at < text.length && text[at] != ' '; at++) {
        value = Math.min(Integer.MAX_VALUE + 1L, value * 10 + text[at] - '0');
      }
      if (at > from) {
        ranks[size++] = Math.clamp(negative ? -value : value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      }
      at++;
    }
    return Arrays.copyOf(ranks, size);
  }
}
