package io.ringside.streams.parse.megatron;

import io.ringside.streams.parse.event.LoopEvent;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;

/// `MnRtt/Rnk: 1807.69ms/21 | MxRtt/Rnk: 2950.87ms/11 | MnPwr/Rnk: 301.16W/11 | …` of Megatron-LM's
/// `--log-straggler`: the minimum and the maximum of each quantity, with their ranks. Some rank is
/// always the slowest, and a pipeline stage or an expert with more work is the slowest in each
/// report. A rank counts as slow here only if its GPU also runs at the lowest clock, far below the
/// highest, and draws the least power: more work makes a GPU draw more.
final class DetectorReport {
  /// Ratio of the slowest rank's time to the fastest rank's time.
  private static final double SLOW = 1.15;

  /// Fraction of the highest clock.
  private static final double LOW_CLOCK = 0.85;

  /// Fraction of the highest power. Among GPUs with similar power, some GPU is always the lowest.
  private static final double LESS_POWER = 0.9;

  private DetectorReport() {}

  /// A value and the rank that has it.
  private record Extreme(double value, int rank) {}

  static boolean read(TextLine line) {
    var from = line.at();
    var fastest = extreme(line);
    var slowest = extreme(line, from, "MxRtt/Rnk: ");
    var leastPower = extreme(line, from, "MnPwr/Rnk: ");
    var mostPower = extreme(line, from, "MxPwr/Rnk: ");
    var lowest = extreme(line, from, "MnClk/Rnk: ");
    var highest = extreme(line, from, "MxClk/Rnk: ");
    if (line.bad()) {
      return false;
    }
    line.emit(new LoopEvent.RanksCompared(LoopEvent.By.MEGATRON_DETECTOR));
    int rank = slowest.rank();
    boolean slow =
        slowest.value() > SLOW * fastest.value()
            && lowest.rank() == rank
            && lowest.value() < LOW_CLOCK * highest.value()
            && leastPower.rank() == rank
            && leastPower.value() < LESS_POWER * mostPower.value();
    return !slow
        || line.emit(new LoopEvent.RanksSlow(LoopEvent.By.MEGATRON_DETECTOR, List.of(rank)));
  }

  private static Extreme extreme(TextLine line, int from, String key) {
    if (line.good()) {
      line.back(from);
      line.seek(key);
    }
    return extreme(line);
  }

  /// `1807.69ms/21`, `97%/8`.
  private static Extreme extreme(TextLine line) {
    double value = line.decimal();
    while (Chars.isLetter(line.peek()) || line.peek() == '%') {
      line.skip(line.peek());
    }
    return new Extreme(value, line.expect("/").integer());
  }
}
