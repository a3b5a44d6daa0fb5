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

/// Takes the steps of judging one run, each by itself, and keeps in mind which ones failed.
final class Guarded {
  private final String job;
  private final Failures failures;
  private final List<NotJudged> notJudged = new ArrayList<>();

  Guarded(String job, Failures failures) {
    this.job = job;
    this.failures = failures;
  }

  /// What the step gives, or nothing where it fails.
  <T> Optional<T> of(String what, Supplier<T> step) {
    try {
      return Optional.of(step.get());
    } catch (RuntimeException e) {
      failed(what, e);
      return Optional.empty();
    }
  }

  /// What the detector finds, or nothing where it fails.
  List<Finding> of(Detector detector, Examination examination) {
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

  /// `LateStart` is `late-start`.
  private static String name(Detector detector) {
    var words = detector.getClass().getSimpleName().replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-");
    return words.toLowerCase(Locale.ROOT);
  }
}
