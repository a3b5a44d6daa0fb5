package io.ringside.streams.detect.failure;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.detect.gpu.Xids;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.KernelStamp;
import io.ringside.streams.examine.XidHolders;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.job.Run;
import io.ringside.streams.parse.event.FailureEvent;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// A rank whose GPU broke. CUDA only reports a failed launch, or the process is killed without a
/// message. The driver reported the reason shortly before.
///
/// @param xid the driver's line
/// @param words meaning and advice
record BrokenGpu(Sign xid, String words) {
  /// Longest time from the driver's line to the failure: CUDA notices a broken GPU at the next
  /// call, or a watchdog times out.
  private static final Duration BEFORE = Duration.ofMinutes(10);

  /// Tolerance for a failure before the driver's line: two logs' clocks differ, and the kernel's
  /// stamps are whole seconds.
  private static final Duration AFTER = Duration.ofSeconds(5);

  /// Time zones differ by multiples of this: the kernel's stamp is in local time, a log's may be in
  /// UTC.
  private static final Duration ZONE = Duration.ofMinutes(30);

  private static final List<String> OF_A_GPU =
      List.of("CUDA", "cuda", "CUBLAS", "cuDNN", "CUDNN", "NVML", "nvml", "NCCL", "GPU");

  /// Messages of CUDA to a process whose GPU is gone.
  private static final List<String> OF_A_BROKEN_ONE =
      List.of(
          "CUDA error: unspecified launch failure",
          "CUDA error: unknown error",
          "CUDA-capable device(s) is/are busy or unavailable",
          "device unavailable");

  /// The broken GPU of the ranks that failed first; empty if they failed for another reason, or if
  /// the driver reported no hardware fault.
  static Optional<BrokenGpu> under(
      FailureCause first, Collection<Integer> ranks, Examination examination) {
    if (!mayFollow(first)) {
      return Optional.empty();
    }
    var run = examination.run();
    for (var sign : run.failures().signs()) {
      if (sign.event() instanceof FailureEvent.Xid xid
          && Xids.ofHardware(xid.code())
          && (holds(ranks, xid, sign, run) || nobodyIsKnown(first, sign, run))
          && !KernelStamp.longBefore(run.firstNanos(), sign)
          && !run.failures().bootedSince(sign, run.lastNanos())
          && shortlyBefore(sign, first.sign())) {
        return Optional.of(
            new BrokenGpu(
                sign,
                "Xid %d of its GPU %s, %s: %s"
                    .formatted(
                        xid.code(),
                        xid.busId(),
                        Xids.of(xid.code()).meaning(),
                        Xids.of(xid.code()).advice())));
      }
    }
    return Optional.empty();
  }

  private static boolean holds(
      Collection<Integer> ranks, FailureEvent.Xid xid, Sign sign, Run run) {
    return XidHolders.of(xid.busId(), sign, run).stream()
        .anyMatch(process -> ranks.contains(run.rank(process)));
  }

  /// For logs that do not show which rank has which GPU: whether CUDA's message is one of a broken
  /// GPU and both logs have timestamps. A failure without a timestamp is taken to be just after the
  /// run's last progress.
  private static boolean nobodyIsKnown(FailureCause first, Sign xid, Run run) {
    boolean ofNobody = run.byRank().stream().allMatch(process -> process.busId() == null);
    if (!ofNobody
        || mayBeOfOthers(first.sign(), xid, run)
        || OF_A_BROKEN_ONE.stream().noneMatch(first.words()::contains)) {
      return false;
    }
    if (first.sign().atNanos() != NO_TIME) {
      return apart(xid, first.sign().atNanos()).isPresent(); // shortlyBefore limits the distance
    }
    return run.progressNanos() != NO_TIME
        && apart(xid, run.progressNanos())
            .map(apart -> xid.atNanos() == NO_TIME ? withoutZone(apart) : apart)
            .filter(apart -> apart.abs().compareTo(BEFORE) <= 0)
            .isPresent();
  }

  /// Whether the driver's line may belong to other ranks: it comes from another machine than the
  /// failure, as far as both are known, or several machines report hardware faults.
  private static boolean mayBeOfOthers(Sign failed, Sign xid, Run run) {
    var here = failed.line().node();
    var there = xid.line().node();
    boolean known = !here.equals(LogSource.UNNAMED_NODE) && !there.equals(LogSource.UNNAMED_NODE);
    return known && !here.equals(there)
        || run.failures().signs().stream()
                .filter(
                    sign ->
                        sign.event() instanceof FailureEvent.Xid other
                            && Xids.ofHardware(other.code()))
                .map(Sign::source)
                .distinct()
                .count()
            > 1;
  }

  /// Whether a broken GPU may cause such an end. It cannot cause an exception in the program's own
  /// logic.
  private static boolean mayFollow(FailureCause first) {
    return switch (first.failureClass()) {
      case EXCEPTION -> OF_A_GPU.stream().anyMatch(first.words()::contains);
      case KILLED, SEGFAULT, NCCL, NETWORK, UNKNOWN -> true;
      case GPU_OUT_OF_MEMORY,
          OUT_OF_MEMORY,
          GPU_ERROR,
          NODE_LOST,
          DISK_FULL,
          DATA,
          CONFIGURATION,
          TIME_LIMIT,
          STOPPED ->
          false;
    };
  }

  /// Whether the driver's line is shortly before the failure, as far as both lines have times.
  private static boolean shortlyBefore(Sign xid, Sign failure) {
    return failure.atNanos() == NO_TIME
        || apart(xid, failure.atNanos())
            .map(apart -> near(apart) || xid.atNanos() == NO_TIME && near(withoutZone(apart)))
            .orElse(true);
  }

  /// Time from the driver's line to the given time; empty if the line has no time.
  private static Optional<Duration> apart(Sign xid, long nanos) {
    var then = Nanos.instant(nanos);
    var told =
        xid.atNanos() == NO_TIME
            ? KernelStamp.of(xid.line().text(), then)
            : Optional.of(Nanos.instant(xid.atNanos()));
    return told.map(at -> Duration.between(at, then));
  }

  private static boolean near(Duration before) {
    return before.compareTo(AFTER.negated()) >= 0 && before.compareTo(BEFORE) <= 0;
  }

  private static Duration withoutZone(Duration apart) {
    long half = ZONE.toSeconds();
    long over = Math.floorMod(apart.toSeconds(), half);
    boolean ofZones = apart.abs().compareTo(Duration.ofHours(15)) < 0;
    return !ofZones
        ? apart
        : Duration.ofSeconds(over > half - AFTER.toSeconds() ? over - half : over);
  }
}
