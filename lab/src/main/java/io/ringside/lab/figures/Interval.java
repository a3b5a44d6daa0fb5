package io.ringside.lab.figures;

import java.util.Locale;

/// What a figure that was counted may really be, with a confidence of 95 %.
public record Interval(double from, double to) {
  private static final double Z = 1.96;

  /// Of a share: Wilson's interval.
  public static Interval ofShare(int hits, int all) {
    double n = all;
    double p = hits / n;
    double middle = p + Z * Z / (2 * n);
    double half = Z * Math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n));
    double scale = 1 + Z * Z / n;
    return new Interval(Math.max(0, (middle - half) / scale), Math.min(1, (middle + half) / scale));
  }

  /// Of a count of rare events: Byar's approximation of Poisson's.
  public static Interval ofCount(int count) {
    double low = count == 0 ? 0 : byar(count, -Z);
    return new Interval(low, byar(count + 1.0, Z));
  }

  private static double byar(double count, double z) {
    return count * Math.pow(1 - 1 / (9 * count) + z / (3 * Math.sqrt(count)), 3);
  }

  /// The same in another unit.
  public Interval times(double factor) {
    return new Interval(from * factor, to * factor);
  }

  /// As `from to to`, with so many digits.
  public String words(int digits) {
    var number = "%." + digits + "f";
    return String.format(Locale.ROOT, number + " to " + number, from, to);
  }
}
