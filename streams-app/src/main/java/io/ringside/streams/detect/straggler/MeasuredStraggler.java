package io.ringside.streams.detect.straggler;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.MeasuredWaits;
import io.ringside.streams.witness.inspector.InspectorVerdict;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/// Finds stragglers from the ranks' own times of NCCL Inspector or the flight recorder, for logs
/// without calls. A straggler waits least in most rounds in which others wait.
final class MeasuredStraggler {
  /// A rank that writes checkpoints is late rarely, and then for long; this is more often.
  private static final int LEAST_ROUNDS = 20;

  private MeasuredStraggler() {}

  static List<Finding> findings(Examination examination) {
    return late(examination).stream().map(timed -> finding(timed, examination)).toList();
  }

  /// Adds the ranks that these times blame as witnesses beside the arrivals.
  static void testify(FindingDraft draft, Examination examination) {
    late(examination)
        .forEach(timed -> draft.witness(timed.witness(), List.of(timed.rank()), timed.says()));
  }

  /// The late ranks, each with the communicator that lost most time by it. A rank that waited
  /// elsewhere for another rank, for at least half as long, was held up itself and is left out.
  private static Collection<MeasuredWaits> late(Examination examination) {
    if (examination.job().witnesses().isEmpty()) {
      return List.of();
    }
    var all = examination.witnesses().timed(verdict -> late(verdict, examination));
    var worst = new TreeMap<Integer, MeasuredWaits>();
    for (var timed : all) {
      if (all.stream().noneMatch(other -> holdsUp(other, timed))) {
        worst.merge(timed.rank(), timed, (a, b) -> lost(a) >= lost(b) ? a : b);
      }
    }
    return worst.values();
  }

  private static boolean holdsUp(MeasuredWaits other, MeasuredWaits timed) {
    return other.rank() != timed.rank() && other.waited(timed.rank()) >= lost(timed) / 2;
  }

  private static double lost(MeasuredWaits timed) {
    return timed.verdict().lostSeconds();
  }

  /// Whether the rank is late, by the limits that also apply to waits by arrival.
  private static boolean late(InspectorVerdict verdict, Examination examination) {
    var limits = examination.expectations().thresholds().straggler();
    return verdict.late() >= Math.max(LEAST_ROUNDS, limits.episodes())
        && verdict.share() >= limits.waits()
        && verdict.seconds() >= limits.least().toSeconds()
        && verdict.lostSeconds() >= limits.share() * verdict.seconds();
  }

  private static Finding finding(MeasuredWaits timed, Examination examination) {
    var run = examination.run();
    var verdict = timed.verdict();
    int rank = timed.rank();
    double share = Math.min(1, verdict.lostSeconds() / Math.max(0.001, verdict.seconds()));
    double ofAll =
        verdict.lostSeconds()
            * 1e9
            / Math.max(
                1 + run.lastNanos() - run.firstNanos(),
                1000 * (1 + verdict.endedMicros() - verdict.beganMicros()));
    var words =
        "rank %d was in %d of %d slow rounds the one with the shortest own time, of %d rounds on %s"
            .formatted(
                verdict.rank(), verdict.late(), verdict.slow(), verdict.rounds(), verdict.comm());
    return FindingDraft.ofRanks(
            FindingKind.STRAGGLER,
            ofAll >= examination.expectations().thresholds().straggler().criticalShare()
                ? Severity.CRITICAL
                : Severity.WARNING,
            examination,
            List.of(rank))
        .subject("rank " + rank)
        .held(
            Nanos.instant(verdict.firstMicros() * 1000),
            Nanos.instant(verdict.lastMicros() * 1000),
            false)
        .summary(
            "rank %d keeps the others waiting: late %d times by %s on average; %s"
                .formatted(
                    rank,
                    verdict.late(),
                    DurationWords.time(verdict.lostSeconds() / verdict.late()),
                    WaitShare.of(share, verdict.seconds(), 1)))
        .expected("all ranks reach a collective together")
        .observed(
            "%s: %s"
                .formatted(
                    timed.witness().equals("inspector") ? "NCCL Inspector" : "the flight recorder",
                    timed.says()))
        .cost(Cost.ofShare(verdict.lostSeconds() * (verdict.nranks() - 1), share))
        .cause("unknown")
        .witness(timed.witness(), List.of(rank), timed.says())
        .proof(examination.witnesses().timedProof(timed, words, verdict.firstMicros() * 1000))
        .finding();
  }
}
