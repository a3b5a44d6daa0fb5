package io.ringside.streams.detect.straggler;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.Spoken;
import io.ringside.streams.examine.Witnesses;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.witness.inspector.InspectorVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A straggler by NCCL Inspector's times alone, where the log has no calls: it waits least in most rounds in which
/// others wait.
final class Inspected {
  /// A rank that writes checkpoints is late now and then, and then for long; this is more often than that.
  private static final int LEAST_ROUNDS = 20;

  private static final String NAME = "inspector";

  private Inspected() {}

  static List<Finding> findings(Examination examination) {
    if (examination.job().witnesses().isEmpty()) {
      return List.of();
    }
    var witnesses = examination.witnesses();
    var findings = new ArrayList<Finding>();
    for (var verdict : witnesses.inspector()) {
      if (late(verdict, examination)) {
        findings.add(finding(verdict, witnesses, examination));
      }
    }
    return findings;
  }

  /// Adds whom the Inspector blames to what arrivals tell.
  static void testify(FindingDraft draft, Examination examination) {
    if (examination.job().witnesses().isEmpty()) {
      return;
    }
    var witnesses = examination.witnesses();
    for (var verdict : witnesses.inspector()) {
      if (late(verdict, examination)) {
        int rank = rank(verdict, witnesses);
        draft.witness(NAME, List.of(rank), says(verdict, rank));
      }
    }
  }

  private static int rank(InspectorVerdict verdict, Witnesses witnesses) {
    return witnesses.global(verdict.comm(), Set.of(verdict.rank())).iterator().next();
  }

  private static String says(InspectorVerdict verdict, int rank) {
    return "in %d of %d rounds over 20 ms rank %d waits least, %s lost"
        .formatted(verdict.late(), verdict.slow(), rank, Spoken.time(verdict.lostSeconds()));
  }

  /// By the same measure as waits by arrival.
  private static boolean late(InspectorVerdict verdict, Examination examination) {
    var limits = examination.expectations().thresholds().straggler();
    return verdict.late() >= Math.max(LEAST_ROUNDS, limits.episodes())
        && verdict.share() >= limits.waits()
        && verdict.seconds() >= limits.least().toSeconds()
        && verdict.lostSeconds() >= limits.share() * verdict.seconds();
  }

  private static Finding finding(
      InspectorVerdict verdict, Witnesses witnesses, Examination examination) {
    var run = examination.run();
    int rank = rank(verdict, witnesses);
    double share = Math.min(1, verdict.lostSeconds() / Math.max(0.001, verdict.seconds()));
    double ofAll =
        verdict.lostSeconds() * 1e6 / Math.max(1, verdict.endedMicros() - verdict.beganMicros());
    var words =
        "rank %d was in %d of %d slow rounds the one with the shortest own time, of %d rounds on %s"
            .formatted(
                verdict.rank(), verdict.late(), verdict.slow(), verdict.rounds(), verdict.comm());
    var processes = new ArrayList<TrainingProcess>();
    run.ofRank(rank).ifPresent(processes::add);
    return FindingDraft.about(
            FindingKind.STRAGGLER,
            ofAll >= examination.expectations().thresholds().straggler().criticalShare()
                ? Severity.CRITICAL
                : Severity.WARNING,
            examination,
            processes)
        .rank(rank)
        .subject("rank " + rank)
        .ended()
        .between(
            Nanos.instant(verdict.firstMicros() * 1000), Nanos.instant(verdict.lastMicros() * 1000))
        .summary(
            "rank %d keeps the others waiting: late %d times by %s on average; %s"
                .formatted(
                    rank,
                    verdict.late(),
                    Spoken.time(verdict.lostSeconds() / verdict.late()),
                    Waited.of(share, verdict.seconds(), 1)))
        .expected("all ranks reach a collective together")
        .observed("NCCL Inspector: " + says(verdict, rank))
        .cost(
            new Cost(
                verdict.lostSeconds() * (verdict.nranks() - 1),
                share < 0.99 ? 1 / (1 - share) : null))
        .cause("unknown")
        .witness(NAME, List.of(rank), says(verdict, rank))
        .proof(witnesses.inspectorProof(verdict, words, verdict.firstMicros() * 1000))
        .finding();
  }
}
