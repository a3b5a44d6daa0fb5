package io.ringside.standalone.report;

/// A horizontal bar of text.
final class TextBar {
  private static final String EIGHTHS = " ▏▎▍▌▋▊▉";

  private TextBar() {}

  /// A bar for a share of 0 to 1 that takes exactly `cells` columns. Any share above 0 is visible.
  static String of(double share, int cells, boolean blocks) {
    double filled = Math.clamp(Double.isFinite(share) ? share : 0, 0, 1) * cells;
    return blocks ? blocks(filled, cells) : hashes(filled, cells);
  }

  private static String blocks(double filled, int cells) {
    int eighths = (int) Math.round(filled * 8);
    if (filled > 0 && eighths == 0) {
      eighths = 1;
    }
    var bar = new StringBuilder("█".repeat(eighths / 8));
    if (eighths % 8 != 0) {
      bar.append(EIGHTHS.charAt(eighths % 8));
    }
    return Figures.left(bar.toString(), cells);
  }

  private static String hashes(double filled, int cells) {
    int whole = (int) Math.round(filled);
    if (filled > 0 && whole == 0) {
      return Figures.left(".", cells);
    }
    return Figures.left("#".repeat(whole), cells);
  }
}
