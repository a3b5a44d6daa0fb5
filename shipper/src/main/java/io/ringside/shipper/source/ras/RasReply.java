package io.ringside.shipper.source.ras;

import java.util.Objects;

/// The result of one query to RAS.
sealed interface RasReply {
  /// @param json whether it is JSON (NCCL 2.28.7 and later), else text
  record Answer(boolean json, String text) implements RasReply {
    public Answer {
      Objects.requireNonNull(text, "text");
    }
  }

  record None(Failure failure) implements RasReply {}
}
