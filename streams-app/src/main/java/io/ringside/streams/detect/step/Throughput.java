package io.ringside.streams.detect.step;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/// What a step line says of the work done in a second: tokens, floating-point operations, or their
/// share of what the GPU can do. Samples and images may grow, and say nothing.
final class Throughput {
  private static final String WORK =
      "(?:tok(?:en)?s?(?:/|_per_| per )s(?:ec(?:ond)?)?|tps|wps|tgs|tflop/?s?|mfu)(?:/(?:gpu|device))?";
  private static final String NUMBER = "((?:\\d{1,3}(?:,\\d{3})+|\\d+)(?:\\.\\d+)?(?:e[+-]?\\d+)?)";
  private static final Pattern BEHIND =
      Pattern.compile("\\b" + WORK + "\\b[\"']?\\s{0,2}[:=(]?\\s{0,4}" + NUMBER);
  private static final Pattern BEFORE =
      Pattern.compile("(?<![\\d.,])" + NUMBER + "\\s?k?\\s?" + WORK + "\\b");

  private Throughput() {}

  /// Nothing if the line names none.
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

  /// Whether as much was done in a second as before, though steps take longer: then a step does
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
