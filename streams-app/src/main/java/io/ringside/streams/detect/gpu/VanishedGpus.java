package io.ringside.streams.detect.gpu;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.gpu.GpuSecond;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/// Finds GPUs that nvidia-smi no longer lists while it still lists the others of their machine, and
/// whose job has made no progress since.
final class VanishedGpus {
  /// Polls may be half a minute apart, and one of them may be incomplete.
  private static final long LEAST_SECONDS = 30;

  /// Number of readings with the GPU before it vanished, and of readings without it since.
  private static final int LEAST_READINGS = 10;

  private VanishedGpus() {}

  static List<Finding> findings(Map<String, GpuTrack> tracks, Examination examination) {
    var byNode = new TreeMap<String, List<TrainingProcess>>();
    for (var process : examination.run().byRank()) {
      // for other GPUs it is not known when the process held them
      if (examination.run().gpus().has(process.id()) && tracks.containsKey(process.id())) {
        byNode.computeIfAbsent(process.source().node(), _ -> new ArrayList<>()).add(process);
      }
    }
    boolean stands = !examination.run().watchdogs().isEmpty();
    byNode.values().removeIf(processes -> missed(processes, tracks, stands).isEmpty());
    if (byNode.isEmpty()) {
      return List.of();
    }
    // a watchdog reports long after the last line that carries a time
    var readings = examination.run().gpus().bySecond();
    var findings = new ArrayList<Finding>();
    for (var processes : byNode.values()) {
      var gone =
          missed(processes, tracks, stands).stream()
              .filter(it -> vanished(it, last(it, tracks), processes, readings, examination.run()))
              .toList();
      // if many are missing, somebody may query only a few GPUs from now on
      if (2 * gone.size() < processes.size()) {
        gone.stream()
            .filter(it -> track(it, tracks).seconds() >= LEAST_READINGS)
            .map(it -> finding(it, last(it, tracks), examination))
            .forEach(findings::add);
      }
    }
    return findings;
  }

  /// Processes whose GPU is missing in readings that list others while the run had lines. Later
  /// readings may come from another job's query, or the GPU may then be another job's.
  ///
  /// @param stands whether the run has hung since, so its lines may have ended between two polls
  private static List<TrainingProcess> missed(
      List<TrainingProcess> processes, Map<String, GpuTrack> tracks, boolean stands) {
    if (stands) {
      return processes;
    }
    long newest = processes.stream().mapToLong(it -> last(it, tracks)).max().orElse(0);
    return processes.stream().filter(it -> last(it, tracks) < newest).toList();
  }

  /// @param last last second with a reading of its GPU while the run had lines, Unix epoch seconds
  private static boolean vanished(
      TrainingProcess process,
      long last,
      List<TrainingProcess> processes,
      NavigableMap<Long, GpuSecond> readings,
      Run run) {
    if (readings.lastKey() <= last + LEAST_SECONDS
        || run.done()
        || run.progressNanos() > Nanos.of(Instant.ofEpochSecond(last + LEAST_SECONDS))) {
      return false;
    }
    int without = 0;
    for (var second : readings.tailMap(last, false).values()) {
      if (second.has(process.id())) {
        return false;
      }
      if (processes.stream().anyMatch(it -> second.has(it.id()))) {
        without++;
      }
    }
    return without >= LEAST_READINGS;
  }

  private static GpuTrack track(TrainingProcess process, Map<String, GpuTrack> tracks) {
    return Objects.requireNonNull(tracks.get(process.id()));
  }

  private static long last(TrainingProcess process, Map<String, GpuTrack> tracks) {
    return track(process, tracks).last();
  }

  private static Finding finding(TrainingProcess process, long last, Examination examination) {
    var draft =
        FindingDraft.about(FindingKind.GPU_ERROR, Severity.CRITICAL, examination, List.of(process))
            .subject(Objects.requireNonNullElse(process.busId(), process.id()))
            .between(Instant.ofEpochSecond(last), null)
            .summary(
                "%s vanished from nvidia-smi's list, and the job stands"
                    .formatted(GpuHealth.named(process, examination)))
            .expected("nvidia-smi lists every GPU of the machine")
            .observed("the others of its machine are listed on")
            .cause("the GPU fell off its bus or was taken away: look for Xid 79 on the node");
    var second = examination.run().gpusWhileRunning().get(last);
    var reading = second == null ? null : second.get(process.id());
    if (reading != null) {
      draft.proof(GpuHealth.line(process, last, reading));
    }
    return draft.finding();
  }
}
