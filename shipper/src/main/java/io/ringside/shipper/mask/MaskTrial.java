package io.ringside.shipper.mask;

import io.ringside.shipper.config.MaskPattern;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/// Tries a mask on lines made to hurt: its words and what its expression spells out, over and over. A search is linear in the
/// line, but an expression may look to the line's end at each of its finds.
public final class MaskTrial {
  /// For a line of 64 KiB; the shipped masks take a tenth.
  public static final Duration LIMIT = Duration.ofMillis(400);

  private static final int LINE = 1 << 16;

  private MaskTrial() {}

  /// How long the line took that took longest, a second try of what is too long counts.
  public static Duration slowest(MaskPattern mask) {
    long worst = 0;
    for (String unit : units(mask)) {
      var line = unit.repeat(LINE / unit.length());
      long nanos = nanos(mask, line);
      worst = Math.max(worst, nanos > LIMIT.toNanos() ? nanos(mask, line) : nanos);
      if (worst > LIMIT.toNanos()) {
        break;
      }
    }
    return Duration.ofNanos(worst);
  }

  private static long nanos(MaskPattern mask, String line) {
    long start = System.nanoTime();
    var _ = new Masking(List.of(mask), new LongAdder()).of(line);
    return System.nanoTime() - start;
  }

  private static Set<String> units(MaskPattern mask) {
    var units = new LinkedHashSet<String>();
    for (String word : mask.words().subList(0, Math.min(24, mask.words().size()))) {
      units.addAll(List.of(word, word + "-", word + "=\"", word + ": aB1"));
    }
    return units;
  }
}
