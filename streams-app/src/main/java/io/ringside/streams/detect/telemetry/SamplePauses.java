package io.ringside.streams.detect.telemetry;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.gpu.GpuSecond;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Finds pauses between a node's GPU samples while the run makes progress, within the last quarter
/// of an hour.
final class SamplePauses {
  /// With fewer samples, their usual distance is unknown.
  private static final int FEWEST = 10;

  /// A recording with fewer samples was meant to be short.
  private static final int LASTING = 60;

  /// This many distances of one length in a row are an interval.
  private static final int IN_A_ROW = 6;

  /// A recording that a script starts with its job begins within this time of the job's start.
  private static final long AT_ONCE_SECONDS = 60;

  /// A recording may end somewhat before its job.
  private static final long LONG_SECONDS = 300;

  private SamplePauses() {}

  /// @param from the last sample before it
  /// @param until the first sample after it, or the run's last line
  /// @param open whether no sample came after the pause
  /// @param meant whether somebody may have stopped the recording on purpose
  record Pause(Instant from, Instant until, boolean open, boolean meant) {
    long seconds() {
      return Duration.between(from, until).toSeconds();
    }
  }

  static List<Pause> of(List<TrainingProcess> processes, Examination examination) {
    var seconds = seconds(examination.run().gpusWhileRunning(), processes);
    if (seconds.size() < FEWEST) {
      return List.of();
    }
    long longest = longest(seconds, examination);
    var pauses = within(seconds, longest);
    long before = seconds.last();
    long lastLine = examination.run().sureNanos() / 1_000_000_000L;
    boolean live = live(processes, examination);
    if (live && lastLine - before >= longest) {
      pauses.add(pause(before, lastLine, true));
    }
    if (pauses.isEmpty() && !live && onOneNode(examination.run())) {
      earlyEnd(seconds, examination.run().gpus().begun(), examination.run()).ifPresent(pauses::add);
    }
    return pauses;
  }

  /// Whether the run is on one node. The start of a recording is known only for all GPUs together.
  private static boolean onOneNode(Run run) {
    return run.processes().stream().map(TrainingProcess::hostId).distinct().count() < 2;
  }

  /// A saved recording that began with its job and ended long before it, while steps or calls
  /// continued. If it began at another time, somebody recorded for a while only, or its clock is in
  /// another time zone.
  ///
  /// @param begun Unix epoch second of the first sample
  private static Optional<Pause> earlyEnd(TreeSet<Long> seconds, long begun, Run run) {
    long moved = run.lastMoveNanos();
    if (seconds.size() < LASTING || run.firstNanos() == NO_TIME || moved == NO_TIME) {
      return Optional.empty();
    }
    long away = Math.abs(begun - Math.floorDiv(run.firstNanos(), 1_000_000_000L));
    long until = Math.floorDiv(moved, 1_000_000_000L);
    long least = Math.max(LONG_SECONDS, FEWEST * interval(seconds));
    return away <= AT_ONCE_SECONDS && until - seconds.last() >= least
        ? Optional.of(
            new Pause(
                Instant.ofEpochSecond(seconds.last()), Instant.ofEpochSecond(until), true, true))
        : Optional.empty();
  }

  /// Pauses of GPUs whose process is unknown: they come from a recording, which may have been made
  /// now and then. A pause counts only if it is the only one, and if samples before and after it
  /// cover more time than the pause. Only the time of the steps is examined, by the lines' own
  /// timestamps.
  ///
  /// @param holders placeholders for such GPUs of one node
  static List<Pause> ofRecording(List<TrainingProcess> holders, Examination examination) {
    var seconds = seconds(whileStepping(examination.run()), holders);
    if (seconds.size() < 2 * FEWEST) {
      return List.of();
    }
    var pauses = within(seconds, longest(seconds, examination));
    if (pauses.isEmpty() && onOneNode(examination.run())) {
      var begun = examination.run().unheld().readings().begun();
      return earlyEnd(seconds, begun, examination.run()).stream().toList();
    }
    return pauses.size() == 1 && goesOn(pauses.getFirst(), seconds) ? pauses : List.of();
  }

  private static NavigableMap<Long, GpuSecond> whileStepping(Run run) {
    for (var track : run.steps().tracks()) {
      var steps = track.series().segments();
      long offset = track.offsetNanos();
      if (offset != NO_TIME && !steps.isEmpty()) {
        return run.unheld()
            .readings()
            .between(
                Nanos.instant(steps.getFirst().sinceNanos() + offset),
                Nanos.instant(steps.getLast().untilNanos() + offset));
      }
    }
    return new TreeMap<>();
  }

  private static boolean goesOn(Pause pause, TreeSet<Long> seconds) {
    long sampled = seconds.last() - seconds.first() - pause.seconds();
    return pause.seconds() <= sampled
        && seconds.headSet(pause.from().getEpochSecond(), true).size() >= FEWEST
        && seconds.tailSet(pause.until().getEpochSecond(), true).size() >= FEWEST;
  }

  private static TreeSet<Long> seconds(
      NavigableMap<Long, GpuSecond> readings, List<TrainingProcess> processes) {
    var seconds = new TreeSet<Long>();
    for (var entry : readings.entrySet()) {
      if (has(entry, processes)) {
        seconds.add(entry.getKey());
      }
    }
    return seconds;
  }

  /// Minimum length of a pause in seconds.
  private static long longest(TreeSet<Long> seconds, Examination examination) {
    var limit = examination.expectations().thresholds().telemetry();
    return Math.max(limit.leastPause().toSeconds(), (limit.missedPolls() + 1) * interval(seconds));
  }

  /// Pauses of at least this length, but for those that follow each other at an equal length: from
  /// then on samples were taken at another interval.
  static List<Pause> within(TreeSet<Long> seconds, long longest) {
    var pauses = new ArrayList<Pause>();
    var row = new ArrayList<Pause>();
    long before = seconds.first();
    for (long second : seconds.tailSet(before, false)) {
      var pause = pause(before, second, false);
      if (!row.isEmpty() && !alike(row.getLast(), pause)) {
        keep(row, longest, pauses);
      }
      row.add(pause);
      before = second;
    }
    keep(row, longest, pauses);
    return pauses;
  }

  private static void keep(List<Pause> row, long longest, List<Pause> pauses) {
    if (row.size() < IN_A_ROW) {
      row.stream().filter(pause -> pause.seconds() >= longest).forEach(pauses::add);
    }
    row.clear();
  }

  private static boolean alike(Pause a, Pause b) {
    return Math.abs(a.seconds() - b.seconds()) <= 1;
  }

  private static Pause pause(long from, long until, boolean open) {
    return new Pause(Instant.ofEpochSecond(from), Instant.ofEpochSecond(until), open, false);
  }

  private static boolean has(Map.Entry<Long, GpuSecond> second, List<TrainingProcess> processes) {
    for (var process : processes) {
      if (second.getValue().has(process.id())) {
        return true;
      }
    }
    return false;
  }

  /// Median number of seconds between two samples, at least 1.
  private static long interval(TreeSet<Long> seconds) {
    var between = new ArrayList<Long>();
    long before = seconds.first();
    for (long second : seconds.tailSet(before, false)) {
      between.add(second - before);
      before = second;
    }
    between.sort(null);
    return Math.max(1, between.get(between.size() / 2));
  }

  /// Whether some process's log is still being read live. Otherwise the recording of samples may
  /// end before the log does.
  private static boolean live(List<TrainingProcess> processes, Examination examination) {
    return processes.stream()
        .map(process -> examination.job().sources().get(process.source().id()))
        .anyMatch(source -> source != null && source.live() && !source.ended());
  }
}
