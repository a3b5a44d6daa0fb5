package io.ringside.streams.judge;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunAggregates;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.streams.bill.Bill;
import io.ringside.streams.bill.Price;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.EarlierRuns;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.ObservationMode;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.Run;
import io.ringside.streams.ledger.RunSummaries;
import io.ringside.streams.ledger.UnexplainedEnd;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Runs all detectors on all runs of a job. A detector that fails does not keep the others, or
/// other runs, from being judged. Thread-safe.
public final class Judge {
  /// Most findings of one run.
  private static final int MOST_FINDINGS = 1_000;

  private final Supplier<Expectations> expectations;
  private final List<Detector> detectors;
  private final FailureListener failures;

  /// @param expectations read at each judgement, so that a change takes effect at the next one
  /// @param failures receives the failures of detectors and other steps
  public Judge(
      Supplier<Expectations> expectations, List<Detector> detectors, FailureListener failures) {
    this.expectations = expectations;
    this.detectors = List.copyOf(detectors);
    this.failures = failures;
  }

  /// A judge with all detectors.
  ///
  /// @param failures receives the failures of detectors and other steps
  public Judge(Supplier<Expectations> expectations, FailureListener failures) {
    this(expectations, Detectors.ALL, failures);
  }

  /// A judge with all detectors and fixed expectations; failures are dropped.
  public Judge(Expectations expectations) {
    this(() -> expectations, (_, _, _) -> {});
  }

  /// The current expectations; a different object after a change.
  public Expectations expectations() {
    return expectations.get();
  }

  /// The results for the job at one moment.
  public record Verdict(List<RunSummary> runs, List<Finding> findings) {
    /// This verdict, whose newest run says how many starts of the job were never judged to their
    /// end. With 0 nothing is said.
    public Verdict withUnjudged(int starts) {
      if (starts == 0 || runs.isEmpty()) {
        return this;
      }
      var told = new ArrayList<>(runs);
      var missing =
          new NotJudged(
              "starts",
              "%d starts of this job came faster than they could be judged within its share of the service's time"
                  .formatted(starts));
      told.set(told.size() - 1, told.getLast().without(List.of(missing)));
      return new Verdict(told, findings);
    }
  }

  /// Judges all runs of a recorded job without earlier runs. Pure.
  public Verdict judge(JobState job, Instant now) {
    return judge(job, List.of(), now, ObservationMode.RECORDED, JudgingScope.DRAWING);
  }

  /// How thoroughly runs are judged.
  ///
  /// @param judged whether a run is judged; of others, the summary in the ledger stands
  /// @param drawn whether its aggregates are computed anew or taken from the ledger: computing them
  ///   costs a third of judging
  /// @param hung hangs that were reported for a run and that it never recovered from: they stay
  ///     when the run ends, since the lines that end it break the silence that showed them
  public record JudgingScope(
      Predicate<Run> judged, Predicate<Run> drawn, Function<Run, List<Finding>> hung) {
    public static final JudgingScope DRAWING = new JudgingScope(_ -> true, _ -> true);

    /// For runs without earlier judgements.
    public JudgingScope(Predicate<Run> judged, Predicate<Run> drawn) {
      this(judged, drawn, _ -> List.of());
    }

    /// Judges all runs without computing aggregates; the findings are the same.
    public static final JudgingScope GLANCE = new JudgingScope(_ -> true, _ -> false);
  }

