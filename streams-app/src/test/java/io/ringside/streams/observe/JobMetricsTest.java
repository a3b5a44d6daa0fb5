package io.ringside.streams.observe;

import static io.ringside.schemas.event.Finding.State.ACTIVE;
import static io.ringside.schemas.event.Finding.State.CLEARED;
import static io.ringside.schemas.event.FindingKind.EFA_FALLBACK;
import static io.ringside.schemas.event.FindingKind.GPU_THROTTLED;
import static io.ringside.schemas.event.FindingKind.JOB_FAILED;
import static io.ringside.schemas.event.FindingKind.SENSOR_STALLED;
import static io.ringside.schemas.event.FindingKind.STRAGGLER;
import static io.ringside.schemas.event.RunSummary.State.ENDED;
import static io.ringside.schemas.event.RunSummary.State.FAILED;
import static io.ringside.schemas.event.RunSummary.State.RUNNING;
import static io.ringside.schemas.event.Severity.CRITICAL;
import static io.ringside.schemas.event.Severity.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.config.MetricsConfig;
import io.ringside.streams.publish.FixedViews;
import io.ringside.streams.publish.JobViews;
import io.ringside.streams.publish.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobMetricsTest {
  private static final MetricsConfig BOUNDS = new MetricsConfig(3, 2, 2, 32, Duration.ofHours(1));

  private final AtomicReference<Instant> now = new AtomicReference<>(Samples.T0);

  @Test
  void exportsTheNewestRunOfAJob() {
    var text =
        scrape(
            new FixedViews(
                List.of(
                    Samples.run("llama", "old", 1, ENDED), Samples.run("llama", "new", 2, RUNNING)),
                List.of()));

    assertThat(text)
        .contains("ringside_job_attempt{cluster=\"east\",job=\"llama\",namespace=\"training\"} 2.0")
        .contains("run=\"new\"")
        .doesNotContain("run=\"old\"")
        .contains(
            "ringside_job_ranks_seen{cluster=\"east\",job=\"llama\",namespace=\"training\"} 3.0")
        .contains(
            "ringside_job_ranks_expected{cluster=\"east\",job=\"llama\",namespace=\"training\"} 4.0")
        .contains(
            "ringside_job_transport_edges{cluster=\"east\",edge_class=\"inter-node\","
                + "job=\"llama\",namespace=\"training\",transport=\"NET/Socket\"} 4.0")
        .contains(
            "ringside_checklist_status{check=\"plugin loaded\",cluster=\"east\",job=\"llama\",namespace=\"training\"} 0.0")
        .contains(
            "ringside_checklist_status{check=\"GDR\",cluster=\"east\",job=\"llama\",namespace=\"training\"} -1.0")
        .contains(
            "ringside_job_lines_total{cluster=\"east\",job=\"llama\",namespace=\"training\"} 5000.0")
        .contains(
            "ringside_job_nccl_lines_total{cluster=\"east\",job=\"llama\",namespace=\"training\"} 4000.0")
        .contains(
            "ringside_job_unparsed_lines_total{cluster=\"east\",job=\"llama\",namespace=\"training\"} 3.0")
        .contains(
            "ringside_job_wait_seconds_total{cluster=\"east\",job=\"llama\",namespace=\"training\"} 12.5")
        .contains(
            "ringside_job_wait_gpu_seconds_total{cluster=\"east\",job=\"llama\",namespace=\"training\"} 37.5");
  }

  @Test
  void countsCausesApartFromWhatFollowsFromThem() {
    var cause = Samples.finding("g", "llama", "a", GPU_THROTTLED, WARNING, ACTIVE);
    var effect = Samples.finding("s", "llama", "a", STRAGGLER, CRITICAL, ACTIVE).following("g");
    var text =
        scrape(
            new FixedViews(List.of(Samples.run("llama", "a", 1, RUNNING)), List.of(cause, effect)));

    assertThat(text.lines().filter(it -> it.startsWith("ringside_findings_active{")))
        .containsExactly(
            "ringside_findings_active{cluster=\"east\",job=\"llama\",kind=\"gpu-throttled\",namespace=\"training\","
                + "severity=\"critical\"} 1.0");
    assertThat(text)
        .contains(
            "ringside_symptoms_active{cause=\"gpu-throttled\",cluster=\"east\",job=\"llama\","
                + "kind=\"straggler\",namespace=\"training\",severity=\"critical\"} 1.0")
        .contains(
            "ringside_job_verdict{cluster=\"east\",job=\"llama\",namespace=\"training\"} 3.0");
  }

  @Test
  void namesTheWorstRanksOnlyAndCountsTheRest() {
    var text = scrape(new FixedViews(List.of(Samples.run("llama", "a", 1, RUNNING)), List.of()));

    assertThat(text.lines().filter(it -> it.startsWith("ringside_job_wait_blamed_seconds_total{")))
        .hasSize(2)
        .anyMatch(it -> it.contains("rank=\"2\"") && it.endsWith(" 10.0"))
        .anyMatch(it -> it.contains("rank=\"3\"") && it.endsWith(" 2.0"));
    assertThat(text).contains("ringside_metrics_folded{what=\"ranks\"} 1.0");
  }

  @Test
  void exportsWaitsAsADistributionAndByRank() {
    var text = scrape(new FixedViews(List.of(Samples.run("llama", "a", 1, RUNNING)), List.of()));

    assertThat(text)
        .contains(
            "ringside_job_round_wait_seconds_bucket{cluster=\"east\",job=\"llama\",namespace=\"training\",le=\"0.01\"} 900")
        .contains(
            "ringside_job_round_wait_seconds_bucket{cluster=\"east\",job=\"llama\",namespace=\"training\",le=\"+Inf\"} 1000")
        .contains(
            "ringside_job_round_wait_seconds_sum{cluster=\"east\",job=\"llama\",namespace=\"training\"} 24.5")
        .contains(
            "ringside_job_rank_wait_seconds_total{cluster=\"east\",job=\"llama\",namespace=\"training\",rank=\"1\"} 12.0")
        .contains("ringside_metrics_folded{what=\"rank-waits\"} 0.0");
  }

  @Test
  void comparesAGpuWithItsPeersAndAStepWithTheRunsOwn() {
    var text = scrape(new FixedViews(List.of(Samples.run("llama", "a", 1, RUNNING)), List.of()));

    assertThat(text)
        .contains(
            "ringside_job_gpu_power_watts{cluster=\"east\",job=\"llama\",namespace=\"training\"} 640.0")
        .contains(
            "ringside_job_gpu_outliers{cluster=\"east\",job=\"llama\",namespace=\"training\"} 1.0")
        .contains(
            "ringside_job_rank_gpu_clock_hertz{cluster=\"east\",gpu=\"0000:0b:00.0\",job=\"llama\",namespace=\"training\","
                + "node=\"node-2\",rank=\"2\"} 1.41E9")
        .contains(
            "ringside_job_step_seconds{cluster=\"east\",job=\"llama\",namespace=\"training\"} 0.525")
        .contains(
            "ringside_job_step_baseline_seconds{cluster=\"east\",job=\"llama\",namespace=\"training\"} 0.5");
  }

  @Test
  void keepsSeriesForTheWorstJobsWhenThereAreTooMany() {
    var runs =
        IntStream.range(0, 10).mapToObj(i -> Samples.run("job-" + i, "r" + i, 1, RUNNING)).toList();
    var findings = List.of(Samples.finding("f", "job-9", "r9", STRAGGLER, WARNING, ACTIVE));

    var text = scrape(new FixedViews(runs, findings));

    assertThat(text.lines().filter(it -> it.startsWith("ringside_job_verdict{"))).hasSize(3);
    assertThat(text)
        .contains("ringside_job_verdict{cluster=\"east\",job=\"job-9\",namespace=\"training\"} 2.0")
        .contains("ringside_metrics_folded{what=\"jobs\"} 7.0")
        .contains("ringside_jobs{state=\"running\",verdict=\"ok\"} 9.0");
  }

  /// No finding is no health where nothing could be judged.
  @Test
  void callsNoJobHealthyThatItCouldNotJudge() {
    var judged = Samples.run("judged", "a", 1, RUNNING);
    var blind =
        Samples.run("blind", "b", 1, RUNNING)
            .without(
                Stream.of("transport", "waits", "steps")
                    .map(what -> new RunSummary.NotJudged(what, "no line says"))
                    .toList());
    var text = scrape(new FixedViews(List.of(judged, blind), List.of()));

    assertThat(text)
        .contains(
            "ringside_job_verdict{cluster=\"east\",job=\"judged\",namespace=\"training\"} 0.0")
        .contains(
            "ringside_job_verdict{cluster=\"east\",job=\"blind\",namespace=\"training\"} -1.0")
        .contains("ringside_jobs{state=\"running\",verdict=\"unknown\"} 1.0");
  }

  @Test
  void retiresAnEndedJobByTheClockAndNotByItsLog() {
    var ended =
        new FixedViews(
            List.of(Samples.run("llama", "a", 1, ENDED)),
            List.of(Samples.finding("f", "llama", "a", EFA_FALLBACK, CRITICAL, ACTIVE)));
    var metrics = new JobMetrics(ended, BOUNDS, now::get);
    now.set(Samples.T0.plus(Duration.ofDays(400)));

    try (var app = new AppMetrics(List.of(metrics))) {
      var first = app.registry().scrape();
      now.set(now.get().plus(Duration.ofMinutes(59)));
      var later = app.registry().scrape();
      now.set(now.get().plus(Duration.ofMinutes(2)));
      var retired = app.registry().scrape();

      assertThat(first).contains("ringside_findings_active{");
      assertThat(later).contains("ringside_findings_active{");
      assertThat(retired)
          .doesNotContain("job=\"llama\"")
          .contains("ringside_metrics_folded{what=\"retired\"} 1.0");
    }
  }

  @Test
  void tellsForAWhileHowARunEnded() {
    var views =
        new FixedViews(
            List.of(Samples.run("llama", "a", 1, FAILED)),
            List.of(
                Samples.finding("f", "llama", "a", JOB_FAILED, CRITICAL, CLEARED),
                Samples.finding("g", "llama", "a", STRAGGLER, WARNING, CLEARED)));
    now.set(Samples.T0.plusSeconds(60));

    assertThat(scrape(views))
        .contains(
            "ringside_findings_told{cluster=\"east\",job=\"llama\",kind=\"job-failed\",namespace=\"training\","
                + "severity=\"critical\"} 1.0")
        .contains(
            "ringside_job_state{cluster=\"east\",job=\"llama\",namespace=\"training\",state=\"failed\"} 1.0")
        .contains("ringside_job_verdict{cluster=\"east\",job=\"llama\",namespace=\"training\"} 3.0")
        .doesNotContain("ringside_findings_active{")
        .doesNotContain("kind=\"straggler\"");
    now.set(Samples.T0.plusSeconds(660));
    assertThat(scrape(views)).doesNotContain("ringside_findings_told{");
  }

  @Test
  void dropsSeriesOfFindingsThatCleared() {
    var run = List.of(Samples.run("llama", "a", 1, RUNNING));
    var before =
        new FixedViews(
            run, List.of(Samples.finding("f", "llama", "a", STRAGGLER, WARNING, ACTIVE)));

    assertThat(scrape(before))
        .contains("ringside_finding_lost_gpu_seconds{")
        .contains("ringside_finding_slowdown_ratio{")
        .contains("ringside_finding_since_timestamp_seconds{");
    assertThat(scrape(new FixedViews(run, List.of()))).doesNotContain("ringside_finding");
  }

  @Test
  void countsWhatFaultsCostAndNeverLess() {
    var views = new AtomicReference<>(new FixedViews(List.of(billed(null)), List.of()));
    JobViews now = () -> views.get().look();
    var metrics = new JobMetrics(now, BOUNDS, this.now::get);
    var lost =
        "ringside_lost_gpu_seconds_total{cause=\"straggler\",cluster=\"east\",job=\"llama\",namespace=\"training\"} ";
    var money =
        "ringside_lost_money_total{cause=\"straggler\",cluster=\"east\",job=\"llama\",namespace=\"training\"} ";

    try (var app = new AppMetrics(List.of(metrics))) {
      assertThat(app.registry().scrape()).contains(lost + "0.0").doesNotContain("_money_");
      views.set(new FixedViews(List.of(billed(bill(3_600, 2.5))), List.of()));
      assertThat(app.registry().scrape())
          .contains(lost + "3600.0")
          .contains(money + "2.5")
          .contains(
              "ringside_job_gpu_hour_cost{cluster=\"east\",job=\"llama\",namespace=\"training\"} 2.5");
      views.set(new FixedViews(List.of(billed(bill(3_000, 2.1))), List.of()));
      assertThat(app.registry().scrape()).contains(lost + "3600.0").contains(money + "2.5");
    }
  }

  @Test
  void tellsWhatGoesOnToCostOnlyWhileItDoes() {
    var ahead =
        new RunBill.Ahead(
            STRAGGLER, "f", List.of(2), 0.5, 0.4, 0.6, 7_200, 5.0, "as in the last 10 min");
    var said = new RunBill(100, 100, List.of(), List.of(), List.of(ahead));
    var series =
        "ringside_losing_gpus{cause=\"straggler\",cluster=\"east\",job=\"llama\",namespace=\"training\"} 2.0";

    assertThat(scrape(new FixedViews(List.of(billed(said)), List.of()))).contains(series);
    assertThat(scrape(new FixedViews(List.of(billed(bill(3_600, 2.5))), List.of())))
        .doesNotContain("ringside_losing_gpus");
  }

  @Test
  void takesBackNoSecondOfBlameThatWasCountedUntilTheJobStartsAnew() {
    var views = new AtomicReference<>(new FixedViews(List.of(blamed("a", 10)), List.of()));
    var metrics = new JobMetrics(() -> views.get().look(), BOUNDS, this.now::get);

    try (var app = new AppMetrics(List.of(metrics))) {
      assertThat(app.registry().scrape()).contains("rank=\"2\"} 10.0");
      views.set(new FixedViews(List.of(blamed("a", 4)), List.of()));
      assertThat(app.registry().scrape()).contains("rank=\"2\"} 10.0");
      views.set(new FixedViews(List.of(blamed("a", 11)), List.of()));
      assertThat(app.registry().scrape()).contains("rank=\"2\"} 11.0");
      views.set(new FixedViews(List.of(blamed("b", 1)), List.of()));
      assertThat(app.registry().scrape()).contains("rank=\"2\"} 1.0");
    }
  }

  private static RunSummary blamed(String run, double seconds) {
    var rank = new RunSummary.RankWait(2, "n", "p", null, 0.0, 1, seconds, null, null);
    return Samples.run("llama", run, 1, RUNNING)
        .with(its -> its.waits = new RunSummary.Waits(9, 1, 0, "nccl", List.of(rank)));
  }

  @Test
  void namesTheTeamThatPaysElseTheNamespace() {
    var team =
        "ringside_job_team_info{cluster=\"east\",job=\"llama\",namespace=\"training\",team=\"%s\"} 1";

    assertThat(scrape(new FixedViews(List.of(billed(null)), List.of())))
        .contains(team.formatted("training"));
    assertThat(
            scrape(new FixedViews(List.of(billed(null).with(its -> its.team = "nlp")), List.of())))
        .contains(team.formatted("nlp"))
        .doesNotContain(team.formatted("training"));
  }

  private static RunSummary billed(@Nullable RunBill bill) {
    return Samples.run("llama", "a", 1, RUNNING)
        .with(
            its -> {
              its.bill = bill;
              its.costPerGpuHour = bill == null ? null : 2.5;
            });
  }

  private static RunBill bill(double gpuSeconds, double money) {
    double seconds = gpuSeconds / 4;
    return new RunBill(
        10_000,
        10_000 - seconds,
        List.of(
            new RunBill.Item(
                STRAGGLER,
                "f",
                List.of(2),
                List.of("node-2"),
                seconds,
                seconds - 1,
                seconds + 1,
                gpuSeconds,
                money,
                List.of())),
        List.of());
  }

  @Test
  void exportsFindingsAboutNodesUnderNoJob() {
    var text =
        scrape(
            new FixedViews(
                List.of(), List.of(Samples.finding("f", "", "", SENSOR_STALLED, WARNING, ACTIVE))));

    assertThat(text)
        .contains(
            "ringside_findings_active{cluster=\"east\",job=\"\",kind=\"sensor-stalled\",namespace=\"\","
                + "severity=\"warning\"} 1.0");
  }

  @Test
  void putsHostileNamesIntoLabelsUnharmed() {
    var name = "a\"b\\c\nd" + "x".repeat(300);
    var text = scrape(new FixedViews(List.of(Samples.run(name, "r", 1, RUNNING)), List.of()));

    assertThat(text).contains("job=\"a\\\"b\\\\c\\nd").contains("x…\"");
    assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThan(1_000));
  }

  private String scrape(FixedViews views) {
    try (var app = new AppMetrics(List.of(new JobMetrics(views, BOUNDS, now::get)))) {
      return app.registry().scrape();
    }
  }
}
