package io.ringside.streams.bill;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.StepTimes;
import io.ringside.streams.ledger.LastGoodRun;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Computes what a finding cost, for each kind from the best source.
final class Charges {
  /// Relative error of step times in step lines.
  private static final double STEP_ERROR = 0.1;

  /// Relative error of the finding's own estimate, used if rounds show nothing.
  private static final double GUESS_ERROR = 0.25;

  private Charges() {}

  static Charge of(
      Finding finding, List<Finding> found, Examination examination, @Nullable Instant end) {
    var during = times(finding, end);
    return switch (finding.kind()) {
      case STRAGGLER -> late(finding, during, troubled(finding, found, end), examination);
      case BARRIER_WAIT -> Lateness.moving(during, examination);
      case STEP_REGRESSION -> steps(finding, during, examination);
      case TRANSPORT_REGRESSION -> reckoned(finding, gpus(examination), during);
      case LATE_START ->
          LateStarts.of(finding.ranks(), examination.run())
              .<Charge>map(saved -> Charge.Known.of(saved, Times.NEVER))
              .orElse(new Charge.Unknown("not all ranks tell when they started"));
      case HANG -> held(finding, gpus(examination), end);
      default -> new Charge.Unknown("it takes no time by itself");
    };
  }

  /// When a finding holds; never for a finding without times.
  private static Times times(Finding finding, @Nullable Instant end) {
    var since = finding.since();
    var until = finding.until() == null ? end : finding.until();
    return since == null || until == null || until.isBefore(since)
        ? Times.NEVER
        : Times.of(Nanos.of(since), Nanos.of(until));
  }

  /// When other findings hold that make steps longer: these times do not show what is usual.
  private static Times troubled(Finding finding, List<Finding> found, @Nullable Instant end) {
    var troubled = Times.NEVER;
    for (var other : found) {
      if (!other.id().equals(finding.id())
          && (other.kind() == FindingKind.STRAGGLER
              || other.kind() == FindingKind.HANG
              || other.kind() == FindingKind.STEP_REGRESSION
                  && other.severity() != Severity.INFO)) {
        troubled = troubled.and(times(other, end));
      }
    }
    return troubled;
  }

  private static int gpus(Examination examination) {
    return Math.max(1, examination.run().nranks());
  }

  private static int others(Examination examination) {
    return Math.max(1, examination.run().processes().size() - 1);
  }

  /// What rounds show, unless the rank was found by other evidence: then arrivals do not show how
  /// long the others waited, because all ranks call at the same time.
  private static Charge late(
      Finding finding, Times during, Times troubled, Examination examination) {
    boolean byArrivals =
        finding.witnesses().isEmpty()
            || finding.witnesses().stream().anyMatch(it -> it.name().equals("arrivals"));
    var reckoned = reckoned(finding, others(examination), during);
    return !byArrivals && reckoned instanceof Charge.Known
        ? reckoned
        : Lateness.of(finding, during, troubled, examination).orElse(reckoned);
  }

  private static Charge reckoned(Finding finding, int gpus, Times during) {
    var cost = finding.cost().gpuSeconds();
    return cost == null
        ? new Charge.Unknown("no arrival times tell for how long the others waited")
        : Charge.Known.of(SavedTime.about(cost / gpus, GUESS_ERROR * cost / gpus), during);
  }

  private static Charge steps(Finding finding, Times during, Examination examination) {
    if (FindingDraft.isAbout(LastGoodRun.SUBJECT, finding)) {
      return reckoned(finding, gpus(examination), during);
    }
    var limit = examination.expectations().thresholds().steps();
    return StepTimes.slowed(examination.run().steps().tracks(), limit)
        .map(slowed -> longer(slowed.stretches(), during))
        .orElseGet(() -> reckoned(finding, gpus(examination), during));
  }

  private static Charge longer(List<StepTimes.Stretch> slow, Times during) {
    // medians, because checkpoints and evaluations would have taken their time anyway
    double seconds = slow.stream().mapToDouble(Charges::longer).sum();
    double last = longer(slow.getLast());
    var saved = SavedTime.about(seconds, STEP_ERROR * seconds);
    // the finding is about the last stretch, so its future cost is that stretch's cost
    return new Charge.Known(saved, "", List.of(), during, last / seconds);
  }

  private static double longer(StepTimes.Stretch stretch) {
    return stretch.steps() * (stretch.millis() - stretch.baselineMillis()) / 1000;
  }

  /// @param gpus number of GPUs that stand still
  private static Charge held(Finding finding, int gpus, @Nullable Instant end) {
    var since = finding.since();
    var until = end == null ? finding.until() : end;
    if (since == null || until == null || until.isBefore(since)) {
      return finding.cost().gpuSeconds() == null
          ? new Charge.Unknown("no line says since when the ranks wait")
          : reckoned(finding, gpus, Times.NEVER);
    }
    double seconds = Nanos.seconds(Duration.between(since, until).toNanos());
    return Charge.Known.of(
        new SavedTime(seconds, seconds, seconds), Times.of(Nanos.of(since), Nanos.of(until)));
  }
}
