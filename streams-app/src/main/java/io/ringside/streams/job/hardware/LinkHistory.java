package io.ringside.streams.job.hardware;

import io.ringside.schemas.event.GpuReading;
import io.ringside.streams.fact.GpuLink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What nvidia-smi said of one GPU's links: its last looks.
public final class LinkHistory {
  /// Looks that are kept.
  public static final int RECENT = 3;

  /// From this utilization on a GPU does not save power.
  private static final double WORKS_PERCENT = 50;

  /// About as often as agents ask.
  private static final long PAUSE_NANOS = 10_000_000_000L;

  private final List<Look> recent = new ArrayList<>();
  private String busId = "";
  private boolean allWereUp;

  public record Look(long atNanos, GpuLink link) {}

  /// Takes in a look.
  public void add(long atNanos, String gpu, GpuLink link) {
    busId = gpu;
    recent.add(new Look(atNanos, link));
    if (recent.size() > RECENT) {
      recent.removeFirst();
    }
    allWereUp |= link.up() > 0 && link.down() == 0;
  }

  /// Notes PCIe as a recording tells it each second: of a GPU that works, for one that idles lowers
  /// its generation.
  ///
  /// @param links histories by process id, where the process's is put
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

  /// Whether the last look is so long ago that another tells more.
  private boolean isDue(long atNanos) {
    return recent.isEmpty() || atNanos - recent.getLast().atNanos() >= PAUSE_NANOS;
  }

  /// PCI bus id of the GPU.
  public String busId() {
    return busId;
  }

  /// The last looks, oldest first.
  public List<Look> recent() {
    return recent;
  }

  /// Whether all of its NVLinks were up once while the run went on.
  public boolean allWereUp() {
    return allWereUp;
  }
}
