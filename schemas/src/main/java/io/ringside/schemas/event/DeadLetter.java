package io.ringside.schemas.event;

import java.time.Instant;
import java.util.Objects;

/// Something that could not be sent or understood: the record of `ringside.dead-letter.v1`.
///
/// @param stage where it failed: `publish`, `decode` or `process`
/// @param reason one sentence
/// @param origin topic-partition-offset, or the log source
/// @param head up to 1,024 characters of what failed
/// @param sha256 hash of all of it, lower-case hex
/// @param bytes its size
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
