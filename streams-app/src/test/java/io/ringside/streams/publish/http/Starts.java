package io.ringside.streams.publish.http;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.publish.Samples;
import java.util.List;
import java.util.stream.IntStream;

/// A job that was started nine times: on another network, with another NCCL, once with nothing to
/// judge.
final class Starts {
  private static final int STARTS = 9;

  private Starts() {}

  static void of(String job, List<RunSummary> runs, List<Finding> findings) {
    IntStream.rangeClosed(1, STARTS).forEach(start -> runs.add(line(job, start)));
    var fallback =
        Samples.finding(
            "slow",
            job,
            run(8),
            FindingKind.EFA_FALLBACK,
            Severity.CRITICAL,
            Finding.State.CLEARED);
    findings.add(
        fallback.with(
            its -> {
              its.job = new JobKey(fallback.cluster(), fallback.namespace(), job);
              its.nodes = List.of();
              its.cost = new Cost(40_400.0, 2.9);
              its.tryNow = List.of("fi_info -p efa", "echo `hostname`");
            }));
  }

  private static RunSummary line(String job, int start) {
    return Samples.run(job, run(start), start, state(start))
        .with(
            its -> {
              its.ncclVersion = start > 4 ? "2.28.9" : "2.27.3";
              its.network = start == 8 ? "Socket" : "Libfabric";
              if (start == 7) {
                its.notJudged =
                    List.of(
                        new RunSummary.NotJudged("transport", "no line tells of an edge"),
                        new RunSummary.NotJudged("waits", "no COLL lines"),
                        new RunSummary.NotJudged("steps", "no line tells of a training step"));
              }
              if (start == STARTS) {
                its.bill = new RunBill(600, 600, List.of(), List.of(), List.of(ahead()));
              }
              if (start == 8) {
                its.bill = new RunBill(500, 172, List.of(slow()), List.of());
              }
            });
  }

  private static RunBill.Ahead ahead() {
    return new RunBill.Ahead(
        FindingKind.STRAGGLER,
        "late",
        List.of(2),
        0.25,
        0.21,
        0.3,
        3_600,
        2.5,
        "as in the last 6 min");
  }

  private static RunBill.Item slow() {
    return new RunBill.Item(
        FindingKind.EFA_FALLBACK,
        "slow",
        List.of(),
        List.of(),
        328,
        246,
        410,
        1_312,
        null,
        List.of());
  }

  static String run(int start) {
    return "0xf1e" + start;
  }

  private static RunSummary.State state(int start) {
    return start == STARTS ? RunSummary.State.RUNNING : RunSummary.State.ENDED;
  }
}
