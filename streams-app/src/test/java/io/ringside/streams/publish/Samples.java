package io.ringside.streams.publish;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunAggregates;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// Small runs and findings for tests; what a test cares for it sets itself.
public final class Samples {
  public static final Instant T0 = Instant.parse("2026-11-20T10:00:00Z");

  private Samples() {}

  public static RunSummary run(String job, String run, int attempt, RunSummary.State state) {
    return RunSummary.of(
        new JobKey("east", "training", job),
        run,
        attempt,
        its -> {
          its.since = T0.plusSeconds(attempt * 1_000L);
          its.until = T0.plusSeconds(attempt * 1_000L + 500);
          its.state = state;
          its.nranks = 4;
          its.ranksSeen = 3;
          its.nodes = List.of("node-1", "node-2");
          its.pods = List.of("pod-0", "pod-1");
          its.instanceType = "p5.48xlarge";
          its.ncclVersion = "2.28.9+cuda12.9";
          its.pluginVersion = "1.16.0";
          its.libfabricVersion = "2.1";
          its.network = "Socket";
          its.channels = 8;
          its.environment = Map.of("NCCL_DEBUG", "INFO");
          its.transports =
              List.of(
                  new RunSummary.Transport("intra-pod", "P2P/CUMEM", 8, "P2P"),
                  new RunSummary.Transport("inter-node", "NET/Socket", 4, "NET/Libfabric/GDRDMA"));
          its.checklist =
              List.of(
                  new Check(
                      "plugin loaded", Check.Status.FAIL, "no provider", proof("NET/OFI failed")),
                  new Check("GDR", Check.Status.UNKNOWN, "no line says", null),
                  new Check("NCCL version", Check.Status.PASS, "2.28.9 on 4 ranks", null));
          its.waits =
              new RunSummary.Waits(
                  100,
                  10,
                  12.5,
                  "container",
                  List.of(
                      wait(0, 0.5, 0.1),
                      wait(1, 12.0, 0.0),
                      wait(2, 11.9, 10.0),
                      wait(3, 0.1, 2.0)));
          its.reading = new RunSummary.Reading(5_000, 4_000, Map.of("2.28.9 odd line", 3));
          its.aggregates = aggregates();
        });
  }

  /// Three buckets in which rank 2 begins to be late, with everything else that can be drawn.
  public static RunAggregates aggregates() {
    return new RunAggregates(
        37.5,
        new RunAggregates.WaitTimeline(
            T0,
            5,
            List.of(0, 625, 640),
            List.of(
                new RunAggregates.RankTimeline(0, List.of(12, 610, 633), List.of(0, 0, 0)),
                new RunAggregates.RankTimeline(1, List.of(15, 620, 640), List.of(0, 0, 0)),
                new RunAggregates.RankTimeline(2, List.of(14, 1, 0), List.of(0, 625, 640)),
                new RunAggregates.RankTimeline(3, List.of(11, 605, 628), List.of(0, 0, 0)))),
        new RunAggregates.Steps(
            "progress-bar",
            40,
            512.5,
            500.0,
            null,
            64.0,
            null,
            null,
            124.9,
            List.of(
                new RunAggregates.StepPoint(T0, 500, 10),
                new RunAggregates.StepPoint(T0.plusSeconds(5), 525, 9))),
        new RunAggregates.GpuUse(
            T0,
            T0.plusSeconds(60),
            60,
            new RunAggregates.GpuMedians(99.0, 640.0, 1_980.0, 61.0),
            List.of(
                new RunAggregates.RankGpu(
                    2,
                    "node-2",
                    "0000:0b:00.0",
                    new RunAggregates.GpuMedians(100.0, 520.0, 1_410.0, null),
                    0.25))),
        new RunAggregates.TransportMatrix(
            "rank",
            List.of(),
            List.of("NET/Socket", "P2P/CUMEM"),
            List.of(
                new RunAggregates.Cell(0, 1, 1, 8),
                new RunAggregates.Cell(1, 2, 0, 2),
                new RunAggregates.Cell(2, 3, 1, 8),
                new RunAggregates.Cell(3, 0, 0, 2)),
            0),
        new RunAggregates.WaitHistogram(List.of(0.01, 0.1), List.of(900L, 40L, 60L)));
  }

  public static RunSummary.RankWait wait(int rank, double waited, double blamed) {
    return new RunSummary.RankWait(
        rank,
        "node-" + (1 + rank / 2),
        "pod-" + rank / 2,
        null,
        waited,
        (long) blamed,
        blamed,
        null,
        null);
  }

  public static Evidence proof(String text) {
    return new Evidence(T0, "node-1", "pod-0", "/var/log/pods/pod-0/0.log", 4_711, text);
  }

  public static Finding finding(
      String id, String job, String run, FindingKind kind, Severity severity, Finding.State state) {
    return Finding.of(
        id,
        kind,
        severity,
        its -> {
          its.state = state;
          its.job = new JobKey("east", "training", job);
          its.run = run;
          its.ranks = List.of(2);
          its.nodes = List.of("node-2");
          its.pods = List.of("pod-1");
          its.gpus = List.of("0000:0b:00.0");
          its.since = T0;
          its.until = state == Finding.State.CLEARED ? T0.plusSeconds(60) : null;
          its.detectedAt = T0.plusSeconds(5);
          its.summary = "Rank 2 keeps the others waiting (" + id + ").";
          its.expected = "even arrivals";
          its.observed = "rank 2 last in 90 of 100 rounds";
          its.cost = new Cost(37.5, 1.4);
          its.evidence =
              List.of(proof("pod-0:12:34 [0] NCCL INFO <script>alert('x')</script> & \"quoted\""));
        });
  }
}
