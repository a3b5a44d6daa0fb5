package io.ringside.streams.ledger;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.ObservationMode;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import io.ringside.streams.waits.Standstill;
import java.util.Optional;

/// Finds ranks of a recorded job whose lines end while the others keep calling: their logs were
/// cut, or fetched earlier. Without them no round is complete, so later waits are unknown.
final class EarlyEnd {
  /// Least time in nanoseconds between ends of logs; logs that are fetched one after another are
  /// this far apart.
  private static final long LEAST_NANOS = 10_000_000_000L;

  /// Multiple of the longest pause. Ranks that wait for a stopped rank make only a few more calls,
  /// within less time than this.
  private static final int USUAL_PAUSES = 3;

  private EarlyEnd() {}

  static Optional<NotJudged> of(Examination examination) {
    return examination.mode() == ObservationMode.RECORDED
        ? examination.run().communicators().stream()
            .flatMap(comm -> of(comm, examination.run()).stream())
            .findFirst()
        : Optional.empty();
  }

  private static Optional<NotJudged> of(Communicator comm, Run run) {
    var rounds = comm.rounds();
    long last = rounds.waits().lastNanos();
    long after = rounds.lastCallNanos() - last;
    return last == NO_TIME
            || after < LEAST_NANOS
            || after < USUAL_PAUSES * rounds.waits().longestPauseNanos()
        ? Optional.empty()
        : rounds
            .standstill()
            .map(Standstill::missing)
            .map(missing -> RankText.words(run.ranks(comm, missing)))
            .map(
                who ->
                    new NotJudged(
                        "waits",
                        "the last %s, for which the lines of %s are not here"
                            .formatted(DurationWords.time(Nanos.seconds(after)), who)));
  }
}
