package io.ringside.streams.detect.hang;

import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Exchanges;
import io.ringside.streams.examine.Spoken;
import io.ringside.streams.job.Run;
import java.time.Duration;

/// When ranks that wait for others are a hang and no longer a pause: a checkpoint or an evaluation
/// of rank 0 looks the same while it lasts.
final class Pause {
  /// From so long a pause on it is no note any more …
  static final Duration CRITICAL_AFTER = Duration.ofSeconds(60);

  /// … if it is also so many times as long as the longest one that the job has come back from.
  private static final int TIMES_LONGEST = 3;

  private Pause() {}

  /// How grave a pause of this length is in this run, where no watchdog has fired.
  ///
  /// @param least where it begins to be a hang, if no pause was ever long
  static Severity severity(Duration pause, Duration least, Run run) {
    long longest = Exchanges.of(run).longestPauseNanos();
    for (var comm : run.communicators()) {
      longest = Math.max(longest, comm.waits().longestPauseNanos());
    }
    return severity(pause, least, Duration.ofNanos(longest));
  }

  /// @param longest pause that the job has come back from
  static Severity severity(Duration pause, Duration least, Duration longest) {
    return pause.compareTo(least) > 0 && pause.compareTo(longest.multipliedBy(TIMES_LONGEST)) > 0
        ? Severity.CRITICAL
        : Severity.INFO;
  }

  /// What is said of it.
  static String summary(Severity severity, Duration pause, int waiting, int nranks, String whom) {
    return severity == Severity.INFO
        ? "paused: %d %s waited for %s for %s"
            .formatted(
                waiting,
                waiting == 1 ? "rank has" : "ranks have",
                whom,
                Spoken.time(pause.toSeconds()))
        : "the job hangs: nobody made a call for %s, and %d of %d ranks wait for %s"
            .formatted(Spoken.time(pause.toSeconds()), waiting, nranks, whom);
  }
}
