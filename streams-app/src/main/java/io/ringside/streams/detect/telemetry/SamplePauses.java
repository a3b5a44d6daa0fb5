package io.ringside.streams.detect.telemetry;

import io.ringside.streams.examine.Examination;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.gpu.GpuSecond;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Pauses between a node's GPU samples while the run goes on, of the last quarter of an hour.
final class SamplePauses {
  /// Fewer samples do not show how often they come.
  private static final int FEWEST = 10;

  private SamplePauses() {}

  /// @param from the last sample before it
  /// @param until the first sample after it, or the run's last line
  /// @param open whether no sample came after it
  record Pause(Instant from, Instant until, boolean open) {
    long seconds() {
      return Duration.between(from, until).toSeconds();
    }
  }

  static List<Pause> of(List<TrainingProcess> processes, Examination examination) {
    var seconds = new TreeSet<Long>();
    for (var entry : examination.run().gpusWhileRunning().entrySet()) {
      if (has(entry, processes)) {
        seconds.add(entry.getKey());
      }
    }
    if (seconds.size() < FEWEST) {
      return List.of();
    }
    var limit = examination.expectations().thresholds().telemetry();
    long longest =
        Math.max(limit.leastPause().toSeconds(), (limit.missedPolls() + 1) * interval(seconds));
    var pauses = new ArrayList<Pause>();
    long before = seconds.first();
    for (long second : seconds) {
      if (second - before >= longest) {
        pauses.add(pause(before, second, false));
      }
      before = second;
    }
    long lastLine = examination.run().sureNanos() / 1_000_000_000L;
    if (live(processes, examination) && lastLine - before >= longest) {
      pauses.add(pause(before, lastLine, true));
    }
    return pauses;
  }

  private static Pause pause(long from, long until, boolean open) {
    return new Pause(Instant.ofEpochSecond(from), Instant.ofEpochSecond(until), open);
  }

  private static boolean has(Map.Entry<Long, GpuSecond> second, List<TrainingProcess> processes) {
    for (var process : processes) {
      if (second.getValue().has(process.id())) {
        return true;
      }
    }
    return false;
  }

  /// Usual seconds between two samples, at least 1.
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

  /// A recording of samples may end before the lines do.
  private static boolean live(List<TrainingProcess> processes, Examination examination) {
    return processes.stream()
        .map(process -> examination.job().sources().get(process.source().id()))
        .anyMatch(source -> source != null && source.live() && !source.ended());
  }
}
