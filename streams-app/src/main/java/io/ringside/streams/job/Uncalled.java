package io.ringside.streams.job;

import io.ringside.streams.waits.Rounds;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/// What there is to read of communicators without calls: the same for all of one size.
final class Uncalled {
  private static final int MAX_SIZES = 64;
  private static final Map<Integer, Rounds> BY_SIZE = Collections.synchronizedMap(new HashMap<>());

  private Uncalled() {}

  static Rounds of(int nranks) {
    var known = BY_SIZE.get(nranks);
    if (known != null) {
      return known;
    }
    var rounds = new Rounds(nranks);
    if (BY_SIZE.size() < MAX_SIZES) {
      BY_SIZE.put(nranks, rounds);
    }
    return rounds;
  }
}
