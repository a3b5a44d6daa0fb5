package io.ringside.streams.job.hardware;

import io.ringside.streams.fact.GpuLink;
import java.util.ArrayList;
import java.util.List;

/// What nvidia-smi said of one GPU's links: its last looks.
public final class LinkHistory {
  /// Looks that are kept.
  public static final int RECENT = 3;

  /// From this utilization on a GPU does not save power.
  public static final double WORKS_PERCENT = 50;

  /// About as often as agents ask.
  private static final long PAUSE_NANOS = 10_000_000_000L;

  private final List<Look> recent = new ArrayList<>();
  private String busId = "";
  private boolean allWereUp;

  /// One look.
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

  /// Whether the last look is so long ago that another tells more.
  public boolean isDue(long atNanos) {
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
