package io.ringside.streams.detect.straggler;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.GpuReading;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// GPU readings as evidence.
record GpuProofs(Run run) {
  /// The process's reading and those of peers, from the middle of the time.
  List<Evidence> of(TrainingProcess process, long since, long until) {
    var proofs = new ArrayList<Evidence>();
    long middle = (since + until) / 2;
    var second = run.readings().at(middle);
    if (second == null) {
      return proofs;
    }
    for (var each : run.byRank()) {
      var reading = second.get(each.id());
      if (reading != null && proofs.size() < 4) {
        var line = proof(each, middle, reading);
        if (each == process) {
          proofs.addFirst(line);
        } else {
          proofs.addLast(line);
        }
      }
    }
    var own = second.get(process.id());
    if (own != null && proofs.stream().noneMatch(p -> p.text().contains(own.busId()))) {
      proofs.addFirst(proof(process, middle, own));
    }
    return proofs;
  }

  private Evidence proof(TrainingProcess process, long second, GpuReading reading) {
    return Evidence.ofSensor(
        Instant.ofEpochSecond(second),
        process.source(),
        "nvidia-smi",
        String.format(
            Locale.ROOT,
            "rank %d: GPU %s %s, utilization %s %%, power %s W, SM clock %s MHz, memory %s MiB",
            run.rank(process),
            reading.busId(),
            reading.name(),
            shown(reading.utilizationPercent()),
            shown(reading.powerWatts()),
            shown(reading.smClockMHz()),
            shown(reading.memoryUsedMiB())));
  }

  private static String shown(@Nullable Double value) {
    return value == null ? "?" : String.format(Locale.ROOT, "%.0f", value);
  }
}
