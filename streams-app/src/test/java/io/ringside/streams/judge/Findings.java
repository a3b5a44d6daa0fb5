package io.ringside.streams.judge;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Findings for tests.
public final class Findings {
  /// When they were all detected.
  public static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private Findings() {}

  /// An active one about one rank, its GPU and its node, four ranks a node.
  public static Finding of(FindingKind kind, Severity severity, int rank) {
    return of(kind, severity, rank, null, null);
  }

  /// An active one about a subject of this name.
  public static Finding of(FindingKind kind, Severity severity, String subject) {
    var of = of(kind, severity, 0);
    return new Finding(
        "job:0x1:" + kind.label() + ":" + subject,
        kind,
        severity,
        of.state(),
        of.cluster(),
        of.job(),
        of.run(),
        of.ranks(),
        of.nodes(),
        of.pods(),
        of.gpus(),
        of.since(),
        of.until(),
        of.detectedAt(),
        of.summary(),
        of.expected(),
        of.observed(),
        of.cost(),
        of.cause(),
        of.evidence());
  }

  /// The same with times; over if it has an end.
  public static Finding of(
      FindingKind kind,
      Severity severity,
      int rank,
      @Nullable Instant since,
      @Nullable Instant until) {
    return new Finding(
        "job:0x1:" + kind.label() + ":rank-" + rank,
        kind,
        severity,
        until == null ? Finding.State.ACTIVE : Finding.State.CLEARED,
        "east",
        "job",
        "0x1",
        List.of(rank),
        List.of("node-" + rank / 4),
        List.of("pod-" + rank),
        List.of("0000:0" + rank % 4 + ":00.0"),
        since,
        until,
        NOW,
        kind.label() + " of rank " + rank,
        "well",
        "ill",
        Cost.UNKNOWN,
        null,
        List.of(new Evidence(since, "node-" + rank / 4, "pod-" + rank, "0.log", 0, "line")));
  }
}
