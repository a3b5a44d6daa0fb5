package io.ringside.streams.detect.gpu;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Claim;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.detect.Examination;
import io.ringside.streams.join.job.TrainingProcess;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// GPUs that throttle for longer than a window, and GPUs that fail.
///
/// Reasons are bits of `clocks_event_reasons.active` (nvml.h): idle, application clocks and sync boost say
/// nothing; the software power cap is a note, since full load reaches it; slowdowns are warnings.
public final class GpuHealth implements Detector {
  private static final long POWER_CAP = 0x4L;
  private static final long SLOWDOWNS = 0x8L | 0x20L | 0x40L | 0x80L;

  @Override
  public List<Claim> examine(Examination examination) {
    var claims = new ArrayList<Claim>();
    for (var process : examination.run().byRank()) {
      failure(process, examination, claims);
    }
    slowdowns(examination).forEach(claims::add);
    powerCap(examination).ifPresent(claims::add);
    return claims;
  }

  private static void failure(
      TrainingProcess process, Examination examination, List<Claim> claims) {
    Long before = null;
    for (var entry : examination.run().gpusWhileRunning().entrySet()) {
      var reading = entry.getValue().get(process.id());
      if (reading == null) {
        continue;
      }
      var errors = reading.eccUncorrected();
      boolean rising = errors != null && before != null && errors > before;
      if (reading.error() != null || rising) {
        var what =
            reading.error() != null
                ? reading.error()
                : "uncorrected ECC errors rose from %d to %d".formatted(before, errors);
        claims.add(
            Claim.about(
                    FindingKind.GPU_ERROR, Severity.CRITICAL, examination.run(), List.of(process))
                .subject(reading.busId())
                .between(Instant.ofEpochSecond(entry.getKey()), null)
                .summary(
                    "GPU %s of rank %d fails: %s"
                        .formatted(reading.busId(), examination.run().rank(process), what))
                .expected("no errors")
                .observed(what)
                .cause("the GPU or its link is broken: drain the node and look at its Xid messages")
                .proof(line(process, entry.getKey(), reading))
                .claim());
        return;
      }
      before = errors == null ? before : errors;
    }
  }

  /// How long a GPU was throttled.
  ///
  /// @param why in words
  /// @param proof the first reading that says so
  private record Throttled(
      TrainingProcess process, long since, long last, int seconds, String why, Evidence proof) {}

  private static Optional<Throttled> throttled(
      TrainingProcess process, long bits, Examination examination) {
    long since = 0;
    long last = 0;
    int seconds = 0;
    long reasons = 0;
    Evidence proof = null;
    for (var entry : examination.run().gpusWhileRunning().entrySet()) {
      var reading = entry.getValue().get(process.id());
      var active = reading == null ? null : reading.throttleReasons();
      if (reading != null && active != null && (active & bits) != 0) {
        since = seconds == 0 ? entry.getKey() : since;
        last = entry.getKey();
        reasons |= active & bits;
        seconds++;
        proof = proof == null ? line(process, entry.getKey(), reading) : proof;
      }
    }
    var least = examination.expectations().thresholds().gpu().throttledFor();
    return proof == null || seconds < least.toSeconds()
        ? Optional.empty()
        : Optional.of(new Throttled(process, since, last, seconds, words(reasons), proof));
  }

  /// One claim a node: its GPUs share air and power.
  private static List<Claim> slowdowns(Examination examination) {
    var byNode = new TreeMap<String, List<Throttled>>();
    for (var process : examination.run().byRank()) {
      throttled(process, SLOWDOWNS, examination)
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
                      ? "GPU %s of rank %d is"
                          .formatted(
                              first.process().busId(), examination.run().rank(first.process()))
                      : of.size() + " GPUs of node " + first.process().source().node() + " are";
              return claim(Severity.WARNING, of, examination)
                  .subject(first.process().source().node())
                  .summary("%s throttled (%s) for %d s".formatted(which, first.why(), most(of)))
                  .cause(first.why());
            })
        .map(Claim.Draft::claim)
        .toList();
  }

  /// One note a run: full load reaches the limit on every GPU.
  private static Optional<Claim> powerCap(Examination examination) {
    var of =
        examination.run().byRank().stream()
            .flatMap(process -> throttled(process, POWER_CAP, examination).stream())
            .toList();
    return of.isEmpty()
        ? Optional.empty()
        : Optional.of(
            claim(Severity.INFO, of, examination)
                .subject("power cap")
                .summary(
                    "%d of %d GPUs reach their power limit, for up to %d s"
                        .formatted(of.size(), examination.run().processes().size(), most(of)))
                .cause("the boards reached their power limit")
                .claim());
  }

  private static int most(List<Throttled> of) {
    return of.stream().mapToInt(Throttled::seconds).max().orElse(0);
  }

  private static Claim.Draft claim(Severity severity, List<Throttled> of, Examination examination) {
    long last = of.stream().mapToLong(Throttled::last).max().orElse(0);
    long since = of.stream().mapToLong(Throttled::since).min().orElse(0);
    boolean active = !examination.job().ended() && last == newest(examination);
    var draft =
        Claim.about(
                FindingKind.GPU_THROTTLED,
                severity,
                examination.run(),
                of.stream().map(Throttled::process).toList())
            .between(Instant.ofEpochSecond(since), active ? null : Instant.ofEpochSecond(last))
            .expected("full clocks")
            .observed(of.getFirst().why())
            .proofs(of.stream().map(Throttled::proof).toList());
    return active ? draft : draft.ended();
  }

  private static long newest(Examination examination) {
    var seconds = examination.run().gpusWhileRunning().keySet();
    return seconds.isEmpty() ? 0 : Collections.max(seconds);
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

  private static Evidence line(TrainingProcess process, long second, GpuReading reading) {
    return new Evidence(
        Instant.ofEpochSecond(second),
        process.source().node(),
        process.source().pod(),
        "nvidia-smi",
        -1,
        String.format(
            Locale.ROOT,
            "GPU %s %s: SM clock %s MHz, power %s W, temperature %s C, event reasons 0x%x, uncorrected ECC %s%s",
            reading.busId(),
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
