package io.ringside.streams.detect.straggler;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.expect.Thresholds;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.gpu.GpuSecond;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds a straggler that is slow from the first step on, from clocks alone. All GPUs of the job
/// are busy without a break, all but one run at the same clock, and one runs at a much lower clock.
/// Ranks that share its collectives wait for it in every step.
///
/// Clocks lowered by a power cap differ from GPU to GPU in every loaded machine. Such a GPU is left
/// out, as are jobs whose other GPUs are not at one clock.
final class SlowClock {
  private static final int FEWEST_GPUS = 4;

  private static final int LEAST_SECONDS = 60;

  /// Fewer than LEAST_SECONDS, since not every second is sampled.
  private static final int FEWEST_SAMPLES = 20;

  /// Share of the busy samples in which the GPU must be the slow one.
  private static final double MOST = 0.8;

  /// The lowest clock of the peers is at least this share of the highest.
  private static final double ONE_CLOCK = 0.95;

  /// Bit `SwPowerCap` of the reasons for a low clock (nvml.h).
  private static final long POWER_CAP = 0x4;

  private final Run run;
  private final Thresholds.GpuPeers limit;

  /// By process id: samples in which its GPU was slower than all others while these ran at one
  /// clock.
  private final Map<String, Slow> slow = new HashMap<>();

  private int busy;

  /// Samples since the last busy one, and samples between two busy ones. Before the first and after
  /// the last busy sample the job starts, ends or does not run.
  private int sinceBusy;

  private int breaks;
  private long first = Long.MAX_VALUE;
  private long last = Long.MIN_VALUE;

  /// @param samples number of samples
  /// @param ownMHz its clock in the last of them, and the lowest clock of its peers
  private record Slow(int samples, double ownMHz, double peersMHz) {}

  private SlowClock(Run run, Thresholds.GpuPeers limit) {
    this.run = run;
    this.limit = limit;
  }

  static Optional<Finding> finding(Examination examination) {
    var run = examination.run();
    int ranks = run.processes().size();
    if (ranks < FEWEST_GPUS) {
      return Optional.empty();
    }
    var clocks = new SlowClock(run, examination.expectations().thresholds().gpuPeers());
    var seconds =
        run.gpus().isEmpty()
            ? run.readings().bySecond() // NCCL's lines have no times: use a recording
            : run.gpusWhileRunning();
    seconds.forEach(
        (at, second) -> {
          if (second.size() >= ranks) {
            clocks.note(at, second);
          }
        });
    return clocks.told(examination);
  }

  private void note(long at, GpuSecond second) {
    sinceBusy++;
    var slowest = "";
    double least = Double.MAX_VALUE;
    double next = Double.MAX_VALUE;
    double highest = 0;
    for (var gpu = second.gpus(); gpu.next(); ) {
      double clock = gpu.clock();
      if (!(gpu.utilization() >= limit.busyPercent()) || Double.isNaN(clock)) {
        return; // a GPU idles or has no reading
      }
      highest = Math.max(highest, clock);
      if (clock < least) {
        next = least;
        least = clock;
        slowest = gpu.process();
      } else {
        next = Math.min(next, clock);
      }
    }
    breaks += busy == 0 ? 0 : sinceBusy - 1;
    sinceBusy = 0;
    busy++;
    first = Math.min(first, at);
    last = Math.max(last, at);
    if (least < limit.slowerClock() * next
        && next >= ONE_CLOCK * highest
        && !capped(second, slowest)) {
      var before = slow.get(slowest);
      slow.put(slowest, new Slow(before == null ? 1 : before.samples() + 1, least, next));
    }
  }

  private static boolean capped(GpuSecond second, String process) {
    var reading = second.get(process);
    var reasons = reading == null ? null : reading.throttleReasons();
    return reasons != null && (reasons & POWER_CAP) != 0;
  }

  private Optional<Finding> told(Examination examination) {
    if (busy < FEWEST_SAMPLES
        || last - first < LEAST_SECONDS - 1
        || busy < limit.mostOfRun() * (busy + breaks)) {
      return Optional.empty();
    }
    for (var process : run.processes()) {
      var slowed = slow.get(process.id());
      if (slowed != null && slowed.samples() >= MOST * busy) {
        return told(process, slowed, examination);
      }
    }
    return Optional.empty();
  }

  private Optional<Finding> told(TrainingProcess process, Slow slowed, Examination examination) {
    var since = Instant.ofEpochSecond(first);
    var until = Instant.ofEpochSecond(last + 1);
    int rank = run.rank(process);
    var cause = new GpuPeers(run, limit).cause(process, since, until);
    var words =
        "its GPU ran at %.0f MHz and those of all others at %.0f MHz"
            .formatted(slowed.ownMHz(), slowed.peersMHz());
    var draft =
        FindingDraft.about(FindingKind.STRAGGLER, Severity.WARNING, examination, List.of(process))
            .subject("rank " + rank)
            .between(since, until)
            .summary(
                "rank %d keeps the others waiting: in %s of the %s in which all GPUs were busy %s"
                    .formatted(rank, time(slowed.samples()), time(busy), words))
            .expected("GPUs of one job run at one clock")
            .observed(words)
            .cost(new Cost(null, null))
            .cause(cause.equals("unknown") ? "gpu-clock" : cause)
            .witness("gpu-power", List.of(rank), words)
            .proofs(new GpuProofs(run).of(process, first, last))
            .ended();
    return Optional.of(draft.finding()).filter(finding -> !finding.evidence().isEmpty());
  }

  /// The time that this many samples stand for, in words.
  private String time(int samples) {
    return DurationWords.time((double) samples * (last - first + 1) / busy);
  }
}
