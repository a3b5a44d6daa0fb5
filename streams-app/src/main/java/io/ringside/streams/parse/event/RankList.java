package io.ringside.streams.parse.event;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.RandomAccess;

/// Ranks in an order, such as a ring's: a list of integers that boxes none until it is asked for. Immutable.
public final class RankList extends AbstractList<Integer> implements RandomAccess {
  private final int[] ranks;

  /// The first so many of some ranks.
  public RankList(int[] ranks, int size) {
    this.ranks = Arrays.copyOf(ranks, size);
  }

  @Override
  public Integer get(int index) {
    return ranks[index];
  }

  @Override
  public int size() {
    return ranks.length;
  }
}
