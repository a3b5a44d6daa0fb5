package io.ringside.deploy.observe;

import java.util.List;

/// A single number can be read, and so can its name and what stands there instead of it.
final class StatRules {
  /// Of a column of the grid, in pixels, on a screen that is 1,366 wide.
  private static final int GRID = 55;

  /// Of a letter in a panel's title, and of the sign and the margins beside it, in pixels.
  private static final int LETTER = 7;

  private static final int SIGNS = 44;

  /// Grafana fits a text into the panel: seventy letters are four pixels high.
  private static final int LONGEST_TEXT = 28;

  static final List<PanelRule> ALL =
      List.of(
          new PanelRule("cuts the title of a number", StatRules::cutsTitle),
          new PanelRule("says in tiny letters that it has nothing", StatRules::tinyText));

  private StatRules() {}

  private static boolean cutsTitle(Panel panel) {
    return panel.is("stat") && LETTER * panel.title().length() + SIGNS > GRID * panel.width();
  }

  private static boolean tinyText(Panel panel) {
    return panel.is("stat") && panel.text("/fieldConfig/defaults/noValue").length() > LONGEST_TEXT;
  }
}
