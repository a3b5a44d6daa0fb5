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
import io.ringside.streams.examine.RankText;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.gpu.GpuSecond;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Finds steps that stop while GPU readings continue and show all GPUs waiting until the log ends.
/// An NCCL kernel that waits for a peer keeps a GPU at full utilization with little power, which no
/// real work does. This needs no line of NCCL and usually names no culprit: the rank waited for is
/// elsewhere, or waits as well. If a few GPUs are idle all the time, and their ranks are known,
/// these ranks are the culprits.
///
/// An evaluation draws power. A program that is done leaves GPUs idle, and so does the first rank
/// of the job or of a machine while it writes a checkpoint or downloads for the others.
final class SpinningSteps {
  /// Utilization of a GPU in which a kernel waits, in percent.
  private static final double BUSY = 95;

  /// Power of a waiting GPU, as a share of the power limit; if no line shows the limit, of its
  /// power during training. H200s that waited drew 18 to 22 % of their limit.
  private static final double LOW = 0.3;

  /// Power of a waiting GPU, as a share of its power during training.
  private static final double LOW_OF_OWN = 0.5;

  /// Utilization, in percent, up to which a GPU is idle.
  private static final double IDLE = 20;

  /// At most one in this many GPUs may be idle.
  private static final int ONE_OF = 4;

  private static final int LEAST_STEPS = 10;
  private static final int LEAST_READINGS = 4;

  /// In seconds. A script that prints `nvidia-smi` beside a job does so every few minutes, or more
  /// often.
  private static final long WIDEST_GAP = 300;

  private SpinningSteps() {}

  static List<Finding> examine(Examination examination) {
    var run = examination.run();
    long lastStep = run.lastMoveNanos();
    if (examination.mode() != ObservationMode.RECORDED
        || lastStep == NO_TIME
        || run.steps().observations() < LEAST_STEPS
        || !examination.newestRun()
        || run.done()
        || run.steps().finished()
        || run.failures().told()) {
      return List.of();
    }
    var readings = run.readings().bySecond();
    long stood = Math.floorDiv(lastStep, 1_000_000_000L);
    var usual = usualWatts(readings.headMap(stood, true));
    var after = readings.tailMap(stood, false);
    var resting = resting(after, usual.keySet());
    usual.keySet().removeAll(resting);
    if (usual.isEmpty()
        || !spin(after, usual, resting)
        || !resting.isEmpty() && !mayBeBlamed(resting, usual.size(), run)) {
      return List.of();
    }
    var culprits =
        run.processes().stream()
            .filter(process -> resting.contains(process.id()))
            .map(run::rank)
            .collect(Collectors.toCollection(TreeSet::new));
    var length = Duration.ofSeconds(after.lastKey() - stood);
    var least = examination.expectations().thresholds().hang().silence();
    var longest = Duration.ofSeconds(longest(readings.headMap(stood, true), usual));
    return Pause.severity(length, least, longest) == Severity.CRITICAL
        ? List.of(finding(lastStep, length, usual.size(), culprits, examination))
        : List.of();
  }

  /// The median power in watts of each GPU with enough readings.
  private static Map<String, Double> usualWatts(NavigableMap<Long, GpuSecond> readings) {
    var watts = new HashMap<String, List<Double>>();
    for (var second : readings.values()) {
      for (var gpu = second.gpus(); gpu.next(); ) {
        if (gpu.utilization() > 0 && !Double.isNaN(gpu.watts())) {
          watts.computeIfAbsent(gpu.process(), _ -> new ArrayList<>()).add(gpu.watts());
        }
      }
    }
    var usual = new HashMap<String, Double>();
    watts.forEach(
        (process, all) -> {
          if (all.size() >= LEAST_READINGS) {
            usual.put(process, all.stream().sorted().toList().get(all.size() / 2));
          }
        });
    return usual;
  }

  /// The GPUs, by process id, that are idle in each reading.
  private static Set<String> resting(
      NavigableMap<Long, GpuSecond> after, Collection<String> processes) {
    var counts = new HashMap<String, Integer>();
    var busy = new HashSet<String>();
    for (var second : after.values()) {
      for (var gpu = second.gpus(); gpu.next(); ) {
        counts.merge(gpu.process(), 1, Integer::sum);
        if (!(gpu.utilization() <= IDLE)) {
          busy.add(gpu.process());
        }
      }
    }
    return processes.stream()
        .filter(it -> !busy.contains(it) && counts.getOrDefault(it, 0) >= LEAST_READINGS)
        .collect(Collectors.toSet());
  }

