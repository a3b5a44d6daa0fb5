package io.ringside.streams.detect.hang;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.ObservationMode;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.gpu.GpuSecond;
import io.ringside.streams.job.step.StepTrack;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds recorded jobs that stand still as a whole: the log ends with steps left to do, and for
/// minutes after it all GPUs are idle while their memory is still held. No rank waits for another,
/// so nobody is named: a data source, a file system or a lock holds all of them up alike. Where a
/// log is only cut off the GPUs go on working, and a process that ended holds no memory.
final class IdleJob {
  /// Shorter ones are evaluations on the host, checkpoints and downloads.
  private static final Duration LEAST = Duration.ofMinutes(10);

  private static final int UNDER_WAY = 20;

  /// Utilization, in percent, up to which a GPU is idle.
  private static final double IDLE = 3;

  /// Least share of a GPU's memory that a process in training holds.
  private static final double HELD = 0.1;

  /// In seconds. GPUs complete what is queued, and sensors report a mean of the past.
  private static final long SETTLING = 30;

  /// In seconds, between two readings.
  private static final long WIDEST_GAP = 60;

  private IdleJob() {}

  static List<Finding> examine(Examination examination) {
    var run = examination.run();
    if (examination.mode() != ObservationMode.RECORDED
        || !examination.newestRun()
        || run.explained()
        || run.lastNanos() == NO_TIME) {
      return List.of();
    }
    return unfinished(run).flatMap(track -> finding(track, examination)).stream().toList();
  }

  /// The steps, if some were made and some are left to do.
  private static Optional<StepTrack> unfinished(Run run) {
    var tracks = run.steps().tracks().stream().filter(track -> track.total() > 0).toList();
    return tracks.stream().anyMatch(track -> track.lastStep() >= track.total())
        ? Optional.empty()
        : tracks.stream().filter(track -> track.lastStep() >= UNDER_WAY).findFirst();
  }

  private static Severity severity(Duration stands, StepTrack track, Run run) {
    var longest = Duration.ofNanos(Math.max(0, track.longestNanos()));
    return Pause.severity(stands, LEAST, longest) == Severity.CRITICAL
        ? Pause.severity(stands, LEAST, run)
        : Severity.INFO;
  }

  private static Optional<Finding> finding(StepTrack track, Examination examination) {
    var run = examination.run();
    var ranks = run.byRank();
    if (ranks.size() != run.nranks()) {
      return Optional.empty();
    }
    long last = Math.floorDiv(run.lastNanos(), 1_000_000_000L);
    long before = NO_TIME;
    long first = NO_TIME;
    for (var second : run.gpus().bySecond().tailMap(last + SETTLING, false).entrySet()) {
      if (!rests(second.getValue(), ranks)
          || before != NO_TIME && second.getKey() - before > WIDEST_GAP) {
        return Optional.empty();
      }
      before = second.getKey();
      first = first == NO_TIME ? before : first;
    }
    if (first == NO_TIME || before - first < LEAST.toSeconds() - SETTLING) {
      return Optional.empty();
    }
    var stands = Duration.ofSeconds(before - last);
    var since = Nanos.instant(run.lastNanos());
    var severity = severity(stands, track, run);
    var idle = "all %d GPUs are idle, and their memory is still held".formatted(run.nranks());
    return Optional.of(
        FindingDraft.ofRanks(FindingKind.HANG, severity, examination, Set.of())
            .between(since, null)
            .summary(
                "%s: no line for %s after step %d of %d, and %s"
                    .formatted(
                        severity == Severity.INFO ? "paused" : "the job hangs",
                        DurationWords.time(stands.toSeconds()),
                        track.lastStep(),
                        track.total(),
                        idle))
            .expected("steps until the last one, %d".formatted(track.total()))
            .observed("no line since, GPUs at most at %.0f %%".formatted(IDLE))
            .cost(new Cost(stands.toSeconds() * (double) run.nranks(), null))
            .cause(
                "all ranks stand still on the host: what they all read or wait for, such as a file system, a data source, or a lock")
            .witness("gpu-power", Set.of(), idle)
            .proof(track.series().segments().getLast().line())
            .finding());
  }

  /// Whether each rank's GPU is idle with its memory held. All ranks have to have a reading.
  private static boolean rests(GpuSecond second, List<TrainingProcess> ranks) {
    return ranks.stream().allMatch(process -> rests(second.get(process.id())));
  }

  private static boolean rests(@Nullable GpuReading reading) {
    return reading != null
        && reading.utilizationPercent() != null
        && reading.utilizationPercent() <= IDLE
        && reading.memoryUsedMiB() != null
        && reading.memoryTotalMiB() != null
        && reading.memoryUsedMiB() >= HELD * reading.memoryTotalMiB();
  }
}
