package io.ringside.deploy.observe;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Numbers carry the unit that they have, labels none, and what is missing says why.
final class UnitRules {
  /// Grafana writes them as `c/s`, whatever is counted.
  private static final Set<String> COUNTS = Set.of("cps", "cpm", "ops", "opm", "reqps", "rps");

  /// Names of metrics that are zero where all is well.
  private static final Pattern TROUBLE =
      Pattern.compile(
          "ringside_\\w*(lag_|dropped|failures|folded|findings_active|left_behind|refused|dead_letters|stalls)");

  static final List<PanelRule> ALL =
      List.of(
          new PanelRule("has no unit", panel -> panel.text("/fieldConfig/defaults/unit").isEmpty()),
          new PanelRule("makes numbers of labels", UnitRules::numbersOfLabels),
          new PanelRule("has a column of numbers without unit", UnitRules::withoutUnit),
          new PanelRule("counts in c/s", UnitRules::countsInC),
          new PanelRule("shows a factor without ×", UnitRules::bareFactor),
          new PanelRule("has no end to the axis of a share", UnitRules::endlessShare),
          new PanelRule("says No data", UnitRules::saysNothing),
          new PanelRule("knows nothing where nothing is lost", UnitRules::lostNothing),
          new PanelRule("writes at its axis that it has nothing", UnitRules::nothingAtAxis),
          new PanelRule("draws lines of zeros", UnitRules::linesOfZeros),
          new PanelRule("explains itself to nobody", UnitRules::undescribed));

  private UnitRules() {}

  /// A unit of the whole table holds for its labels too: run 0x3a4b reads 4.20 Quint.
  private static boolean numbersOfLabels(Panel panel) {
    return panel.is("table")
        && (!panel.text("/fieldConfig/defaults/unit").equals("string")
            || panel.columns().stream()
                .filter(column -> !column.value() && !converted(panel, column))
                .anyMatch(column -> panel.property(column.shown(), "unit").isPresent()));
  }

  private static boolean converted(Panel panel, Panel.Column column) {
    return panel
        .transformation("convertFieldType")
        .filter(it -> it.toString().contains("\"" + column.source() + "\""))
        .isPresent();
  }

  private static boolean withoutUnit(Panel panel) {
    return panel.is("table")
        && panel.columns().stream()
            .filter(Panel.Column::value)
            .anyMatch(column -> panel.property(column.shown(), "unit").isEmpty());
  }

  private static boolean countsInC(Panel panel) {
    return panel.json().findValuesAsString("unit").stream().anyMatch(COUNTS::contains)
        || panel
            .json()
            .at("/fieldConfig/overrides")
            .valueStream()
            .flatMap(it -> it.get("properties").valueStream())
            .anyMatch(it -> COUNTS.contains(it.get("value").asString("")));
  }

  private static boolean bareFactor(Panel panel) {
    return panel.asks("slowdown_ratio") && !panel.text("/fieldConfig/defaults/unit").contains("×");
  }

  /// Where all is zero Grafana draws up to 10,000 %.
  private static boolean endlessShare(Panel panel) {
    return panel.is("timeseries")
        && panel.text("/fieldConfig/defaults/unit").equals("percentunit")
        && !panel.defaults().has("max")
        && !panel.defaults().path("custom").has("axisSoftMax");
  }

  private static boolean saysNothing(Panel panel) {
    var none = panel.text("/fieldConfig/defaults/noValue");
    return none.isBlank() || none.matches("(?i)no data\\.?|-|n/a");
  }

  private static boolean lostNothing(Panel panel) {
    return panel.is("stat")
        && panel.asks("ringside_finding_", "count(ringside_job_verdict")
        && !panel.asks("or vector(", ") * 0");
  }

  /// Where there are no decimals Grafana has no text for the ticks between whole numbers, and takes
  /// that for no value.
  private static boolean nothingAtAxis(Panel panel) {
    return panel.is("timeseries") && panel.defaults().path("decimals").asInt(1) == 0;
  }

  /// Of what is well at zero a line for each thing says nothing, and hides the one that is not.
  private static boolean linesOfZeros(Panel panel) {
    if (!panel.is("timeseries")) {
      return false;
    }
    for (int i = 0; i < panel.legends().size(); i++) {
      if (panel.legends().get(i).contains("{{")
          && TROUBLE.matcher(panel.expressions().get(i)).find()
          && !panel.expressions().get(i).contains("> 0")) {
        return true;
      }
    }
    return false;
  }

  private static boolean undescribed(Panel panel) {
    return panel.text("/description").isBlank();
  }
}