  /// Judges the job's runs. Pure.
  ///
  /// @param ledger summaries of the job's runs as published; the state may have forgotten some of
  ///   these runs
  /// @param mode whether the job is watched live or was recorded
  public Verdict judge(
      JobState job,
      List<RunSummary> ledger,
      Instant now,
      ObservationMode mode,
      JudgingScope scope) {
    var published = new HashMap<String, RunSummary>();
    ledger.forEach(line -> published.put(line.run(), line));
    var summaries = new ArrayList<RunSummary>();
    var findings = new ArrayList<Finding>();
    var expected = expectations.get().of(job.job());
    var runs = job.runs();
    var forgotten = forgotten(ledger, runs);
    var earlier = new EarlierRuns(forgotten);
    // the ledger may have lost all of them
    int attempt =
        forgotten.stream().mapToInt(RunSummary::attempt).reduce(job.forgotten(), Math::max);
    for (var run : runs) {
      int number = ++attempt;
      if (!scope.judged().test(run)) {
        Optional.ofNullable(published.get(run.id())).ifPresent(earlier::add);
        continue;
      }
      var isolation = new FaultIsolation(job.job(), failures);
      var bare =
          isolation
              .run("run", () -> Examination.of(job, run, earlier, expected, now, mode))
              .orElse(null);
      var drawing = scope.drawn().test(run) ? null : aggregates(published.get(run.id()));
      var line =
          Optional.ofNullable(bare)
              .flatMap(
                  e ->
                      isolation.run(
                          "run", () -> RunSummaries.of(e, number, Checklist.of(e), drawing)))
              .orElseGet(() -> RunSummaries.bare(job, run, number));
      var ofRun = new ArrayList<Finding>();
      if (bare != null) {
        var examination = bare.with(line);
        for (var detector : detectors) {
          ofRun.addAll(isolation.run(detector, examination));
        }
      }
      var related =
          isolation.run("causes", () -> Correlation.of(worst(ofRun))).orElseGet(() -> worst(ofRun));
      var ofNow =
          isolation.run("proof", () -> EvidenceWriters.of(related, run, line)).orElse(related);
      var end = RunEnd.of(job, run, line, ofNow);
      var found = end.state().over() ? withHangs(ofNow, scope.hung().apply(run)) : ofNow;
      var bill = bill(bare == null ? null : bare.with(line), found, end, isolation);
      var told = judgedByNow(line, found).without(isolation.notJudged());
      summaries.add(
          told.in(end.state())
              .with(
                  its -> {
                    its.until = end.until(line);
                    its.bill = bill;
                    its.costPerGpuHour = bare == null ? null : Price.of(bare).orElse(null);
                  }));
      earlier.add(summaries.getLast());
      switch (mode) {
        case LIVE -> found.stream().map(end::clear).forEach(findings::add);
        case RECORDED -> findings.addAll(found);
      }
    }
    return new Verdict(summaries, findings);
  }

  private static @Nullable RunAggregates aggregates(@Nullable RunSummary published) {
    return published == null ? null : published.aggregates();
  }

  private static List<Finding> withHangs(List<Finding> found, List<Finding> hangs) {
    var all = new ArrayList<>(found);
    hangs.stream()
        .filter(hang -> found.stream().noneMatch(finding -> finding.id().equals(hang.id())))
        .forEach(all::add);
    return all;
  }

  /// Removes open questions that a hang answers: witnesses may show a hang that the lines alone
  /// leave open.
  private static RunSummary judgedByNow(RunSummary line, List<Finding> found) {
    boolean hangs = found.stream().anyMatch(finding -> finding.kind() == FindingKind.HANG);
    return !hangs || line.notJudged().stream().noneMatch(Judge::open)
        ? line
        : line.with(
            its -> its.notJudged = line.notJudged().stream().filter(each -> !open(each)).toList());
  }

  private static boolean open(NotJudged each) {
    return each.what().equals(UnexplainedEnd.WHAT) || each.what().equals(NotJudged.PROGRESS);
  }

  private static @Nullable RunBill bill(
      @Nullable Examination examination,
      List<Finding> found,
      RunEnd end,
      FaultIsolation isolation) {
    return examination == null
        ? null
        : isolation
            .run(
                "bill",
                () -> Optional.ofNullable(Bill.of(examination, found, end.state(), end.at())))
            .flatMap(bill -> bill)
            .orElse(null);
  }

  /// All findings, or the worst if a hostile log causes too many.
  private static List<Finding> worst(List<Finding> found) {
    return found.size() <= MOST_FINDINGS
        ? found
        : found.stream()
            .sorted(Comparator.comparing(Finding::severity).reversed())
            .limit(MOST_FINDINGS)
            .toList();
  }

  /// Summaries of runs that the state has forgotten, oldest first.
  private static List<RunSummary> forgotten(List<RunSummary> ledger, List<Run> runs) {
    return ledger.stream()
        .filter(line -> !Run.isNone(line.run()))
        // a run is named after its largest communicator, which may have been a different one before
        .filter(line -> runs.stream().noneMatch(run -> run.has(line.run())))
        .sorted(
            Comparator.comparingInt(RunSummary::attempt)
                .thenComparing(RunSummary::since, Comparator.nullsFirst(Comparator.naturalOrder()))
                .thenComparing(RunSummary::run))
        .collect(Collectors.toCollection(ArrayList::new));
  }
}
