package io.ringside.lab.evaluate;

import io.ringside.lab.simulate.GeneratedJob;
import io.ringside.lab.simulate.JobDraw;
import io.ringside.lab.simulate.JobGenerator;
import io.ringside.lab.simulate.JobKind;
import io.ringside.lab.simulate.Truth.Expected;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunBill.Ahead;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.examine.ObservationMode;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.judge.Judge.JudgingScope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Scores bills: each job is played as it was, billed, and played again by the same chance without
/// its faults. Thread-safe.
final class BillScore {
  /// Those whose faults take time, and those that have none.
  static final List<JobKind> KINDS =
      List.of(
          JobKind.STRAGGLER,
          JobKind.TWO_STRAGGLERS,
          JobKind.NOW_AND_THEN,
          JobKind.MOVING_LOAD,
          JobKind.LATE,
          JobKind.SLOWER_STEPS,
          JobKind.SLOWER_RUN,
          JobKind.HEALTHY);

  private static final Duration CHUNK = Duration.ofMillis(500);
  private static final Duration SILENCE = Duration.ofMinutes(15);

  /// A bill is right if it is wrong by no more than this share.
  private static final double RIGHT = 0.1;

  private static final double NEAR = 0.25;

  private final long seed;
  private final int maxRanks;
  private final int lines;
  private final Judge judge = new Judge(Expectations.builtIn());

  BillScore(long seed, int maxRanks, int lines) {
    this.seed = seed;
    this.maxRanks = maxRanks;
    this.lines = lines;
  }

  /// The job with this number: kinds take turns.
  BillTrial trial(int number) {
    return trial(KINDS.get(number % KINDS.size()), number);
  }

  BillTrial trial(JobKind kind, int number) {
    var plan = JobDraw.draw(kind, seed, number, maxRanks, lines);
    var job = JobGenerator.generate(plan, Evaluation.BEGIN, CHUNK);
    var run = lastRun(job);
    var since = run.since() == null ? Evaluation.BEGIN : run.since();
    var words =
        "--bill --seed %d --max-ranks %d --lines %d --only %d  %s"
            .formatted(seed, maxRanks, lines, number, plan.words());
    var hard =
        job.truth().expected().stream()
            .map(Expected::hard)
            .filter(each -> !each.isEmpty())
            .findFirst()
            .orElse("");
    var ends = JobGenerator.ends(plan, Evaluation.BEGIN, CHUNK);
    return BillTrial.of(
        words,
        kind,
        hard,
        ends,
        Duration.between(Evaluation.BEGIN, since).toNanos() / 1e9,
        run.bill(),
        OutlookTrial.steps(plan)
            .map(
                steps ->
                    OutlookTrial.of(
                        words, kind, hard, ends, steps, ahead(job, ends.stepsWith(), steps)))
            .orElse(null));
  }

  /// What is said of the last run while it goes on, as the service says it.
  private List<Ahead> ahead(GeneratedJob job, List<Double> ends, OutlookTrial.Steps steps) {
    long now = Nanos.of(Evaluation.BEGIN) + Math.round(1e9 * ends.get(steps.now()));
    var replay = new Replay();
    job.records().stream()
        .filter(sent -> sent.atNanos() <= now)
        .forEach(sent -> replay.add(sent.event()));
    return replay.jobs().values().stream()
        .flatMap(
            state ->
                judge
                    .judge(
                        state,
                        List.of(),
                        Nanos.instant(now),
                        ObservationMode.LIVE,
                        JudgingScope.DRAWING)
                    .runs()
                    .stream())
        .filter(run -> run.nranks() > 0)
        .reduce((_, last) -> last)
        .map(RunSummary::bill)
        .map(RunBill::ahead)
        .orElse(List.of());
  }

  private RunSummary lastRun(GeneratedJob job) {
    var replay = new Replay();
    job.records().forEach(sent -> replay.add(sent.event()));
    replay.jobs().values().forEach(state -> state.runs().forEach(run -> run.idle(SILENCE)));
    Instant end = Nanos.instant(job.records().getLast().atNanos());
    return replay.jobs().values().stream()
        .flatMap(state -> judge.judge(state, end.plus(SILENCE)).runs().stream())
        .filter(run -> run.nranks() > 0)
        .reduce((_, last) -> last)
        .orElseThrow();
  }

  /// A line a kind, and the jobs whose bill is wrong.
  static List<String> table(List<BillTrial> trials) {
    var table = new ArrayList<String>();
    table.add(
        "| faults | jobs | billed | found, not billed | within 10 % | within 25 % | median error | truth within the interval |");
    table.add("|---|---|---|---|---|---|---|---|");
    for (var kind : KINDS) {
      var of = trials.stream().filter(trial -> trial.kind() == kind).toList();
      if (kind != JobKind.HEALTHY && !of.isEmpty()) {
        var name = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        row(name, plain(of, true), table);
        row(name + ", hard to find", plain(of, false), table);
      }
    }
    row("all but the hard", plain(trials, true), table);
    var healthy = trials.stream().filter(trial -> trial.kind() == JobKind.HEALTHY).toList();
    table.add("");
    table.add(
        "%d healthy jobs, %d of them billed"
            .formatted(healthy.size(), healthy.stream().filter(BillTrial::billed).count()));
    return table;
  }

