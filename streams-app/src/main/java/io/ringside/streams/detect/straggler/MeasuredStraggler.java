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
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

/// Finds stragglers from the ranks' own times of NCCL Inspector or the flight recorder, for logs
/// without calls, and for hosts that all call in time because they are ahead of their GPUs. A
/// straggler waits least in most rounds in which others wait.
final class MeasuredStraggler {
  /// A rank that writes checkpoints is late rarely, and then for long; this is more often.
  private static final int LEAST_ROUNDS = 20;

  /// Lateness that the Inspector cannot overlook: a round counts as slow from 20 ms on.
  private static final double LONG_SECONDS = 0.05;

  /// Share of the late calls in which ranks must have waited if they were held up at all.
  private static final double HARDLY_ANY = 0.1;

  /// Share of a delay's time that the Inspector must have measured.
  private static final double MOST = 0.8;

  private MeasuredStraggler() {}

  static List<Finding> findings(Examination examination) {
    return late(examination).stream().map(timed -> finding(timed, examination)).toList();
  }

  /// Adds the ranks that these times blame as witnesses beside the arrivals.
  static void testify(FindingDraft draft, Examination examination) {
    late(examination)
        .forEach(timed -> draft.witness(timed.witness(), List.of(timed.rank()), timed.says()));
  }

  /// Whether the Inspector measured the rounds in which a rank called late, and hardly any GPU
  /// waited in one: the others call ahead, and their GPUs need the result no earlier.
  static boolean refutes(Delay delay, Examination examination) {
    if (examination.job().witnesses().isEmpty()) {
      return false;
    }
    var streak = delay.streak();
    long rounds = delay.comm().rounds().completed();
    return streak.blamedSeconds() >= LONG_SECONDS * streak.episodes()
        && examination
            .witnesses()
            .measured(delay.comm().id())
            .filter(verdict -> verdict.rounds() >= LEAST_ROUNDS)
            .filter(verdict -> covers(verdict, streak.sinceNanos(), streak.untilNanos()))
            // its ring may have lost rounds, the late ones as well as others
            .filter(
                verdict ->
                    verdict.slow()
                        < HARDLY_ANY
                            * streak.episodes()
                            * Math.min(1, verdict.rounds() / (double) rounds))
            .isPresent();
  }

  private static boolean covers(InspectorVerdict verdict, long sinceNanos, long untilNanos) {
    long both =
        Math.min(untilNanos, verdict.endedMicros() * 1000)
            - Math.max(sinceNanos, verdict.beganMicros() * 1000);
    return both >= MOST * (untilNanos - sinceNanos);
  }

  /// The late ranks, each with the communicator that lost most time by it. A rank that waited
  /// elsewhere for another rank, for at least half as long, was held up itself and is left out. So
  /// is one for which nobody waits in a larger group: its small group has time, as the first and
  /// last stage of a pipeline have for their common embedding.
  private static Collection<MeasuredWaits> late(Examination examination) {
    if (examination.job().witnesses().isEmpty()) {
      return List.of();
    }
    var all = examination.witnesses().timed(verdict -> late(verdict, examination));
    var every = all.isEmpty() ? all : examination.witnesses().timed(_ -> true);
    var worst = new TreeMap<Integer, MeasuredWaits>();
    for (var timed : all) {
      if (all.stream().noneMatch(other -> holdsUp(other, timed))
          && every.stream().noneMatch(wider -> isEven(wider, timed))) {
        worst.merge(timed.rank(), timed, (a, b) -> lost(a) >= lost(b) ? a : b);
      }
    }
    return worst.values();
  }

  private static boolean holdsUp(MeasuredWaits other, MeasuredWaits timed) {
    return other.rank() != timed.rank() && other.waited(timed.rank()) >= lost(timed) / 2;
  }

  /// Whether the other is a larger group with the same rank, and none of its ranks waited for much
  /// of the time that this one lost.
  private static boolean isEven(MeasuredWaits wider, MeasuredWaits timed) {
    var verdict = wider.verdict();
    return verdict.nranks() > timed.verdict().nranks()
        && wider.ranks().contains(timed.rank())
        && verdict.rounds() >= LEAST_ROUNDS
        && covers(
            verdict, timed.verdict().firstMicros() * 1000, timed.verdict().lastMicros() * 1000)
        && Collections.max(verdict.waitedSeconds()) < HARDLY_ANY * lost(timed);
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
        .cause(cause(rank, verdict, examination))
        .witness(timed.witness(), List.of(rank), timed.says())
        .proof(examination.witnesses().timedProof(timed, words, verdict.firstMicros() * 1000))
        .finding();
  }

  private static String cause(int rank, InspectorVerdict verdict, Examination examination) {
    var run = examination.run();
    var peers = new GpuPeers(run, examination.expectations().thresholds().gpuPeers());
    return run.ofRank(rank)
        .map(
            process ->
                peers.cause(
                    process,
                    Nanos.instant(verdict.firstMicros() * 1000),
                    Nanos.instant(verdict.lastMicros() * 1000)))
        .orElse("unknown");
  }
}