  /// Whether the ranks of these GPUs are known, few, and have no duties beside training.
  private static boolean mayBeBlamed(Set<String> resting, int spinning, Run run) {
    var firstOfHost = new HashMap<String, String>();
    run.byRank().forEach(process -> firstOfHost.putIfAbsent(process.hostId(), process.id()));
    var known = run.processes().stream().map(TrainingProcess::id).collect(Collectors.toSet());
    return resting.size() <= Math.max(1, spinning / ONE_OF)
        && spinning >= ONE_OF - 1
        && known.containsAll(resting)
        && firstOfHost.values().stream().noneMatch(resting::contains);
  }

  /// Whether each reading of all these GPUs shows waiting, without a gap, and there are enough
  /// readings.
  private static boolean spin(
      NavigableMap<Long, GpuSecond> after, Map<String, Double> usual, Set<String> resting) {
    var counts = new HashMap<String, Integer>();
    long before = after.isEmpty() ? 0 : after.firstKey();
    for (var second : after.entrySet()) {
      if (second.getKey() - before > WIDEST_GAP) {
        return false;
      }
      before = second.getKey();
      for (var gpu = second.getValue().gpus(); gpu.next(); ) {
        var own = usual.get(gpu.process());
        if (own != null && !waits(gpu.reading(), own)) {
          return false;
        }
        if (resting.contains(gpu.process())) {
          continue;
        }
        counts.merge(gpu.process(), 1, Integer::sum);
      }
    }
    return usual.keySet().stream().allMatch(it -> counts.getOrDefault(it, 0) >= LEAST_READINGS);
  }

  private static boolean waits(GpuReading reading, double usualWatts) {
    var percent = reading.utilizationPercent();
    var watts = reading.powerWatts();
    var limit = reading.powerLimitWatts();
    return percent != null
        && watts != null
        && percent >= BUSY
        && (limit == null ? watts <= LOW * usualWatts : watts <= LOW * limit)
        && watts <= LOW_OF_OWN * usualWatts;
  }

  /// Length in seconds of the longest earlier time in which all GPUs waited.
  private static long longest(NavigableMap<Long, GpuSecond> readings, Map<String, Double> usual) {
    long longest = 0;
    long since = Long.MIN_VALUE;
    for (var second : readings.entrySet()) {
      boolean all = true;
      for (var gpu = second.getValue().gpus(); gpu.next(); ) {
        var own = usual.get(gpu.process());
        all &= own == null || waits(gpu.reading(), own);
      }
      if (!all) {
        since = Long.MIN_VALUE;
      } else if (since == Long.MIN_VALUE) {
        since = second.getKey();
      } else {
        longest = Math.max(longest, second.getKey() - since);
      }
    }
    return longest;
  }

  private static Finding finding(
      long lastStep, Duration length, int gpus, Set<Integer> culprits, Examination examination) {
    Run run = examination.run();
    var says =
        culprits.isEmpty()
            ? "all %d GPUs are busy with little power: kernels that wait".formatted(gpus)
            : "%d GPUs are busy with little power: kernels that wait; of %s %s idle"
                .formatted(
                    gpus, RankText.words(culprits), culprits.size() == 1 ? "it is" : "they are");
    var draft =
        FindingDraft.ofRanks(FindingKind.HANG, Severity.CRITICAL, examination, culprits)
            .between(Nanos.instant(lastStep), null)
            .summary(
                "the job hangs: no step for %s, and %s"
                    .formatted(
                        DurationWords.time(length.toSeconds()),
                        !culprits.isEmpty()
                            ? "%d GPUs wait in a kernel while %s nothing to do"
                                .formatted(
                                    gpus,
                                    culprits.size() == 1
                                        ? "that of %s has".formatted(RankText.words(culprits))
                                        : "those of %s have".formatted(RankText.words(culprits)))
                            : gpus == 1
                                ? "its GPU waits in a kernel"
                                : "all %d GPUs wait in a kernel".formatted(gpus)))
            .expected("steps go on, or the job ends")
            .observed("full utilization with less than half of the power of training")
            .cost(new Cost(length.toSeconds() * (double) Math.max(run.nranks(), gpus), null))
            .cause(
                culprits.isEmpty()
                    ? "who is waited for cannot be told from these lines: ask each rank where it stands"
                    : RankText.words(culprits) + " stopped in its own code or died before the call")
            .witness("gpu-power", culprits, says);
    run.steps().newestLines().stream().limit(2).forEach(draft::proof);
    return draft.finding();
  }
}
