package io.ringside.deploy.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A day of 10,000 GPUs in 60 jobs with 40 faults: people are paged for what needs them, once. promtool evaluates the rules; what
/// Alertmanager's inhibitions and its minute of waiting leave is asked as a query.
class SimulatedDayTest {
  private static final int DAY = 24 * 60;
  private static final int CAUSES = 3;

  /// Heard of are pages that last for the minute that the pager's route waits, less those that a shared cause silences;
  /// InhibitionTest shows Alertmanager doing so. What is heard, ends and is heard again counts twice.
  private static final String RULES =
      """
      groups:
        - name: day
          rules:
            - record: day:page
              expr: ALERTS{alertstate="firing",urgency="page"}
            - record: day:heard
              expr: >-
                (day:page{alertname!="RingsideSharedCause"} and day:page offset 1m)
                unless on (cluster, symptom) day:page{alertname="RingsideSharedCause"}
                or day:page{alertname="RingsideSharedCause"}
            - record: day:pages
              expr: count(day:heard unless day:heard offset 1m) or vector(0)
            - record: day:pages_about_a_job
              expr: count(day:heard{job!=""} unless day:heard offset 1m) or vector(0)
            - record: day:pages_if_nothing_were_silenced
              expr: count(day:page unless day:page offset 1m) or vector(0)
      """;

  /// What somebody has to get up for: a hang, a broken GPU, an abort, a severe straggler and a fallback of one job each.
  private static final List<String> SINGLE =
      List.of("hang", "gpu-error", "nccl-error", "straggler", "efa-fallback");

  /// What can wait: 12 programs that died of themselves among them.
  private static final List<String> TICKETS =
      List.of("straggler", "gpu-throttled", "telemetry-gap", "late-start", "shm-fallback");

  @TempDir private Path folder;

  private final List<String> series = new ArrayList<>();
  private int faults;

  @Test
  void pagesForWhatNeedsAPersonAndForNothingTwice() throws Exception {
    healthy();
    many("hang", 14, 200, 90); // a switch
    many("efa-fallback", 16, 500, 240); // a zone's EFA, and restarts take long
    faults++; // a broker, below
    for (int i = 0; i < SINGLE.size(); i++) {
      fault("single-" + i, SINGLE.get(i), "critical", 800 + 90 * i, 40);
    }
    for (int i = 0; i < 12; i++) {
      fault("user-" + i, "job-failed", "critical", 60 * i + 30, 30);
    }
    for (int i = 0; i < 20; i++) {
      fault("ticket-" + i, TICKETS.get(i % TICKETS.size()), "warning", 60 * i + 20, 40);
    }

    assertThat(faults).isEqualTo(40);
    int pages = SINGLE.size() + CAUSES;
    assertThat(pages).isLessThanOrEqualTo(12);
    assertThat(
            day(
                Map.of(
                    "day:pages",
                    pages,
                    "day:pages_about_a_job",
                    SINGLE.size(),
                    "day:pages_if_nothing_were_silenced",
                    pages + 14 + 16)))
        .contains("SUCCESS");
  }

  /// The service and the agents, and the broker that is away for a quarter of an hour.
  private void healthy() {
    add("ringside_streams_running{instance=\"a\"}", "1x" + DAY);
    add(
        "ringside_streams_records_total{instance=\"a\",topic=\"ringside.node.v1\"}",
        "0+60x700 42000x15 42000+60x725");
    add("ringside_agents{instance=\"a\",state=\"ok\"}", "1250x" + DAY);
  }

  /// One thing breaks many jobs, some minutes apart.
  private void many(String kind, int jobs, int at, int minutes) {
    faults++;
    for (int i = 0; i < jobs; i++) {
      job(kind + "-" + i, kind, "critical", at + (i < 2 ? 0 : 1 + i / 6), minutes + 5 * i);
    }
  }

  private void fault(String job, String kind, String severity, int at, int minutes) {
    faults++;
    job(job, kind, severity, at, minutes);
  }

  private void job(String job, String kind, String severity, int at, int minutes) {
    add(
        "ringside_job_running{cluster=\"east\",namespace=\"train\",job=\"%s\"}".formatted(job),
        "1x" + DAY);
    add(
        "ringside_findings_active{cluster=\"east\",namespace=\"train\",job=\"%s\",kind=\"%s\",severity=\"%s\"}"
            .formatted(job, kind, severity),
        "_x%d 1x%d _x%d".formatted(at, minutes, Math.max(1, DAY - at - minutes)));
  }

  private void add(String name, String values) {
    series.add("      - {series: '%s', values: '%s'}\n".formatted(name, values));
  }

  /// What promtool says of these sums over the day.
  private String day(Map<String, Integer> expected) throws IOException, InterruptedException {
    Files.writeString(folder.resolve("rules.yaml"), RULES);
    var sums = new StringBuilder();
    expected.forEach(
        (counted, sum) ->
            sums.append(
                "      - {expr: 'sum_over_time(%s[1d])', eval_time: %dm, exp_samples: [{labels: '{}', value: %d}]}\n"
                    .formatted(counted, DAY, sum)));
    var file =
        Files.writeString(
            folder.resolve("day.yaml"),
            """
            rule_files: [%s, rules.yaml]
            evaluation_interval: 1m
            tests:
              - interval: 1m
                input_series:
            %s    promql_expr_test:
            %s"""
                .formatted(
                    Repository.path("deploy/prometheus/rules/ringside.yaml"),
                    String.join("", series),
                    sums));

    return Installed.output(folder, "promtool", "test", "rules", file.toString());
  }
}
