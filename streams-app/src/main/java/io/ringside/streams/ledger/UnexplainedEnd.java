package io.ringside.streams.ledger;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.ObservationMode;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.examine.UnmatchedTransfers;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Membership;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.waits.Rounds;
import java.util.Optional;

/// An unexplained end of a recorded log, with ranks in a call that others have not made. A job that
/// hangs without a watchdog leaves such a log, and so does a job that continued after the log was
/// cut: the lines do not show which.
public final class UnexplainedEnd {
  /// Name of what is not judged in this case.
  public static final String WHAT = "end";

  /// Least completed rounds or matched calls: while a run starts, ranks wait irregularly.
  private static final int UNDER_WAY = 3;

  /// Multiple of the longest pause. Ranks that are further ahead are not waiting for the others:
  /// the others' logs were cut.
  private static final int USUAL_PAUSES = 3;

  private UnexplainedEnd() {}

  static Optional<NotJudged> of(Examination examination) {
    var run = examination.run();
    if (examination.mode() != ObservationMode.RECORDED
        || examination.job().runs().getLast() != run
        || explained(run)) {
      return Optional.empty();
    }
    return run.communicators().stream()
        .filter(comm -> waits(comm.rounds()))
        .flatMap(comm -> of(comm, run).stream())
        .findFirst()
        .or(() -> of(UnmatchedTransfers.of(run)));
  }

  private static Optional<NotJudged> of(UnmatchedTransfers exchanges) {
    return exchanges.stand() && exchanges.matched() >= UNDER_WAY
        ? Optional.of(
            new NotJudged(
                WHAT,
                "the log ends while %s in a Send or Recv for %s: a hang, or the log was cut there"
                    .formatted(
                        RankText.clause(exchanges.waiting(), "waits", "wait"),
                        RankText.words(exchanges.culprits()))))
        : Optional.empty();
  }

  /// Whether a line shows how the run ended or where it is stuck.
  private static boolean explained(Run run) {
    return run.done()
        || run.failures().told()
        || !run.watchdogs().isEmpty()
        || !run.lagging().isEmpty()
        || run.processes().stream()
            .map(TrainingProcess::memberships)
            .anyMatch(parts -> parts.values().stream().anyMatch(Membership::ended));
  }

  private static boolean waits(Rounds rounds) {
    long last = rounds.waits().lastNanos();
    return rounds.completed() >= UNDER_WAY
        && last != NO_TIME
        && rounds.lastCallNanos() - last <= USUAL_PAUSES * rounds.waits().longestPauseNanos();
  }

  private static Optional<NotJudged> of(Communicator comm, Run run) {
    return comm.rounds()
        .standstill()
        .filter(
            standstill ->
                standstill.together() && standstill.missing().size() <= standstill.waiting().size())
        .map(
            standstill ->
                new NotJudged(
                    WHAT,
                    "the log ends while %s in collective call %d for %s: a hang, or the log was cut there"
                        .formatted(
                            RankText.clause(run.ranks(comm, standstill.waiting()), "waits", "wait"),
                            standstill.ordinal() + 1,
                            RankText.words(run.ranks(comm, standstill.missing())))));
  }
}
