package io.ringside.streams.judge;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
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
    return Finding.of("job:0x1:" + kind.label() + ":" + subject, kind, severity)
        .state(of.state())
        .job(JobKey.of(of))
        .run(of.run())
        .ranks(of.ranks())
        .nodes(of.nodes())
        .pods(of.pods())
        .gpus(of.gpus())
        .between(of.since(), of.until())
        .detectedAt(of.detectedAt())
        .summary(of.summary())
        .expected(of.expected())
        .observed(of.observed())
        .cost(of.cost())
        .cause(of.cause())
        .evidence(of.evidence())
        .build();
  }

  /// The same with times; over if it has an end.
  public static Finding of(
      FindingKind kind,
      Severity severity,
      int rank,
      @Nullable Instant since,
      @Nullable Instant until) {
    return Finding.of("job:0x1:" + kind.label() + ":rank-" + rank, kind, severity)
        .state(until == null ? Finding.State.ACTIVE : Finding.State.CLEARED)
        .job(new JobKey("east", "training", "job"))
        .run("0x1")
        .ranks(List.of(rank))
        .nodes(List.of("node-" + rank / 4))
        .pods(List.of("pod-" + rank))
        .gpus(List.of("0000:0" + rank % 4 + ":00.0"))
        .between(since, until)
        .detectedAt(NOW)
        .summary(kind.label() + " of rank " + rank)
        .expected("well")
        .observed("ill")
        .evidence(
            List.of(new Evidence(since, "node-" + rank / 4, "pod-" + rank, "0.log", 0, "line")))
        .build();
  }
}
