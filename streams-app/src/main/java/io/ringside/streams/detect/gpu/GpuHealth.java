package io.ringside.streams.detect.gpu;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.gpu.GpuSecond;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Finds GPUs that throttle for longer than a window, and GPUs that fail.
///
/// Reasons are bits of `clocks_event_reasons.active` (nvml.h). Idle, application clocks and sync
/// boost are ignored. The software power cap is INFO, since full load reaches it. Slowdowns are
/// warnings.
public final class GpuHealth implements Detector {
  private static final long POWER_CAP = 0x4L;

  /// GPUs at their power limit run at clocks that differ by a few percent, as their chips differ. A
  /// clock below this share of the median, or of its own past, is far below.
  static final double FAR_BELOW = 0.9;

  /// The distance of samples without times is unknown; this many in a row are more than a moment.
  private static final int LEAST_UNTIMED = 10;

  @Override
  public List<Finding> examine(Examination examination) {
    var findings = new ArrayList<Finding>();
    double busy = examination.expectations().thresholds().gpuPeers().busyPercent();
    var tracks = GpuTrack.of(examination.run(), GpuReading.SLOWDOWNS, POWER_CAP, busy);
    for (var process : examination.run().gpuHolders()) {
      var track = tracks.get(process.id());
      var failure = track == null ? null : track.failure();
      if (failure != null) {
        findings.add(failure(process, failure, examination));
      }
    }
    findings.addAll(VanishedGpus.findings(tracks, examination));
    slowdowns(tracks, examination).forEach(findings::add);
    findings.addAll(DcgmHealth.findings(examination));
    findings.addAll(DcgmDiagnosis.findings(examination));
    findings.addAll(SavedSlowdowns.findings(examination));
    powerCap(tracks, examination)
        .or(() -> loweredLimit(tracks, examination))
        .ifPresent(findings::add);
    return findings;
  }

  private static boolean untimed(long second) {
    return GpuSample.isUntimed(Instant.ofEpochSecond(second));
  }

  /// Duration in words, or the number of samples if the recording has no times.
  private static String length(List<Throttled> of, String most) {
    return untimed(of.getFirst().since())
        ? "in %s%d samples".formatted(most, most(of))
        : "for %s%s".formatted(most, DurationWords.time(most(of)));
  }

  static String named(TrainingProcess holder, Examination examination) {
    int rank = examination.run().rank(holder);
    return "GPU %s".formatted(holder.busId()) + (rank < 0 ? "" : " of rank " + rank);
  }

  private static Finding failure(
      TrainingProcess process, GpuTrack.Failure failure, Examination examination) {
    var reading = failure.reading();
    return FindingDraft.about(
            FindingKind.GPU_ERROR, Severity.CRITICAL, examination, List.of(process))
        .subject(reading.busId())
        .between(Instant.ofEpochSecond(failure.second()), null)
        .summary("%s fails: %s".formatted(named(process, examination), failure.what()))
        .expected("no errors")
        .observed(failure.what())
        .cause("the GPU or its link is broken: drain the node and look at its Xid messages")
        .proof(line(process, failure.second(), reading))
        .finding();
  }

  /// A GPU that was throttled.
  ///
  /// @param why the reasons in words
  /// @param proof the first reading with such a reason
  private record Throttled(
      TrainingProcess process, long since, long last, int seconds, String why, Evidence proof) {}

  private static Optional<Throttled> throttled(
      TrainingProcess process,
      Map<String, GpuTrack> tracks,
      Function<GpuTrack, GpuTrack.Throttling> which,
      Examination examination) {
    var track = tracks.get(process.id());
    var of = track == null ? null : which.apply(track);
    var least = examination.expectations().thresholds().gpu().throttledFor();
    var first = of == null ? null : of.first();
    if (of == null || first == null) {
      return Optional.empty();
    }
    boolean brief =
        untimed(of.since()) ? of.longest() < LEAST_UNTIMED : of.seconds() < least.toSeconds();
    return brief
        ? Optional.empty()
        : Optional.of(
            new Throttled(
                process,
                of.since(),
                of.last(),
                of.seconds(),
                words(of.reasons()),
                line(process, of.since(), first)));
  }

  /// One finding per node: its GPUs share air and power.
  private static List<Finding> slowdowns(Map<String, GpuTrack> tracks, Examination examination) {
    var byNode = new TreeMap<String, List<Throttled>>();
    for (var process : examination.run().gpuHolders()) {
      throttled(process, tracks, track -> track.slowdown, examination)
          .ifPresent(
              it ->
                  byNode.computeIfAbsent(process.source().node(), _ -> new ArrayList<>()).add(it));
    }
    return byNode.values().stream()
        .map(
            of -> {
              var first = of.getFirst();
              var which =
                  of.size() == 1
                      ? named(first.process(), examination) + " is"
                      : of.size() + " GPUs of node " + first.process().source().node() + " are";
              return finding(Severity.WARNING, of, examination)
                  .subject(first.process().source().node())
                  .summary("%s throttled (%s) %s".formatted(which, first.why(), length(of, "")))
                  .cause(first.why());
            })
        .map(FindingDraft::finding)
        .toList();
  }

