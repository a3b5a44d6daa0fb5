package io.ringside.streams.detect.straggler;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.straggler.GpuShift.Kind;
import io.ringside.streams.detect.straggler.GpuShift.Shift;
import io.ringside.streams.detect.straggler.SlowSteps.Stretch;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Finds a straggler without arrival times. Steps were slow for a while, and in exactly that while
/// one GPU behaved differently from before and from its peers. Neither fact alone is enough.
final class SlowGpu {
  /// In seconds. Rank 0 has duties beside training, which take less time than this.
  private static final double LONGEST_DUTY = 30;

  private SlowGpu() {}

  /// @param roundsTell whether arrivals can be trusted. They show a late host, but not a slow GPU:
  ///   a program may call without waiting for its GPU, or wait for all GPUs in each step, after
  ///   which all ranks call at the same time
  static List<Finding> findings(Examination examination, boolean roundsTell) {
    var run = examination.run();
    var readings = run.readings().bySecond(); // steps may have times if NCCL's lines have none
    if (readings.isEmpty() || run.processes().size() < 2) {
      return List.of();
    }
    var thresholds = examination.expectations().thresholds();
    long since = Nanos.ofSeconds(readings.firstKey());
    for (var track : run.steps().tracks()) {
      var clock = StepClock.of(track, readings, thresholds.gpuPeers());
      var stretch = SlowSteps.of(track, clock.offset(), since, thresholds);
      var shift =
          stretch
              .flatMap(
                  it ->
                      GpuShift.of(
                          run,
                          thresholds.gpuPeers(),
                          it.slow().within(clock.doubt()),
                          it.elsewhere().stream().map(each -> each.within(clock.doubt())).toList()))
              .filter(it -> !roundsTell || it.kind() != Kind.IDLES);
      if (shift.isPresent()) {
        return finding(stretch.get(), shift.get(), examination).stream().toList();
      }
    }
    return List.of();
  }

  private static Optional<Finding> finding(Stretch stretch, Shift shift, Examination examination) {
    var run = examination.run();
    var process = process(run, shift);
    var since = Nanos.instant(stretch.slow().sinceNanos());
    var until = Nanos.instant(stretch.slow().untilNanos());
    double seconds = Nanos.seconds(stretch.slow().untilNanos() - stretch.slow().sinceNanos());
    if (process.isEmpty()
        || run.rank(process.get()) == 0 && seconds < LONGEST_DUTY && isDuty(shift.kind())) {
      return Optional.empty();
    }
    int rank = run.rank(process.get());
    boolean active = stretch.open() && !examination.job().over(run);
    double lost = Math.max(0, stretch.lostSeconds());
    return Optional.of(
        FindingDraft.about(
                FindingKind.STRAGGLER, Severity.WARNING, examination, List.of(process.get()))
            .subject("rank " + rank)
            .held(since, until, active)
            .summary(
                "rank %d keeps the others waiting: for %s steps took %.1f times as long, while %s"
                    .formatted(
                        rank,
                        DurationWords.time(Math.round(seconds)),
                        stretch.ratio(),
                        words(shift)))
            .expected("GPUs of one job work alike while its steps are slow")
            .observed(
                "%d steps of %s instead of %s, and one GPU that changed at the same time"
                    .formatted(
                        stretch.steps(),
                        DurationWords.time(stretch.millis() / 1000),
                        DurationWords.time(stretch.baselineMillis() / 1000)))
            .cost(new Cost(lost * (run.processes().size() - 1), stretch.ratio()))
            .cause(cause(run, process.get(), shift, since, until, examination))
            .witness("gpu-power", List.of(rank), words(shift))
            .proofs(
                new GpuProofs(run)
                    .of(process.get(), since.getEpochSecond(), until.getEpochSecond()))
            .proof(stretch.before().line())
            .proof(stretch.first().line())
            .proof(stretch.last().line())
            .finding());
  }

  /// Whether it may be a duty of rank 0, which alone writes and evaluates, on its host or on its
  /// GPU.
  private static boolean isDuty(Kind kind) {
    return kind == Kind.IDLES || kind == Kind.ALONE;
  }

  private static Optional<TrainingProcess> process(Run run, Shift shift) {
    return run.processes().stream().filter(each -> each.id().equals(shift.process())).findFirst();
  }

  private static String words(Shift shift) {
    return switch (shift.kind()) {
      case IDLES -> "its GPU idled and the others' spun";
      case SHARED ->
          "%.0f MiB more of its GPU's memory were in use and it drew more of the power"
              .formatted(shift.memoryMiB());
      case SLOWED -> "its GPU's clock was down to %.0f MHz".formatted(shift.clockMHz());
      case ALONE -> "its GPU worked on and the others' waited";
    };
  }

  private static String cause(
      Run run,
      TrainingProcess process,
      Shift shift,
      Instant since,
      Instant until,
      Examination examination) {
    return switch (shift.kind()) {
      case IDLES -> "host";
      case SHARED -> "gpu-contended";
      case SLOWED -> {
        var cause = told(run, process, since, until, examination);
        yield cause.equals("gpu-throttled") ? cause : "gpu-clock";
      }
      case ALONE -> told(run, process, since, until, examination);
    };
  }

  private static String told(
      Run run, TrainingProcess process, Instant since, Instant until, Examination examination) {
    return new GpuPeers(run, examination.expectations().thresholds().gpuPeers())
        .cause(process, since, until);
  }
}
