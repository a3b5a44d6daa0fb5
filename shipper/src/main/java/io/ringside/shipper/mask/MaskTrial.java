package io.ringside.shipper.mask;

import io.ringside.shipper.config.MaskPattern;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/// Tries a mask on lines made to hurt: its words and what its expression spells out, over and over. A search is linear in the
/// line, but an expression may look to the line's end at each of its finds. Then a line that is twice as long takes four times
/// as long.
public final class MaskTrial {
  /// For a line of 64 KiB; the shipped masks take a tenth.
  private static final Duration LIMIT = Duration.ofMillis(400);

  /// What takes less tells nothing of how it grows.
  private static final Duration LEAST = Duration.ofMillis(100);

  private static final double MOST_GROWTH = 3;
  private static final int TRIES = 3;
  private static final int LINE = 1 << 16;

  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

  private MaskTrial() {}

  /// The text which, over and over in a line, makes the mask slow, if there is one: each time that it is tried, for
  /// others use the machine as well.
  public static Optional<String> slowOn(MaskPattern mask) {
    return units(mask).stream()
        .filter(unit -> IntStream.range(0, TRIES).allMatch(_ -> isSlow(mask, unit)))
        .findFirst();
  }

  private static boolean isSlow(MaskPattern mask, String unit) {
    // a quarter of the line takes a sixteenth where it matters
    if (nanos(mask, unit, LINE / 4) < LEAST.toNanos() / 32) {
      return false;
    }
    long half = nanos(mask, unit, LINE / 2);
    long whole = nanos(mask, unit, LINE);
    return whole > LIMIT.toNanos() || whole > LEAST.toNanos() && whole > MOST_GROWTH * half;
  }

  /// A word goes before, or the expression is not tried.
  private static long nanos(MaskPattern mask, String unit, int length) {
    var line = mask.sought().getFirst().text() + " " + unit.repeat(length / unit.length());
    long start = CPU.getCurrentThreadCpuTime();
    var _ = new Masking(List.of(mask), new LongAdder(), CPU::getCurrentThreadCpuTime).of(line);
    return CPU.getCurrentThreadCpuTime() - start;
  }

  private static Set<String> units(MaskPattern mask) {
    var units = new LinkedHashSet<>(Spelled.by(mask.regex()));
    for (var sought : mask.sought()) {
      var word = sought.text();
      units.addAll(List.of(word, word + "-", word + "=\"", word + ": aB1"));
    }
    return units;
  }
}
