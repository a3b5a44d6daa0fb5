package io.ringside.streams.judge;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/// Runs each step of judging one run in isolation and records which ones failed.
final class FaultIsolation {
  private final String job;
  private final FailureListener failures;
  private final List<NotJudged> notJudged = new ArrayList<>();

  FaultIsolation(String job, FailureListener failures) {
    this.job = job;
    this.failures = failures;
  }

  /// The result of the step, empty if it fails.
  <T> Optional<T> run(String what, Supplier<T> step) {
    try {
      return Optional.of(step.get());
    } catch (RuntimeException e) {
      failed(what, e);
      return Optional.empty();
    }
  }

  /// The detector's findings, none if it fails.
  List<Finding> run(Detector detector, Examination examination) {
    try {
      return detector.examine(examination);
    } catch (RuntimeException e) {
      failed(name(detector), e);
      return List.of();
    }
  }

  private void failed(String what, RuntimeException e) {
    failures.failed(what, job, e);
    notJudged.add(NotJudged.failed(what));
  }

  /// The steps that failed.
  List<NotJudged> notJudged() {
    return notJudged;
  }

  /// The detector's name: `LateStart` is `late-start`.
  private static String name(Detector detector) {
    var words = detector.getClass().getSimpleName().replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-");
    return words.toLowerCase(Locale.ROOT);
  }
}
