package io.ringside.deploy.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import io.ringside.deploy.observe.FiringAlerts.Page;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A day of 10,000 GPUs in 60 jobs with 40 faults: people are paged for what needs them, once.
/// promtool evaluates the rules, and a real Alertmanager with our configuration says what is heard.
class SimulatedDayTest {
  private static final int DAY = 24 * 60;
  private static final int JOBS = 60;

  /// What somebody has to get up for: a hang, a broken GPU, an abort, a severe straggler and a
  /// fallback of one job each.
  private static final List<String> SINGLE =
      List.of("hang", "gpu-error", "nccl-error", "straggler", "efa-fallback");

  /// What can wait, beside 12 programs that died of themselves.
  private static final List<String> TICKETS =
      List.of("straggler", "gpu-throttled", "telemetry-gap", "late-start", "shm-fallback");

  @TempDir private Path folder;

  private final List<String> series = new ArrayList<>();
  private final Set<String> jobs = new HashSet<>();
  private int faults;

  @Test
  void pagesForWhatNeedsAPersonAndForNothingTwice() throws Exception {
    healthy();
    for (int i = 0; i < JOBS; i++) {
      running(job(i));
    }
    many("hang", 0, 14, 200, 90); // a switch
    many("efa-fallback", 14, 16, 500, 240); // a zone's EFA, and restarts take long
    faults++; // a broker, in the series of a healthy service
    for (int i = 0; i < SINGLE.size(); i++) {
      fault(job(30 + i), SINGLE.get(i), "critical", 800 + 90 * i, 40);
    }
    for (int i = 0; i < 12; i++) {
      fault(job(35 + i), "job-failed", "critical", 60 * i + 30, 30);
    }
    for (int i = 0; i < 20; i++) {
      fault(job(40 + i), TICKETS.get(i % TICKETS.size()), "warning", 60 * i + 20, 40);
    }
    assertThat(jobs).hasSize(JOBS);
    assertThat(faults).isEqualTo(40);

    var firing = over(DAY, Map.of(204, "RingsideSharedCause"));
    assertThat(heard(firing))
        .extracting(Page::alert)
        .containsExactlyInAnyOrder(
            "RingsideSharedCause",
            "RingsideSharedCause",
            "RingsideKafkaAway",
            "RingsideHang",
            "RingsideGpuError",
            "RingsideNcclFailed",
            "RingsideStragglerSevere",
            "RingsideEfaFallback");
    assertThat(firing.pagesBegun()).as("if nothing were silenced").isEqualTo(8 + 14 + 16);
    assertThat(firing.printed()).contains("Their nodes, as far as GPUs and waits tell: node-");
  }

  /// However far apart its jobs begin, down to the last of them.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void pagesOnceForASharedCauseWhoseJobsBeginMinutesApart(int apart) throws Exception {
    healthy();
    for (int i = 0; i < 6; i++) {
      fault(job(i), "hang", "critical", 60 + apart * i, 120);
    }

    assertThat(heard(over(400, Map.of())))
        .containsExactly(new Page(60 + 2 * apart, "RingsideSharedCause", ""));
  }

  /// The first two page for themselves; the third tells that it is one cause, and no page follows.
  @ParameterizedTest
  @ValueSource(ints = {7, 14})
  void pagesForNoJobTwiceWhereTheFirstHadToBeTold(int apart) throws Exception {
    healthy();
    for (int i = 0; i < 6; i++) {
      fault(job(i), "efa-fallback", "critical", 60 + apart * i, 120);
    }

    assertThat(heard(over(400, Map.of())))
        .containsExactly(
            new Page(66, "RingsideEfaFallback", "job-0"),
            new Page(66 + apart, "RingsideEfaFallback", "job-1"),
            new Page(60 + 2 * apart, "RingsideSharedCause", ""));
  }

  /// What it costs: six minutes for one job, and for two at most as much again. The abort of a run
  /// that is over is told for ten minutes only, and not lost.
  @ParameterizedTest
  @CsvSource({"hang, RingsideHang, active", "nccl-error, RingsideNcclFailed, told"})
  void pagesForEachOfTwoJobsOnceNoThirdFollows(String kind, String alert, String metric)
      throws Exception {
    healthy();
    for (int i = 0; i < 2; i++) {
      add(
          "ringside_findings_%s{cluster=\"east\",namespace=\"train\",job=\"%s\",kind=\"%s\",severity=\"critical\"}"
              .formatted(metric, job(i), kind),
          "_x%d 1x10 _x300".formatted(60 + 5 * i));
    }

    assertThat(heard(over(200, Map.of())))
        .containsExactlyInAnyOrder(new Page(71, alert, "job-0"), new Page(71, alert, "job-1"));
  }

  private List<Page> heard(FiringAlerts firing) throws Exception {
    try (var alertmanager =
        Alertmanager.start(Repository.path("deploy/prometheus/alertmanager.yaml"), folder)) {
      return firing.heardThrough(alertmanager);
    }
  }

  private FiringAlerts over(int minutes, Map<Integer, String> told) throws Exception {
    return FiringAlerts.over(folder, series, minutes, told);
  }

  private static String job(int number) {
    return "job-" + number;
  }

  /// The service and the agents, and the broker that is away for a quarter of an hour late in the
  /// day.
  private void healthy() {
    add("ringside_streams_running{instance=\"a\"}", "1x" + DAY);
    add(
        "ringside_streams_records_total{instance=\"a\",topic=\"ringside.node.v1\"}",
        "0+60x700 42000x15 42000+60x725");
    add("ringside_agents{instance=\"a\",state=\"ok\"}", "1250x" + DAY);
  }

  /// On nodes that no other job has.
  private void running(String job) {
    add(
        "ringside_job_running{cluster=\"east\",namespace=\"train\",job=\"%s\"}".formatted(job),
        "1x" + DAY);
    for (int i = 0; i < 2; i++) {
      add(
          "ringside_job_rank_gpu_power_watts{cluster=\"east\",namespace=\"train\",job=\"%s\",rank=\"%d\",node=\"%s-%d\",gpu=\"g\"}"
              .formatted(job, i, job.replace("job", "node"), i),
          "90x" + DAY);
    }
  }

  /// One thing breaks many jobs, some minutes apart.
  private void many(String kind, int first, int count, int at, int minutes) {
    faults++;
    for (int i = 0; i < count; i++) {
      finding(job(first + i), kind, "critical", at + (i < 2 ? 0 : 1 + i / 6), minutes + 5 * i);
    }
  }

  private void fault(String job, String kind, String severity, int at, int minutes) {
    faults++;
    finding(job, kind, severity, at, minutes);
  }

  private void finding(String job, String kind, String severity, int at, int minutes) {
    jobs.add(job);
    add(
        "ringside_findings_active{cluster=\"east\",namespace=\"train\",job=\"%s\",kind=\"%s\",severity=\"%s\"}"
            .formatted(job, kind, severity),
        "_x%d 1x%d _x%d".formatted(at, minutes, Math.max(1, DAY - at - minutes)));
  }

  private void add(String name, String values) {
    series.add("{series: '%s', values: '%s'}".formatted(name, values));
  }
}
