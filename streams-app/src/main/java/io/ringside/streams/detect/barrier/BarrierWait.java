package io.ringside.streams.detect.barrier;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.detect.straggler.Straggler;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.examine.TimingTrust;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.step.OwnWait;
import io.ringside.streams.job.step.StepTrack;
import io.ringside.streams.waits.Rounds;
import io.ringside.streams.waits.WaitSeries;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// Finds jobs that lose much of their time in waits that no single rank causes, or for which one
/// rank's own timers are the only witness.
///
/// Only communicators of all ranks are examined. In smaller ones ranks may wait because their work
/// differs, as stages of a pipeline do.
public final class BarrierWait implements Detector {
  /// Minimum length of the waits, in steps. In fewer steps, work that differs by chance makes ranks
  /// wait this long now and then.
  private static final int LEAST_STEPS = 10;

  /// Minimum length, in steps, before two or three ranks that are late by turns are reported.
  private static final int MANY_STEPS = 50;

  /// The first 1/BEGINNING of a run is its beginning.
  private static final int BEGINNING = 10;

  /// Waits of at most this many seconds with which a run begins are its warm-up if it then goes on
  /// for as long without them: each rank compiles for each new shape.
  private static final double WARM_UP_SECONDS = 300;

  /// The communicator must have at least this many times as many ranks as there are late ranks.
  private static final int MANY = 4;

  /// A larger share of waiting is not real: lines were held back in a buffer, so the times are
  /// wrong.
  private static final double IMPLAUSIBLE = 0.8;

  @Override
  public List<Finding> examine(Examination examination) {
    var findings = new ArrayList<Finding>();
    int ranks = examination.run().nranks();
    for (var comm : examination.run().communicators()) {
      if (comm.nranks() == ranks
          && ranks > 1
          && findings.isEmpty()
          && TimingTrust.trusted(comm.rounds(), examination)) {
        var limit = examination.expectations().thresholds().barrier();
        fromRounds(comm, limit.share(), Severity.WARNING, examination)
            .or(() -> fromRounds(comm, limit.note(), Severity.INFO, examination))
            .or(() -> fromFew(comm, examination))
            .filter(FindingDraft::proved)
            .map(FindingDraft::finding)
            .ifPresent(findings::add);
      }
    }
    if (findings.isEmpty()) {
      // waits that a straggler explains are reported by that finding
      fromTimers(examination)
          .filter(_ -> new Straggler().examine(examination).isEmpty())
          .ifPresent(findings::add);
    }
    return findings;
  }

  private static Optional<FindingDraft> fromRounds(
      Communicator comm, double share, Severity severity, Examination examination) {
    var limit = examination.expectations().thresholds().barrier();
    return stretch(comm, share, LEAST_STEPS, examination)
        .filter(stretch -> stretch.mostBlamed() < limit.blame())
        .filter(stretch -> !isWarmUp(stretch, comm.waits().series()))
        .filter(stretch -> !new UnfeltWaits(examination.run()).are(comm, stretch))
        .map(
            stretch ->
                draft(comm, stretch, share, severity, examination)
                    .summary(
                        "ranks wait for each other %.0f %% of the time and no single one is to blame"
                            .formatted(100 * stretch.share()))
                    .observed(
                        "%.0f %% of %s; the rank that was waited for the longest accounts for %.0f %% of it"
                            .formatted(
                                100 * stretch.share(),
                                DurationWords.time(stretch.seconds()),
                                100 * stretch.mostBlamed()))
                    .cause(
                        "uneven work that moves from rank to rank: batches of different length, data loading,"
                            + " or several slow ranks at once"));
  }

  /// Two or three ranks for which all others wait by turns, none of them in most rounds. They are
  /// reported only if this began in mid-run: ranks with the largest shards are late from the first
  /// step on, and the first ranks of a job have other duties.
  private static Optional<FindingDraft> fromFew(Communicator comm, Examination examination) {
    double share = examination.expectations().thresholds().sporadic().share();
    return stretch(comm, share, MANY_STEPS, examination)
        .filter(stretch -> fewOf(comm, stretch.few()))
        .filter(stretch -> beganLate(stretch, comm.waits().series()))
        .filter(_ -> new Straggler().examine(examination).isEmpty())
        .map(stretch -> byTurns(comm, stretch, share, examination));
  }

  private static boolean fewOf(Communicator comm, Set<Integer> few) {
    return !few.isEmpty()
        && !few.contains(0)
        && MANY * few.size() <= comm.nranks()
        && alone(comm, few);
  }

  /// Whether no other rank was late for a similar time. If the data loader of a host stalls, all of
  /// its ranks are late, and which of them is last changes.
  private static boolean alone(Communicator comm, Set<Integer> few) {
    var waits = comm.waits();
    double least = few.stream().mapToDouble(waits::blamedSeconds).min().orElse(0);
    return IntStream.range(0, comm.nranks())
        .filter(rank -> !few.contains(rank))
        .allMatch(rank -> waits.blamedSeconds(rank) < least / 2);
  }

