package io.ringside.deploy.observe;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// A table fits its panel, is sorted by what matters, and calls things by their names.
final class TableRules {
  /// Of a column of the grid, in pixels, on a screen that is 1,366 wide.
  private static final int GRID = 55;

  /// Of a letter in a column's head, and of what stands beside it, in pixels.
  private static final int LETTER = 7;

  private static final int SIGNS = 38;

  private static final int CHECKS = 11;

  /// Of a row, and of what is around them, in units of the grid, which are 38 pixels high.
  private static final int AROUND = 2;

  /// Columns that are weights, worst last as numbers.
  private static final Set<String> WEIGHTS = Set.of("severity", "verdict", "result", "apart by");

  /// Labels that hold sentences.
  private static final Set<String> SENTENCES = Set.of("expected", "check", "transport");

  private static final Set<String> NUMBERS = Set.of("rank", "index");

  static final List<PanelRule> ALL =
      List.of(
          new PanelRule("sorts numbers as text", TableRules::numbersAsText),
          new PanelRule("sorts severities by the alphabet", TableRules::severitiesAsText),
          new PanelRule("is not sorted by its weight", TableRules::unsorted),
          new PanelRule("has columns that nobody ordered", TableRules::strays),
          new PanelRule("has columns outside of the panel", TableRules::tooWide),
          new PanelRule("calls the only answer Value", TableRules::namelessAnswer),
          new PanelRule("cuts the names of columns", TableRules::cutsNames),
          new PanelRule("says in a cell what it says of itself", TableRules::fillsCells),
          new PanelRule("cuts sentences", TableRules::cuts),
          new PanelRule("hides rows of the checklist", TableRules::hidesChecks),
          new PanelRule("lists what is at zero", TableRules::listsZeros),
          new PanelRule("lists GPUs that are like their peers", TableRules::listsPeers),
          new PanelRule("has a column called start or of", TableRules::oddNames));

  private TableRules() {}

  private static boolean numbersAsText(Panel panel) {
    if (panel.is("heatmap", "status-history")) {
      return panel.legends().stream().anyMatch(it -> it.contains("{{rank}}"))
          && !panel.asks("\"rank\", \"000$1\", \"rank\"");
    }
    return panel.is("table")
        && panel.columns().stream()
            .filter(column -> NUMBERS.contains(column.source()))
            .anyMatch(
                column ->
                    panel
                        .transformation("convertFieldType")
                        .filter(it -> it.toString().contains("\"" + column.source() + "\""))
                        .isEmpty());
  }

  private static boolean severitiesAsText(Panel panel) {
    return panel.is("table")
        && panel.columns().stream().anyMatch(column -> column.source().equals("severity"));
  }

  private static boolean unsorted(Panel panel) {
    return panel.is("table")
        && panel.columns().stream()
            .filter(column -> column.value() && WEIGHTS.contains(column.shown()))
            .findFirst()
            .filter(
                column ->
                    !panel.text("/options/sortBy/0/displayName").equals(column.shown())
                        || !panel.json().at("/options/sortBy/0/desc").asBoolean(false))
            .isPresent();
  }

  private static boolean strays(Panel panel) {
    return panel.is("table") && !panel.strayLabels().isEmpty();
  }

  private static boolean tooWide(Panel panel) {
    return panel.is("table")
        && (panel.columns().stream()
                    .filter(column -> !panel.hidden(column))
                    .mapToInt(
                        column ->
                            panel
                                .property(column.shown(), "custom.width")
                                .map(JsonNode::asInt)
                                .orElse(10_000))
                    .sum()
                > panel.width() * GRID
            || panel.columns().isEmpty());
  }

  /// Beside a name stand the signs of filter and order.
  private static boolean cutsNames(Panel panel) {
    return panel.is("table")
        && panel.columns().stream()
            .filter(column -> !panel.hidden(column))
            .anyMatch(
                column ->
                    panel.property(column.shown(), "custom.width").map(JsonNode::asInt).orElse(0)
                        < LETTER * column.shown().length() + SIGNS);
  }

  /// Where only one of several queries has an answer, Grafana calls its column `Value`, without the
  /// query's letter: then it is the first one's.
  private static boolean namelessAnswer(Panel panel) {
    return panel.is("table")
        && panel.transformation("merge").isPresent()
        && panel
            .transformation("organize")
            .map(it -> it.path("renameByName"))
            .filter(it -> it.has("Value #A") && !it.path("Value").equals(it.get("Value #A")))
            .isPresent();
  }

  /// What a panel says that has nothing to show, Grafana writes into each empty cell as well.
  private static boolean fillsCells(Panel panel) {
    return panel.is("table")
        && panel.columns().stream()
            .filter(column -> !panel.hidden(column))
            .anyMatch(column -> panel.property(column.shown(), "noValue").isEmpty());
  }

  private static boolean cuts(Panel panel) {
    return panel.is("table")
        && panel.columns().stream()
            .filter(column -> SENTENCES.contains(column.source()))
            .anyMatch(
                column ->
                    !panel
                        .property(column.shown(), "custom.cellOptions")
                        .map(it -> it.path("wrapText").asBoolean(false))
                        .orElse(false));
  }

  private static boolean hidesChecks(Panel panel) {
    return panel.is("table")
        && panel.asks("by (check) (ringside_checklist_status{cluster=\"$cluster\"")
        && panel.height() < CHECKS + AROUND;
  }

  private static boolean listsZeros(Panel panel) {
    return panel.is("table")
        && panel.expressions().stream()
            .anyMatch(it -> it.matches("(sum|count) by \\([^)]*\\) \\(.* == bool \\d+\\)"));
  }

  private static boolean listsPeers(Panel panel) {
    return panel.is("table")
        && panel.asks("ringside_job_rank_gpu_")
        && !(panel.asks("> 0.15")
            && panel.text("/options/sortBy/0/displayName").equals("apart by")
            && panel.property("apart by", "thresholds").isPresent());
  }

  private static boolean oddNames(Panel panel) {
    return panel.columns().stream()
        .anyMatch(column -> Stream.of("start", "of").anyMatch(column.shown()::equals));
  }
}
