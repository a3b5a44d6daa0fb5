package io.ringside.streams.detect.hang;

import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.UnmatchedTransfers;
import io.ringside.streams.job.Run;
import java.time.Duration;

/// Decides when ranks that wait for others are a hang and no longer a pause. A checkpoint or an
/// evaluation on rank 0 looks the same while it lasts.
final class Pause {
  /// A longer pause is critical if it is also TIMES_LONGEST times as long as the longest pause that
  /// the job has come back from.
  static final Duration CRITICAL_AFTER = Duration.ofSeconds(60);

  private static final int TIMES_LONGEST = 3;

  private Pause() {}

  /// The severity of a pause of this length in this run, if no watchdog has fired.
  ///
  /// @param least length from which a pause is a hang, if no earlier pause was long
  static Severity severity(Duration pause, Duration least, Run run) {
    long longest = UnmatchedTransfers.of(run).longestPauseNanos();
    for (var comm : run.communicators()) {
      longest = Math.max(longest, comm.waits().longestPauseNanos());
    }
    return severity(pause, least, Duration.ofNanos(longest));
  }

  /// @param longest the longest pause that the job has come back from
  static Severity severity(Duration pause, Duration least, Duration longest) {
    return pause.compareTo(least) > 0 && pause.compareTo(longest.multipliedBy(TIMES_LONGEST)) > 0
        ? Severity.CRITICAL
        : Severity.INFO;
  }

  /// The summary of the finding.
  static String summary(Severity severity, Duration pause, int waiting, int nranks, String whom) {
    return severity == Severity.INFO
        ? "paused: %d %s waited for %s for %s"
            .formatted(
                waiting,
                waiting == 1 ? "rank has" : "ranks have",
                whom,
                DurationWords.time(pause.toSeconds()))
        : "the job hangs: nobody made a call for %s, and %d of %d ranks wait for %s"
            .formatted(DurationWords.time(pause.toSeconds()), waiting, nranks, whom);
  }
}
