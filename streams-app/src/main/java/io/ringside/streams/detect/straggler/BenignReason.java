package io.ringside.streams.detect.straggler;

import io.ringside.streams.job.Run;
import java.util.List;

/// Reasons why ranks may be late by chance or because of their work, not because of their machine.
/// The finding is then INFO, unless the cost is far too high.
enum BenignReason {
  NONE(""),
  /// They were late too rarely to distinguish it from chance.
  CHANCE("chance"),
  /// Their share of the data is larger for a while.
  DATA("data"),
  /// They have the same place in each group of the job, and so the same work.
  PLACE("stage"),
  /// They wait for each other in exchanges without rounds, so it is unknown which of them is late.
  EXCHANGE("unknown"),
  /// They log, evaluate or write checkpoints for all.
  DUTY("duty"),
  /// The same at a cost that should be reported, though no machine is slow.
  DEAR_DUTY("duty");

  private final String cause;

  BenignReason(String cause) {
    this.cause = cause;
  }

  /// The cause as the finding spells it.
  String cause() {
    return cause;
  }

  /// Whether the finding is only INFO.
  boolean note() {
    return this != NONE && this != DEAR_DUTY;
  }

  /// @param together delays of one rank, or of ranks that were late together
  /// @param share share of the time that is lost, 0 to 1
  /// @param uneven whether they were late by no more than an uneven share of the data explains, see
  ///   [Unevenness]
  static BenignReason of(List<Delay> together, double share, boolean uneven, Run run) {
    if (together.stream().noneMatch(delay -> delay.streak().convicted())) {
      return CHANCE;
    }
    if (FirstRankDuties.handOut(together, run)) {
      return DUTY;
    }
    if (FirstRankDuties.explains(together, run)) {
      return share < FirstRankDuties.TOO_DEAR ? DUTY : DEAR_DUTY;
    }
    if (GroupPositions.exchange(together, run)) {
      return EXCHANGE;
    }
    if (GroupPositions.explain(together, run)) {
      return PLACE;
    }
    return uneven ? DATA : NONE;
  }
}