  /// One INFO finding per run, if the power limit holds some GPUs' clocks far below those of their
  /// peers. Reaching the limit alone is no problem: every GPU of a job that uses its GPUs well
  /// does.
  private static Optional<Finding> powerCap(Map<String, GpuTrack> tracks, Examination examination) {
    var of =
        examination.run().gpuHolders().stream()
            .flatMap(
                process ->
                    throttled(process, tracks, track -> track.powerCap, examination).stream())
            .filter(it -> farBelow(clocks(tracks), clock(tracks.get(it.process().id()))))
            .toList();
    return of.isEmpty()
        ? Optional.empty()
        : Optional.of(
            finding(Severity.INFO, of, examination)
                .subject("power cap")
                .summary(
                    "%d of %d GPUs run far below their peers' clocks at their power limit, %s"
                        .formatted(of.size(), tracks.size(), length(of, "up to ")))
                .cause("the boards reached their power limit")
                .finding());
  }

  /// One INFO finding per run, if GPUs came to run far below their own clocks before, held by a
  /// power limit that was lowered meanwhile. It is often lowered for all of them, so that no peer
  /// shows it.
  private static Optional<Finding> loweredLimit(
      Map<String, GpuTrack> tracks, Examination examination) {
    var of =
        examination.run().gpuHolders().stream()
            .filter(process -> lowered(tracks.get(process.id())).isPresent())
            .flatMap(
                process ->
                    throttled(process, tracks, track -> track.powerCap, examination).stream())
            .toList();
    return of.stream()
        .findFirst()
        .flatMap(first -> lowered(tracks.get(first.process().id())))
        .map(
            its ->
                finding(Severity.INFO, of, examination)
                    .subject("power limit")
                    .summary(
                        "%d of %d GPUs run at their power limit far below their own clocks before: %.0f instead of %.0f MHz, with %.0f instead of %.0f W"
                            .formatted(
                                of.size(),
                                tracks.size(),
                                its.clock(),
                                its.clockBefore(),
                                its.watts(),
                                its.wattsBefore()))
                    .cause("the power limit was lowered during the run: see nvidia-smi -q -d POWER")
                    .finding());
  }

  private static Optional<LoadedClock.Lowered> lowered(@Nullable GpuTrack track) {
    return track == null ? Optional.empty() : track.loaded.lowered();
  }

  private static double clock(@Nullable GpuTrack track) {
    return track == null ? Double.NaN : track.powerCap.meanClock();
  }

  private static double[] clocks(Map<String, GpuTrack> tracks) {
    return tracks.values().stream()
        .mapToDouble(GpuHealth::clock)
        .filter(clock -> !Double.isNaN(clock))
        .sorted()
        .toArray();
  }

  /// Whether a clock is far below the median of all GPUs that reach their power limit.
  static boolean farBelow(double[] sorted, double clock) {
    return sorted.length > 1 && clock < FAR_BELOW * sorted[sorted.length / 2];
  }

  private static int most(List<Throttled> of) {
    return of.stream().mapToInt(Throttled::seconds).max().orElse(0);
  }

  private static FindingDraft finding(
      Severity severity, List<Throttled> of, Examination examination) {
    long last = of.stream().mapToLong(Throttled::last).max().orElse(0);
    long since = of.stream().mapToLong(Throttled::since).min().orElse(0);
    boolean active = !examination.job().ended() && last == newest(examination);
    return FindingDraft.about(
            FindingKind.GPU_THROTTLED,
            severity,
            examination,
            of.stream().map(Throttled::process).toList())
        .held(Instant.ofEpochSecond(since), Instant.ofEpochSecond(last), active)
        .expected("full clocks")
        .observed(of.getFirst().why())
        .proofs(of.stream().map(Throttled::proof).toList());
  }

  private static long newest(Examination examination) {
    var run = examination.run();
    return Math.max(newest(run.gpusWhileRunning()), newest(run.unheld().readings().bySecond()));
  }

  private static long newest(NavigableMap<Long, GpuSecond> bySecond) {
    return bySecond.isEmpty() ? 0 : bySecond.lastKey();
  }

  private static String words(long reasons) {
    var words = new ArrayList<String>();
    add(words, reasons, POWER_CAP, "software power cap");
    add(words, reasons, 0x8L, "hardware slowdown");
    add(words, reasons, 0x20L, "software thermal slowdown");
    add(words, reasons, 0x40L, "hardware thermal slowdown");
    add(words, reasons, 0x80L, "hardware power brake");
    return String.join(", ", words);
  }

  private static void add(List<String> words, long reasons, long bit, String word) {
    if ((reasons & bit) != 0) {
      words.add(word);
    }
  }

  static Evidence line(TrainingProcess process, long second, GpuReading reading) {
    return Evidence.ofSensor(
        Instant.ofEpochSecond(second),
        process.source(),
        "nvidia-smi",
        String.format(
            Locale.ROOT,
            "GPU %s %s: SM clock %s MHz, power %s W, temperature %s C, event reasons 0x%x, uncorrected ECC %s%s",
            reading.busId().isEmpty() ? reading.index() : reading.busId(),
            reading.name(),
            shown(reading.smClockMHz()),
            shown(reading.powerWatts()),
            shown(reading.temperatureCelsius()),
            reading.throttleReasons() == null ? 0 : reading.throttleReasons(),
            reading.eccUncorrected() == null ? "?" : reading.eccUncorrected(),
            reading.error() == null ? "" : ", " + reading.error()));
  }

  private static String shown(@Nullable Double value) {
    return value == null ? "?" : String.format(Locale.ROOT, "%.0f", value);
  }
}