  /// The same for what is ahead.
  static List<String> outlook(List<BillTrial> trials) {
    var table = new ArrayList<String>();
    table.add(
        "| faults | jobs | told | within 10 % | within 25 % | median error | truth within the interval |");
    table.add("|---|---|---|---|---|---|---|");
    for (var kind : KINDS) {
      var name = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      ahead(name, of(trials, kind, true), table);
      ahead(name + ", hard to find", of(trials, kind, false), table);
    }
    ahead("all but the hard", of(trials, null, true), table);
    return table;
  }

  private static List<OutlookTrial> of(
      List<BillTrial> trials, @Nullable JobKind kind, boolean plain) {
    return trials.stream()
        .map(BillTrial::outlook)
        .filter(Objects::nonNull)
        .filter(trial -> kind == null || trial.kind() == kind)
        .filter(trial -> trial.hard().isEmpty() == plain)
        .toList();
  }

  private static void ahead(String name, List<OutlookTrial> trials, List<String> table) {
    if (trials.isEmpty()) {
      return;
    }
    var told = trials.stream().filter(trial -> !trial.said().isEmpty()).toList();
    var errors = told.stream().map(OutlookTrial::error).sorted().toList();
    table.add(
        "| %s | %d | %d | %d | %d | %s | %d |"
            .formatted(
                name,
                trials.size(),
                told.size(),
                errors.stream().filter(error -> error <= RIGHT).count(),
                errors.stream().filter(error -> error <= NEAR).count(),
                median(errors),
                told.stream().filter(OutlookTrial::within).count()));
  }

  private static String median(List<Double> errors) {
    return errors.isEmpty()
        ? "-"
        : String.format(Locale.ROOT, "%.1f %%", 100 * errors.get(errors.size() / 2));
  }

  /// What was said wrongly of what was ahead, in words.
  static List<String> wrongOutlook(List<BillTrial> trials) {
    return trials.stream()
        .map(BillTrial::outlook)
        .filter(Objects::nonNull)
        .filter(trial -> !trial.said().isEmpty() && !(trial.error() <= RIGHT))
        .map(
            trial ->
                "%s%s: %.3f of the time ahead, said %.3f (%s)%n    %s"
                    .formatted(
                        trial.kind(),
                        trial.hard().isEmpty() ? "" : " (" + trial.hard() + ")",
                        trial.share(),
                        trial.told(),
                        String.join(
                            ", ",
                            trial.said().stream()
                                .map(
                                    it ->
                                        "%s %s %.3f (%.3f to %.3f)"
                                            .formatted(
                                                it.cause().label(),
                                                it.ranks(),
                                                it.share(),
                                                it.lowShare(),
                                                it.highShare()))
                                .toList()),
                        trial.job()))
        .toList();
  }

  private static List<BillTrial> plain(List<BillTrial> trials, boolean plain) {
    return trials.stream()
        .filter(trial -> trial.kind() != JobKind.HEALTHY)
        .filter(trial -> trial.hard().isEmpty() == plain)
        .toList();
  }

  private static void row(String name, List<BillTrial> trials, List<String> table) {
    if (trials.isEmpty()) {
      return;
    }
    var billed = trials.stream().filter(BillTrial::billed).toList();
    var errors = billed.stream().map(BillTrial::error).sorted().toList();
    table.add(
        "| %s | %d | %d | %d | %d | %d | %s | %d |"
            .formatted(
                name,
                trials.size(),
                billed.size(),
                trials.stream().filter(BillTrial::unpriced).count(),
                errors.stream().filter(error -> error <= RIGHT).count(),
                errors.stream().filter(error -> error <= NEAR).count(),
                median(errors),
                billed.stream().filter(BillTrial::within).count()));
  }

  /// The bills that are wrong, in words.
  static List<String> wrong(List<BillTrial> trials) {
    return trials.stream()
        .filter(BillTrial::billed)
        .filter(trial -> !(trial.error() <= RIGHT))
        .map(
            trial ->
                "%s%s: %.1f s of %.0f s, billed %.1f (%s)%n    %s"
                    .formatted(
                        trial.kind(),
                        trial.hard().isEmpty() ? "" : " (" + trial.hard() + ")",
                        trial.saved(),
                        trial.seconds(),
                        trial.said(),
                        items(trial),
                        trial.job()))
        .toList();
  }

  private static String items(BillTrial trial) {
    return String.join(
        ", ",
        Objects.requireNonNull(trial.bill()).items().stream()
            .map(
                item ->
                    "%s %s %.1f (%.1f to %.1f)"
                        .formatted(
                            item.cause().label(),
                            item.ranks(),
                            item.seconds(),
                            item.lowSeconds(),
                            item.highSeconds()))
            .toList());
  }
}
