package io.ringside.lab.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.State;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.config.MetricsConfig;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.observe.JobMetrics;
import io.ringside.streams.observe.NodeMetrics;
import io.ringside.streams.publish.Jobs;
import io.ringside.streams.publish.NodeViews;
import io.ringside.streams.publish.ResultsSnapshot;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Looks at every moment of every life, whatever its script is, whether what must always hold does:
/// each attempt is shown as it stands, see {@link Truth}, no finding is open whose run is over, no
/// run comes back from its end, no counter of a run falls, jobs that are well are accused of
/// nothing, and what a hang cost is on its run's bill.
final class Witness {
  private static final int MOST_TOLD = 20;
  private static final List<String> NOT_JUDGED_WHERE_JOINED = List.of("transport", "rank numbers");
  private static final double BILLED = 0.75;
  private static final int PUBLISHED_SECONDS = 10;

  private final ResultsSnapshot[] shown = {new ResultsSnapshot(List.of(), List.of(), List.of())};
  private final JobMetrics metrics;
  private final NodeMetrics nodes;
  private final InstantSource clock;
  private final List<Attempt> attempts = new ArrayList<>();
  private final Map<Attempt, String> shownWrong = new HashMap<>();
  private final Set<String> well = new HashSet<>();
  private final Set<String> stillNameless = new HashSet<>();
  private final Set<String> mayGoOn = new HashSet<>();
  private final Map<String, State> ends = new HashMap<>();
  private final Map<String, String> newest = new HashMap<>();
  private final Set<String> wrong = new LinkedHashSet<>();
  private final Series series = new Series();
  private Counters counters = new Counters(Map.of());

  Witness(InstantSource clock, NodeViews blamed) {
    this.clock = clock;
    var bounds = new MetricsConfig(1000, 1000, 8, 64, Duration.ofHours(1));
    metrics = new JobMetrics(() -> shown[0], bounds, clock);
    var expectations = Expectations.builtIn();
    nodes = new NodeMetrics(blamed, List::of, () -> expectations, bounds, clock);
  }

  void watches(Attempt attempt) {
    attempts.add(attempt);
  }

  /// Another instance of the service has taken over.
  void catchesUp() {
    attempts.forEach(attempt -> attempt.truth().catchesUp(clock.instant()));
  }

  /// The job is well from now on: whatever is said of it above a note is a false alarm.
  void well(String job) {
    well.add(job);
  }

  void notWell(String job) {
    well.remove(job);
  }

  /// Its run may be taken for over and be not: a program that gives up its communicators and goes
  /// on has done nothing else.
  void mayGoOn(Attempt attempt) {
    mayGoOn.add(attempt.run());
  }

  /// @param changed whether anything was published since the last look: the counters follow from
  ///   that alone
  void look(ResultsSnapshot look, boolean changed) {
    shown[0] = look;
    var states = new HashMap<String, State>();
    for (var run : look.runs()) {
      states.put(run.job() + " " + run.run(), run.state());
      end(run);
    }
    for (var finding : look.findings()) {
      blamed(finding);
      boolean active = finding.state() == Finding.State.ACTIVE;
      var state = states.get(finding.job() + " " + finding.run());
      if (active && state != null && state.over()) {
        wrong("%s of %s is open, and its run %s".formatted(finding.kind(), finding.run(), state));
      }
      if (active && finding.severity() != Severity.INFO && well.contains(finding.job())) {
        wrong("%s is well and accused: %s".formatted(finding.job(), finding.summary()));
      }
    }
    attempts.forEach(attempt -> compare(attempt, shown(attempt, look)));
    var sinceBegin = Duration.between(Cluster.T0, clock.instant());
    if (changed || series.due(sinceBegin)) {
      count(look, sinceBegin);
    }
  }

  private @Nullable State shown(Attempt attempt, ResultsSnapshot look) {
    for (var run : look.runs()) {
      if (run.job().equals(attempt.job()) && attempt.isCalled(run.run())) {
        joined(attempt, run);
        return run.state();
      }
    }
    return null;
  }

  /// Of a run that was joined no line tells by which ways it goes, nor which number a rank has.
  private void joined(Attempt attempt, RunSummary run) {
    if (attempt.truth().joinedAt() == null) {
      return;
    }
    if (!attempt.isJoined(run.run())) {
      if (attempt.truth().isNamedByPlace(clock.instant()) && stillNameless.add(attempt.run())) {
        wrong("%s of %s is still called %s".formatted(attempt.run(), run.job(), run.run()));
      }
      return;
    }
    var missing = run.notJudged().stream().map(RunSummary.NotJudged::what).toList();
    if (run.nranks() != attempt.ranks() || !missing.containsAll(NOT_JUDGED_WHERE_JOINED)) {
      wrong(
          "%s of %s has %d ranks, not judged is %s"
              .formatted(run.run(), run.job(), run.nranks(), missing));
    }
  }

