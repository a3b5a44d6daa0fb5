package io.ringside.streams.job.hardware;

import io.ringside.schemas.event.GpuReading;
import io.ringside.streams.fact.GpuLink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The last readings of one GPU's links, by nvidia-smi.
public final class LinkHistory {
  /// Number of readings that are kept.
  public static final int RECENT = 3;

  /// From this utilization on, in percent, a GPU does not save power.
  private static final double WORKS_PERCENT = 50;

  /// Least time between two readings of a recording, about as long as between two of an agent.
  private static final long PAUSE_NANOS = 10_000_000_000L;

  private final List<Look> recent = new ArrayList<>();
  private String busId = "";
  private boolean allWereUp;

  /// One reading of the links.
  public record Look(long atNanos, GpuLink link) {}

  /// Adds a reading.
  public void add(long atNanos, String gpu, GpuLink link) {
    busId = gpu;
    recent.add(new Look(atNanos, link));
    if (recent.size() > RECENT) {
      recent.removeFirst();
    }
    allWereUp |= link.up() > 0 && link.down() == 0;
  }

  /// Records the PCIe state that a recording has for each second. Only a working GPU counts, since
  /// an idle one lowers its PCIe generation.
  ///
  /// @param links histories by process id, to which the process's is added
  public static void note(
      Map<String, LinkHistory> links, String process, long atNanos, GpuReading reading) {
    var busy = reading.utilizationPercent();
    if (reading.pcie() == null || busy == null || busy < WORKS_PERCENT) {
      return;
    }
    var history = links.computeIfAbsent(process, _ -> new LinkHistory());
    if (history.isDue(atNanos)) {
      history.add(atNanos, reading.busId(), GpuLink.of(reading.pcie(), busy));
    }
  }

  /// Whether the last reading is old enough for another one to add something.
  private boolean isDue(long atNanos) {
    return recent.isEmpty() || atNanos - recent.getLast().atNanos() >= PAUSE_NANOS;
  }

  /// PCI bus id of the GPU.
  public String busId() {
    return busId;
  }

  /// The last readings, oldest first.
  public List<Look> recent() {
    return recent;
  }

  /// Whether all of its NVLinks were up at some time during the run.
  public boolean allWereUp() {
    return allWereUp;
  }
}
