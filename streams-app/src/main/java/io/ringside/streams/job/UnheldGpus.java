package io.ringside.streams.job;

import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.fact.NodeGpus;
import io.ringside.streams.fact.Writer;
import io.ringside.streams.job.gpu.GpuHistory;
import io.ringside.streams.job.hardware.LinkHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// GPUs of a run's nodes for which no line shows which process holds them, or when. Each GPU
/// without a known process stands for a process without a rank. The health of these GPUs can be
/// judged, but not which ranks wait for them.
public final class UnheldGpus {
  private final Map<String, TrainingProcess> holders = new TreeMap<>();
  private GpuHistory readings = new GpuHistory();
  private final Map<String, LinkHistory> links = new TreeMap<>();

  void add(NodeGpus facts) {
    var nobody = new Writer("", -1, 0);
    for (var sample : facts.samples()) {
      long at = Nanos.of(sample.at());
      for (var reading : sample.gpus()) {
        var id = facts.source().id() + "|GPU " + name(reading);
        var holder =
            holders.computeIfAbsent(id, _ -> new TrainingProcess(id, facts.source(), nobody));
        holder.holds(name(reading));
        add(id, at, reading);
      }
    }
  }

  void add(String process, long atNanos, GpuReading reading) {
    readings.add(process, atNanos, reading);
    LinkHistory.note(links, process, atNanos, reading);
  }

  /// Forgets the readings that were taken for this process's.
  void forget(String process) {
    if (readings.has(process)) {
      readings = readings.without(process);
      links.remove(process);
    }
  }

  /// Recordings may leave out bus ids.
  private static String name(GpuReading reading) {
    return reading.busId().isEmpty() ? String.valueOf(reading.index()) : reading.busId();
  }

  void absorb(UnheldGpus other) {
    holders.putAll(other.holders);
    readings.absorb(other.readings);
    links.putAll(other.links);
  }

  public boolean isEmpty() {
    return readings.isEmpty();
  }

  /// One process for each GPU that no line names, by node and GPU.
  public List<TrainingProcess> holders() {
    return new ArrayList<>(holders.values());
  }

  public GpuHistory readings() {
    return readings;
  }

  /// History of the links of these GPUs, by process id.
  public Map<String, LinkHistory> links() {
    return links;
  }
}
