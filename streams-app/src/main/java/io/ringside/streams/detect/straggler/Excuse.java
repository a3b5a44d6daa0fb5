package io.ringside.streams.detect.straggler;

import io.ringside.streams.job.Run;
import java.util.List;

/// Why those who are late may be so by chance or by what they have to do, not by their machine.
/// Then it is worth a note, unless it is far too dear.
enum Excuse {
  NONE(""),
  /// They were late too rarely to tell it from chance.
  CHANCE("chance"),
  /// Their share of the data is larger for a while.
  DATA("data"),
  /// They have the same place in each group of the job.
  PLACE("stage"),
  /// They wait for each other in exchanges that have no rounds: which of them is late is not known.
  EXCHANGE("unknown"),
  /// They log, evaluate or write checkpoints for all.
  DUTY("duty"),
  /// The same at a price that somebody should hear of, though no machine is slow.
  DEAR_DUTY("duty");

  private final String cause;

  Excuse(String cause) {
    this.cause = cause;
  }

  /// As the finding spells it.
  String cause() {
    return cause;
  }

  /// Whether it is worth no more than a note.
  boolean note() {
    return this != NONE && this != DEAR_DUTY;
  }

  /// @param together of one rank, or of ranks that were late together
  /// @param share of the time that is lost
  /// @param uneven whether they were late no more than an uneven share of the data explains, see
  ///   [Unevenness]
  static Excuse of(List<Delay> together, double share, boolean uneven, Run run) {
    if (together.stream().noneMatch(delay -> delay.streak().convicted())) {
      return CHANCE;
    }
    if (Duty.handOut(together, run)) {
      return DUTY;
    }
    if (Duty.explains(together, run)) {
      return share < Duty.TOO_DEAR ? DUTY : DEAR_DUTY;
    }
    if (Places.exchange(together, run)) {
      return EXCHANGE;
    }
    if (Places.explain(together, run)) {
      return PLACE;
    }
    return uneven ? DATA : NONE;
  }
}
