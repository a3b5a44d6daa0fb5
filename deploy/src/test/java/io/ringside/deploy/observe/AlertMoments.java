package io.ringside.deploy.observe;

import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// When one of promtool's tests looks at an alert, and whether it demands that the alert fires
/// then.
///
/// @param firing by minute
record AlertMoments(TreeMap<Integer, Boolean> firing) {
  /// All alerts that fire: one that is not listed must not.
  private static final String EVERYTHING = "count by (alertname) (ALERTS{alertstate=\"firing\"})";

  static AlertMoments of(JsonNode test, String alert) {
    var firing = new TreeMap<Integer, Boolean>();
    for (var look : test.path("alert_rule_test")) {
      if (look.get("alertname").asString().equals(alert)) {
        firing.put(minute(look), !look.path("exp_alerts").isEmpty());
      }
    }
    for (var look : test.path("promql_expr_test")) {
      if (look.get("expr").asString().equals(EVERYTHING)) {
        firing.put(
            minute(look),
            look.path("exp_samples").findValuesAsString("labels").stream()
                .anyMatch(labels -> labels.equals("{alertname=\"%s\"}".formatted(alert))));
      }
    }
    return new AlertMoments(firing);
  }

  private static int minute(JsonNode look) {
    return Integer.parseInt(look.get("eval_time").asString().replace("m", ""));
  }

  /// Whether it is quiet before and after a time at which it fires.
  boolean beginsAndEnds() {
    var begun = firing.entrySet().stream().filter(it -> it.getValue()).findFirst();
    return begun
        .map(
            it ->
                firing.headMap(it.getKey()).containsValue(false)
                    && firing.tailMap(it.getKey()).containsValue(false))
        .orElse(false);
  }
}
