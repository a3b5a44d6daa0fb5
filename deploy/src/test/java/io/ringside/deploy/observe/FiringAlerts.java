package io.ringside.deploy.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Which alerts fire at each minute over series that a test writes down. promtool evaluates the
/// rules; it tells what it found only where something else was expected, so something else is.
///
/// @param minutes the labels of those that fire
/// @param printed all that promtool said
record FiringAlerts(List<Set<Map<String, String>>> minutes, String printed) {
  private static final Pattern LOOK = Pattern.compile("time: (\\S+),\\s+exp:.*\\s+got: ?(.*)");
  private static final Pattern SERIES = Pattern.compile("\\{([^}]*)\\} 1E\\+00");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

  /// @param series as promtool has them, a sample each minute
  /// @param told an alert of which the annotations are asked for at a minute
  static FiringAlerts over(Path folder, List<String> series, int minutes, Map<Integer, String> told)
      throws IOException, InterruptedException {
    var looks =
        IntStream.rangeClosed(0, minutes)
            .mapToObj(
                minute ->
                    "{expr: 'count without (alertstate) (ALERTS{alertstate=\"firing\",urgency!=\"none\"})', eval_time: %dm, exp_samples: [{labels: '{}', value: -1}]}"
                        .formatted(minute))
            .toList();
    var texts =
        told.entrySet().stream()
            .map(
                it ->
                    "{eval_time: %dm, alertname: %s, exp_alerts: [{exp_labels: {}}]}"
                        .formatted(it.getKey(), it.getValue()))
            .toList();
    var file =
        Files.writeString(
            folder.resolve("series.yaml"),
            """
            rule_files: [%s]
            evaluation_interval: 1m
            tests:
              - interval: 1m
                input_series: [%s]
                promql_expr_test: [%s]
                alert_rule_test: [%s]
            """
                .formatted(
                    Repository.path("deploy/prometheus/rules/ringside.yaml"),
                    String.join(",\n", series),
                    String.join(",\n", looks),
                    String.join(",\n", texts)));
    var process =
        new ProcessBuilder(InstalledPrograms.program("promtool"), "test", "rules", file.toString())
            .redirectErrorStream(true)
            .start();
    var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();

    var found = new ArrayList<Set<Map<String, String>>>();
    LOOK.matcher(printed).results().forEach(look -> found.add(alerts(look.group(2))));
    assertThat(found).as(printed).hasSize(minutes + 1);
    return new FiringAlerts(found, printed);
  }

  private static Set<Map<String, String>> alerts(String samples) {
    return SERIES
        .matcher(samples)
        .results()
        .map(
            it ->
                LABEL
                    .matcher(it.group(1))
                    .results()
                    .collect(
                        Collectors.toMap(
                            label -> label.group(1),
                            label -> label.group(2),
                            (first, _) -> first,
                            TreeMap::new)))
        .collect(Collectors.toSet());
  }

  /// The pages that somebody hears, each once for every time that it begins, after a real
  /// Alertmanager took out those that another alert silences.
  List<Page> heardThrough(Alertmanager alertmanager) throws IOException, InterruptedException {
    var pages = new ArrayList<Page>();
    Set<Map<String, String>> before = Set.of();
    Set<Map<String, String>> heardBefore = Set.of();
    for (int minute = 0; minute < minutes.size(); minute++) {
      var now = minutes.get(minute);
      if (now.equals(before)) {
        continue;
      }
      var heard = alertmanager.heardOf(before, now);
      for (var alert : heard) {
        if (!heardBefore.contains(alert) && "page".equals(alert.get("urgency"))) {
          pages.add(new Page(minute, alert.get("alertname"), alert.getOrDefault("job", "")));
        }
      }
      before = now;
      heardBefore = heard;
    }
    return pages;
  }

  /// How many pages began, silenced or not.
  int pagesBegun() {
    int begun = 0;
    Set<Map<String, String>> before = Set.of();
    for (var now : minutes) {
      var fresh = new HashSet<>(now);
      fresh.removeAll(before);
      begun += (int) fresh.stream().filter(it -> "page".equals(it.get("urgency"))).count();
      before = now;
    }
    return begun;
  }

  /// Somebody is paged.
  ///
  /// @param job none if it is of no single job
  record Page(int minute, String alert, String job) {}
}