  /// Who was never late has kept nobody waiting. By pods: ranks of a run that was joined are
  /// numbered by place.
  private void blamed(Finding finding) {
    for (var attempt : attempts) {
      if (finding.kind() == FindingKind.STRAGGLER
          && finding.severity() != Severity.INFO
          && finding.job().equals(attempt.job())
          && attempt.isCalled(finding.run())
          && !finding.pods().stream().allMatch(attempt::wasLate)) {
        wrong("%s was late: %s".formatted(finding.pods(), finding.summary()));
      }
    }
  }

  private void compare(Attempt attempt, @Nullable State shown) {
    for (var newer : attempts.subList(attempts.indexOf(attempt) + 1, attempts.size())) {
      if (newer.job().equals(attempt.job()) && newer.truth().begun()) {
        attempt.truth().hasSuccessor(newer.truth().runs());
      }
    }
    attempt.reaches(clock.instant());
    var before = shownWrong.remove(attempt);
    if (!attempt.truth().allows(shown)) {
      var what =
          "%s of %s is %s and not %s"
              .formatted(attempt.run(), attempt.job(), shown, attempt.truth().allowed());
      if (!what.equals(before)) {
        wrong(what);
      }
      shownWrong.put(attempt, what);
    }
  }

  private void end(RunSummary run) {
    var id = run.job() + " " + run.run();
    var before = ends.get(id);
    // an agent that is not heard may be heard again
    if (run.state().over() && run.state() != State.LOST) {
      ends.put(id, run.state());
    } else if (before != null && !mayGoOn.contains(run.run())) {
      wrong("%s was %s and is %s".formatted(id, before, run.state()));
    }
  }

  private void count(ResultsSnapshot look, Duration sinceBegin) {
    var changed = new HashSet<String>();
    for (var job : Jobs.of(look).all()) {
      var run = job.current().map(RunSummary::run).orElse("");
      if (!run.equals(newest.put(job.key().job(), run))) {
        changed.add("job=\"" + job.key().job() + "\"");
      }
    }
    var scrape = metrics.collect();
    if (series.due(sinceBegin)) {
      series.note(sinceBegin, List.of(scrape, nodes.collect()));
    }
    var now = Counters.of(scrape);
    counters
        .fallenUntil(now)
        .forEach(
            (series, values) -> {
              // the counters of a job begin anew with each attempt
              if (changed.stream().noneMatch(series::contains)) {
                wrong("%s fell from %s".formatted(series, values));
              }
            });
    counters = now;
  }

  /// What a hang cost is on the bill of its run, whichever finding it follows from; the two may be
  /// published some seconds apart. Of a run whose logs were deleted no line tells when it ended,
  /// and its bill ends with its last line.
  private void billed(Finding finding) {
    var cost = finding.cost().gpuSeconds();
    if (finding.kind() != FindingKind.HANG
        || finding.severity() != Severity.CRITICAL
        || cost == null) {
      return;
    }
    for (var run : shown[0].runs()) {
      if (run.job().equals(finding.job())
          && run.run().equals(finding.run())
          && run.state() != State.ENDED) {
        var bill = run.bill();
        double billed =
            bill == null ? 0 : bill.items().stream().mapToDouble(RunBill.Item::gpuSeconds).sum();
        if (billed < BILLED * cost - PUBLISHED_SECONDS * run.nranks()) {
          wrong(
              "%s of %s hung for %.0f GPU-seconds, and its bill is of %.0f"
                  .formatted(run.run(), run.job(), cost, billed));
        }
      }
    }
  }

  private void wrong(String what) {
    if (wrong.size() < MOST_TOLD) {
      wrong.add(Duration.between(Cluster.T0, clock.instant()) + ": " + what);
    }
  }

  /// What Prometheus has of its jobs so far.
  Series series() {
    return series;
  }

  /// What was wrong so far.
  List<String> wrongs() {
    return new ArrayList<>(wrong);
  }

  /// At the end of a life also that findings and bills speak of the same time.
  void assertNothingWrong() {
    shown[0].findings().forEach(this::billed);
    assertThat(wrong).isEmpty();
  }
}
