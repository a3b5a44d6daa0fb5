package io.ringside.streams.detect.failure;

import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.job.Failures.Sign;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// What a run's death says of a standstill: ranks that wait for one that died do not hang, they are
/// about to die.
public final class Deaths {
  private Deaths() {}

  /// Whether the run died, and not of a time-out.
  public static boolean explain(Examination examination) {
    return failed(examination).stream().anyMatch(Deaths::ofSomethingElse);
  }

  /// Ranks that said themselves what they died of; one that was killed says nothing, and leaves the
  /// others standing.
  public static Set<Integer> aloud(Examination examination) {
    return failed(examination).stream()
        .filter(Deaths::ofSomethingElse)
        .filter(failed -> failed.failureClass() != FailureClass.NETWORK)
        .filter(failed -> failed.failureClass() != FailureClass.KILLED)
        .flatMap(failed -> failed.ranks().stream())
        .collect(Collectors.toSet());
  }

  /// Whether it says that somebody asked the run to end: a scheduler, or a person.
  public static boolean askedToEnd(Sign sign) {
    return Cause.of(sign).failureClass().wanted();
  }

  private static List<Finding> failed(Examination examination) {
    return new JobFailed()
        .examine(examination).stream()
            .filter(failed -> failed.severity() == Severity.CRITICAL)
            .toList();
  }

  private static boolean ofSomethingElse(Finding failed) {
    var words = failed.observed().toLowerCase(Locale.ROOT);
    return failed.failureClass() != FailureClass.UNKNOWN
        && !words.contains("timeout")
        && !words.contains("timed out");
  }
}
