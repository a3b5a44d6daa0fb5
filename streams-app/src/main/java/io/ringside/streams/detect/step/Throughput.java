package io.ringside.streams.detect.step;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/// Reads the work per second from a step line: tokens, floating-point operations, or their share of
/// the GPU's peak. Samples and images are not used, because their size may grow.
final class Throughput {
  private static final String WORK =
      "(?:tok(?:en)?s?(?:/|_per_| per )s(?:ec(?:ond)?)?|tps|wps|tgs|tflop/?s?|mfu)(?:/(?:gpu|device))?";
  private static final String NUMBER = "((?:\\d{1,3}(?:,\\d{3})+|\\d+)(?:\\.\\d+)?(?:e[+-]?\\d+)?)";
  private static final Pattern BEHIND =
      Pattern.compile("\\b" + WORK + "\\b[\"']?\\s{0,2}[:=(]?\\s{0,4}" + NUMBER);
  private static final Pattern BEFORE =
      Pattern.compile("(?<![\\d.,])" + NUMBER + "\\s?k?\\s?" + WORK + "\\b");

  private Throughput() {}

  /// The number in the line, in its own unit; empty if there is none.
  static OptionalDouble of(String line) {
    var lower = line.toLowerCase(Locale.ROOT);
    for (var pattern : new Pattern[] {BEHIND, BEFORE}) {
      var found = pattern.matcher(lower);
      if (found.find()) {
        return OptionalDouble.of(Double.parseDouble(found.group(1).replace(",", "")));
      }
    }
    return OptionalDouble.empty();
  }

  /// Whether the work per second stayed at least at 90 %: if steps take longer, each step does
  /// more.
  static boolean held(String before, String after) {
    var was = of(before);
    var is = of(after);
    return was.isPresent()
        && is.isPresent()
        && was.getAsDouble() > 0
        && is.getAsDouble() >= 0.9 * was.getAsDouble();
  }
}
