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

/// Relates the death of a run to a hang: ranks that wait for a dead rank do not hang, they are
/// about to die.
public final class Deaths {
  private Deaths() {}

  /// Whether the run died of something other than a timeout.
  public static boolean explain(Examination examination) {
    return failed(examination).stream().anyMatch(Deaths::ofSomethingElse);
  }

  /// Ranks that reported the reason of their own death. A killed rank reports nothing, so the
  /// others keep waiting for it.
  public static Set<Integer> aloud(Examination examination) {
    return failed(examination).stream()
        .filter(Deaths::ofSomethingElse)
        .filter(failed -> failed.failureClass() != FailureClass.NETWORK)
        .filter(failed -> failed.failureClass() != FailureClass.KILLED)
        .flatMap(failed -> failed.ranks().stream())
        .collect(Collectors.toSet());
  }

  /// Whether the line says that a scheduler or a person asked the run to end.
  public static boolean askedToEnd(Sign sign) {
    return FailureCause.of(sign).failureClass().wanted();
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
