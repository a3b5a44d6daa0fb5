package io.ringside.schemas.event;

import java.time.Instant;
import java.util.Objects;

/// A record that could not be sent or understood: the value of `ringside.dead-letter.v1`.
///
/// @param stage where the failure occurred: `publish`, `decode` or `process`
/// @param reason one sentence
/// @param origin topic-partition-offset, or the log source
/// @param head up to 1,024 characters of the failed record
/// @param sha256 hash of the whole failed record, lower-case hex
/// @param bytes size of the whole failed record
public record DeadLetter(
    String node,
    Instant at,
    String stage,
    String reason,
    String origin,
    String head,
    String sha256,
    long bytes)
    implements TelemetryEvent {

  public DeadLetter {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(at, "at");
    Objects.requireNonNull(stage, "stage");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(head, "head");
    Objects.requireNonNull(sha256, "sha256");
  }
}
