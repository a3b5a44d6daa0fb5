package io.ringside.lab.evaluate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// A scorecard as one JSON document.
final class ScoreJson {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private ScoreJson() {}

  static String of(long seed, Scorecard card) {
    var rows = new ArrayList<Map<String, @Nullable Object>>();
    card.scores()
        .forEach(
            (row, score) -> {
              var fields = new LinkedHashMap<String, @Nullable Object>();
              fields.put("kind", row.kind().label());
              fields.put("hard", row.hard());
              fields.put("right", score.hits());
              fields.put("missed", score.misses());
              fields.put("wrong", score.wrong());
              fields.put("precision", number(score.precision()));
              fields.put("recall", number(score.recall()));
              fields.put("f1", number(score.f1()));
              fields.put("ranks", number(score.blame()));
              fields.put("cause", number(score.cause()));
              fields.put("sinceErrorSeconds", number(score.sinceError()));
              fields.put("untilErrorSeconds", number(score.untilError()));
              fields.put("delaySecondsP50", number(score.delay(0.5)));
              fields.put("delaySecondsP95", number(score.delay(0.95)));
              rows.add(fields);
            });
    var document = new LinkedHashMap<String, @Nullable Object>();
    document.put("seed", seed);
    document.put("jobs", card.trials());
    document.put("healthyJobs", card.healthy());
    document.put("healthyGpuDays", card.healthyGpuDays());
    document.put("falseAlarms", card.falseAlarms());
    document.put("falseAlarmsIn500GpuDays", number(card.falseAlarmRate()));
    document.put("findings", rows);
    document.put("misjudged", ScoreTable.misjudged(card));
    return JSON.writeValueAsString(document);
  }

  private static @Nullable Object number(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
