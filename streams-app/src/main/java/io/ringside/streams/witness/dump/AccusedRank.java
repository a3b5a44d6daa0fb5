package io.ringside.streams.witness.dump;

import java.util.Objects;

/// A rank that holds up the others.
///
/// @param rank global rank
/// @param words what the dumps show about it, a sentence without its full stop
public record AccusedRank(int rank, AccusationReason why, String words) {
  public AccusedRank {
    Objects.requireNonNull(why, "why");
    Objects.requireNonNull(words, "words");
  }
}
