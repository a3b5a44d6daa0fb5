package io.ringside.streams.detect.gpu;

import io.ringside.streams.job.gpu.GpuSecond;
import java.util.Optional;

/// Clock and power of one GPU while it is busy, oldest first, in at most {@value #MOST} blocks of
/// equally many readings.
final class LoadedClock {
  private static final int MOST = 32;

  /// So many blocks at the least: a quarter of them is what counts as before, and as now.
  private static final int LEAST = 8;

  /// Readings of a block at first: a busy GPU pauses between steps.
  private static final int READINGS = 8;

  /// Share of the readings of now in which the power limit holds the clock.
  private static final double MOSTLY = 0.8;

  private final double busyPercent;
  private final double[] megahertz = new double[MOST];
  private final double[] watts = new double[MOST];
  private final int[] capped = new int[MOST];
  private int blocks;
  private int every = READINGS;
  private int inNewest;

  LoadedClock(double busyPercent) {
    this.busyPercent = busyPercent;
  }

  /// A power limit that was lowered: the clock fell, and with it the power that the GPU draws. A
  /// heavier load lowers the clock too, but at the same power.
  ///
  /// @param clockBefore in MHz, as the other clock
  record Lowered(double clockBefore, double clock, double wattsBefore, double watts) {}

  /// Takes in a reading.
  ///
  /// @param atLimit whether the power limit holds the clock
  void note(GpuSecond.Gpu gpu, boolean atLimit) {
    // unknown values are NaN and fail the comparison
    if (!(gpu.utilization() >= busyPercent && gpu.clock() > 0 && gpu.watts() > 0)) {
      return;
    }
    if (blocks == 0 || inNewest == every) {
      if (blocks == MOST) {
        fold();
      }
      if (blocks == 0 || inNewest == every) {
        blocks++;
        inNewest = 0;
      }
    }
    int at = blocks - 1;
    megahertz[at] += gpu.clock();
    watts[at] += gpu.watts();
    capped[at] += atLimit ? 1 : 0;
    inNewest++;
  }

  /// Makes one block of each two; all of them are full.
  private void fold() {
    for (int at = 0; at < MOST; at++) {
      int into = at / 2;
      megahertz[into] = at % 2 == 0 ? megahertz[at] : megahertz[into] + megahertz[at];
      watts[into] = at % 2 == 0 ? watts[at] : watts[into] + watts[at];
      capped[into] = at % 2 == 0 ? capped[at] : capped[into] + capped[at];
    }
    for (int at = MOST / 2; at < MOST; at++) {
      megahertz[at] = 0;
      watts[at] = 0;
      capped[at] = 0;
    }
    blocks = MOST / 2;
    every *= 2;
    inNewest = every;
  }

  /// Whether its power limit holds the GPU far below its own past.
  Optional<Lowered> lowered() {
    int full = inNewest == every ? blocks : blocks - 1;
    if (full < LEAST) {
      return Optional.empty();
    }
    int quarter = full / 4;
    double readings = (double) quarter * every;
    var found =
        new Lowered(
            sum(megahertz, 0, quarter) / readings,
            sum(megahertz, full - quarter, full) / readings,
            sum(watts, 0, quarter) / readings,
            sum(watts, full - quarter, full) / readings);
    int held = 0;
    for (int at = full - quarter; at < full; at++) {
      held += capped[at];
    }
    return held >= MOSTLY * readings
            && found.clock() < GpuHealth.FAR_BELOW * found.clockBefore()
            && found.watts() < GpuHealth.FAR_BELOW * found.wattsBefore()
        ? Optional.of(found)
        : Optional.empty();
  }

  private static double sum(double[] of, int from, int to) {
    double sum = 0;
    for (int at = from; at < to; at++) {
      sum += of[at];
    }
    return sum;
  }
}
