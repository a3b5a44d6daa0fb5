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
    return Finding.of(
        "job:0x1:" + kind.label() + ":" + subject,
        kind,
        severity,
        its -> {
          its.state = of.state();
          its.job = JobKey.of(of);
          its.run = of.run();
          its.ranks = of.ranks();
          its.nodes = of.nodes();
          its.pods = of.pods();
          its.gpus = of.gpus();
          its.since = of.since();
          its.until = of.until();
          its.detectedAt = of.detectedAt();
          its.summary = of.summary();
          its.expected = of.expected();
          its.observed = of.observed();
          its.cost = of.cost();
          its.cause = of.cause();
          its.evidence = of.evidence();
        });
  }

  /// The same with times; over if it has an end.
  public static Finding of(
      FindingKind kind,
      Severity severity,
      int rank,
      @Nullable Instant since,
      @Nullable Instant until) {
    return Finding.of(
        "job:0x1:" + kind.label() + ":rank-" + rank,
        kind,
        severity,
        its -> {
          its.state = until == null ? Finding.State.ACTIVE : Finding.State.CLEARED;
          its.job = new JobKey("east", "training", "job");
          its.run = "0x1";
          its.ranks = List.of(rank);
          its.nodes = List.of("node-" + rank / 4);
          its.pods = List.of("pod-" + rank);
          its.gpus = List.of("0000:0" + rank % 4 + ":00.0");
          its.since = since;
          its.until = until;
          its.detectedAt = NOW;
          its.summary = kind.label() + " of rank " + rank;
          its.expected = "well";
          its.observed = "ill";
          its.evidence =
              List.of(new Evidence(since, "node-" + rank / 4, "pod-" + rank, "0.log", 0, "line"));
        });
  }
}
