package io.ringside.deploy.observe;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// A thousand jobs and four thousand ranks: the ten that matter, and the others as one.
final class CrowdRules {
  /// Labels of which there may be very many.
  private static final Set<String> MANY =
      Set.of("job", "rank", "node", "pod", "interface", "step", "kind");

  /// How long names of these usually are.
  private static final Map<String, Integer> LETTERS =
      Map.of("job", 20, "node", 24, "kind", 24, "step", 30, "cluster", 8, "rank", 4);

  /// Of a letter in a legend, of the mark of a colour with a value, and of a column of the grid, in
  /// pixels.
  private static final int LETTER = 7;

  private static final int VALUE = 90;
  private static final int GRID = 55;

  private static final Pattern LABEL = Pattern.compile("\\{\\{(\\w+)}}");
  private static final Pattern REST = Pattern.compile("all others|median of all");

  static final List<PanelRule> ALL =
      List.of(
          new PanelRule("draws as many lines as there are things", CrowdRules::unbounded),
          new PanelRule("does not draw the rest", CrowdRules::withoutRest),
          new PanelRule("has a legend that takes the plot's room", CrowdRules::longLegend),
          new PanelRule("cuts the values of its legend", CrowdRules::cutsValues),
          new PanelRule("has a table without end", CrowdRules::endlessTable));

  private CrowdRules() {}

  private static boolean crowded(String legend, String expression) {
    return LABEL
        .matcher(legend)
        .results()
        .map(it -> it.group(1))
        .anyMatch(label -> MANY.contains(label) && !expression.contains(label + "=~\""));
  }

  private static boolean crowded(Panel panel) {
    for (int i = 0; i < panel.legends().size(); i++) {
      if (crowded(panel.legends().get(i), panel.expressions().get(i))) {
        return true;
      }
    }
    return false;
  }

  /// A heat map has room for the ranks that have series at all, `metrics.rankSeries`.
  private static boolean unbounded(Panel panel) {
    if (!panel.is("timeseries", "state-timeline", "status-history")) {
      return false;
    }
    for (int i = 0; i < panel.legends().size(); i++) {
      var expression = panel.expressions().get(i);
      if (crowded(panel.legends().get(i), expression) && !expression.contains("topk(")) {
        return true;
      }
    }
    return false;
  }

  /// What cannot be added up has a median, and of steps in a row the slowest tells all.
  private static boolean withoutRest(Panel panel) {
    return panel.is("timeseries", "heatmap")
        && crowded(panel)
        && !panel.legends().contains("{{step}}")
        && panel.legends().stream().noneMatch(it -> REST.matcher(it).matches());
  }

  private static boolean longLegend(Panel panel) {
    return panel.is("timeseries")
        && crowded(panel)
        && !panel.text("/options/legend/placement").equals("right");
  }

  /// Beside names stand the mark of the colour and the value; the plot keeps two fifths of the
  /// panel.
  private static boolean cutsValues(Panel panel) {
    if (!panel.text("/options/legend/placement").equals("right")) {
      return false;
    }
    int width = panel.json().at("/options/legend/width").asInt(0);
    int longest = panel.legends().stream().mapToInt(CrowdRules::letters).max().orElse(0);
    return width < LETTER * longest + VALUE || width > panel.width() * GRID * 3 / 5;
  }

  private static int letters(String legend) {
    return LABEL.matcher(legend).replaceAll("").length()
        + LABEL
            .matcher(legend)
            .results()
            .mapToInt(it -> LETTERS.getOrDefault(it.group(1), 10))
            .sum();
  }

  private static boolean endlessTable(Panel panel) {
    return panel.is("table")
        && panel.columns().stream().anyMatch(it -> it.source().matches("job|rank"))
        && !panel.asks("topk(");
  }
}