  private static FindingDraft byTurns(
      Communicator comm, WaitStretch stretch, double share, Examination examination) {
    var ranks = examination.run().ranks(comm, stretch.few());
    return draft(comm, stretch, share, Severity.WARNING, examination)
        .summary(
            "ranks wait %.0f %% of the time, by turns for %s"
                .formatted(100 * stretch.share(), RankText.words(ranks)))
        .observed(
            "%.0f %% of %s; %.0f %% of it was for %s"
                .formatted(
                    100 * stretch.share(),
                    DurationWords.time(stretch.seconds()),
                    100 * stretch.blamedOn(stretch.few()),
                    RankText.words(ranks)))
        .cause("several slow ranks, or work that moves between them");
  }

  private static boolean beganLate(WaitStretch stretch, WaitSeries series) {
    long length = series.lastWindow() - series.firstWindow();
    return stretch.firstWindow() - series.firstWindow()
        > Math.max(2L * series.width(), length / BEGINNING);
  }

  private static boolean isWarmUp(WaitStretch stretch, WaitSeries series) {
    long after = series.lastWindow() - stretch.endWindow();
    return !beganLate(stretch, series)
        && stretch.seconds() <= WARM_UP_SECONDS
        && after >= stretch.endWindow() - stretch.firstWindow();
  }

  /// The time in which ranks waited most, if it is long enough not to be chance.
  private static Optional<WaitStretch> stretch(
      Communicator comm, double share, int steps, Examination examination) {
    var least = examination.expectations().thresholds().barrier().least();
    return WaitStretch.worst(comm.waits().series(), comm.nranks(), share)
        .filter(stretch -> stretch.seconds() * 1000 >= least.toMillis())
        .filter(stretch -> stretch.seconds() >= steps * stepSeconds(comm, examination))
        .filter(stretch -> stretch.share() <= IMPLAUSIBLE);
  }

  private static FindingDraft draft(
      Communicator comm,
      WaitStretch stretch,
      double share,
      Severity severity,
      Examination examination) {
    boolean active = stretch.open() && !examination.job().ended();
    var since = Nanos.instant(stretch.firstWindow() * Rounds.WINDOW_NANOS);
    var until = Nanos.instant(stretch.endWindow() * Rounds.WINDOW_NANOS);
    return FindingDraft.about(FindingKind.BARRIER_WAIT, severity, examination, List.of())
        .held(since, until, active)
        .expected("waits of less than %.0f %%".formatted(100 * share))
        .cost(
            Cost.ofShare(
                stretch.share() * stretch.seconds() * examination.run().nranks(), stretch.share()))
        .proofs(comm.rounds().samples());
  }

  /// Mean duration of a step in seconds. The mean is needed because programs that run ahead make
  /// the calls of most steps in a burst.
  private static double stepSeconds(Communicator comm, Examination examination) {
    return examination.run().communicators().stream()
        .filter(each -> each.nranks() == comm.nranks())
        .mapToDouble(each -> each.rounds().meanStepSeconds())
        .max()
        .orElseThrow();
  }

  /// Finding from the waits of one rank that DeepSpeed's communication logger reports.
  private static Optional<Finding> fromTimers(Examination examination) {
    var limit = examination.expectations().thresholds().barrier();
    double seconds = trained(examination);
    for (OwnWait own : examination.run().steps().ownWaits().values()) {
      double share = seconds > 0 ? own.waitSeconds() / seconds : 0;
      if (share >= limit.ownShare() && !own.lines().isEmpty()) {
        double bounded = Math.min(share, 1);
        return Optional.of(
            FindingDraft.about(FindingKind.BARRIER_WAIT, Severity.WARNING, examination, List.of())
                .summary(
                    "rank 0 waited for others %.0f %% of the time, says DeepSpeed's communication logger"
                        .formatted(100 * bounded))
                .expected("waits of less than %.0f %%".formatted(100 * limit.ownShare()))
                .observed(
                    "%s of waiting and %s of communication in %s of training"
                        .formatted(
                            DurationWords.time(own.waitSeconds()),
                            DurationWords.time(own.commSeconds()),
                            DurationWords.time(seconds)))
                .cost(Cost.ofShare(null, bounded))
                .cause(
                    "one rank's timers do not tell whom it waited for: set NCCL_DEBUG_SUBSYS=INIT,COLL"
                        + " and NCCL_DEBUG_TIMESTAMP_LEVELS=ALL, or log_summary(show_straggler=True,"
                        + " return_dict=True) on every rank")
                .proofs(own.lines())
                .finding());
      }
    }
    return Optional.empty();
  }

  /// Total duration of the known steps, in seconds.
  private static double trained(Examination examination) {
    return examination.run().steps().tracks().stream()
        .map(StepTrack::series)
        .mapToDouble(
            series -> series.segments().stream().mapToDouble(segment -> segment.seconds()).sum())
        .max()
        .orElse(0);
  }
}
