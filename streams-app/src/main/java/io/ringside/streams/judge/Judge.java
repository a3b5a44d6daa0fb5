package io.ringside.streams.judge;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunAggregates;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.bill.Bill;
import io.ringside.streams.bill.Price;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.EarlierRuns;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.Sight;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.Run;
import io.ringside.streams.ledger.OpenEnd;
import io.ringside.streams.ledger.RunSummaries;
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

/// Lets all detectors examine all runs of a job: one that fails keeps neither the others nor other
/// runs from being judged. Thread-safe.
public final class Judge {
  /// Of one run.
  private static final int MOST_FINDINGS = 1_000;

  private final Supplier<Expectations> expectations;
  private final List<Detector> detectors;
  private final Failures failures;

  /// @param expectations asked at each judgement, so that a change takes effect at the next
  /// @param failures hear of what failed
  public Judge(Supplier<Expectations> expectations, List<Detector> detectors, Failures failures) {
    this.expectations = expectations;
    this.detectors = List.copyOf(detectors);
    this.failures = failures;
  }

  /// With all detectors.
  ///
  /// @param failures hear of what failed
  public Judge(Supplier<Expectations> expectations, Failures failures) {
    this(expectations, Detectors.ALL, failures);
  }

  /// With all detectors and expectations that never change; nobody hears of what failed.
  public Judge(Expectations expectations) {
    this(() -> expectations, (_, _, _) -> {});
  }

  /// What it expects at the moment; another object after a change.
  public Expectations expectations() {
    return expectations.get();
  }

  /// What holds of the job at one moment.
  public record Verdict(List<RunSummary> runs, List<Finding> findings) {}

  /// Judges all runs of a recorded job that has no others. Pure.
  public Verdict judge(JobState job, Instant now) {
    return judge(job, List.of(), now, Sight.RECORDED, Look.DRAWING);
  }

  /// How closely runs are looked at.
  ///
  /// @param judged whether a run is judged, or only counted
  /// @param drawn whether its line draws it anew, or as the ledger does: drawing costs a third of
  ///   judging
  /// @param hung hangs that were told of a run and that it never came back from: they stay where it
  ///     ends, since the lines that end it break the silence that showed them
  public record Look(
      Predicate<Run> judged, Predicate<Run> drawn, Function<Run, List<Finding>> hung) {
    public static final Look DRAWING = new Look(_ -> true, _ -> true);

    /// Of what nobody judged before.
    public Look(Predicate<Run> judged, Predicate<Run> drawn) {
      this(judged, drawn, _ -> List.of());
    }

    /// Finds the same.
    public static final Look GLANCE = new Look(_ -> true, _ -> false);
  }

  /// Judges the job's runs. Pure.
  ///
  /// @param ledger lines of the job's runs as they were published, of which the state may know some
  ///   no more
  /// @param sight whether the job is watched as it goes on
  public Verdict judge(JobState job, List<RunSummary> ledger, Instant now, Sight sight, Look look) {
    var drawn = new HashMap<String, @Nullable RunAggregates>();
    ledger.forEach(line -> drawn.put(line.run(), line.aggregates()));
    var summaries = new ArrayList<RunSummary>();
    var findings = new ArrayList<Finding>();
    var expected = expectations.get().of(job.job());
    var runs = job.runs();
    var forgotten = forgotten(ledger, runs);
    var earlier = new EarlierRuns(forgotten);
    // the ledger may hold none of them any more
    int attempt =
        forgotten.stream().mapToInt(RunSummary::attempt).reduce(job.forgotten(), Math::max);
    for (var run : runs) {
      int number = ++attempt;
      if (!look.judged().test(run)) {
        continue;
      }
      var guarded = new Guarded(job.job(), failures);
      var bare =
          guarded
              .of("run", () -> Examination.of(job, run, earlier, expected, now, sight))
              .orElse(null);
      var drawing = look.drawn().test(run) ? null : drawn.get(run.id());
      var line =
          Optional.ofNullable(bare)
              .flatMap(
                  e ->
                      guarded.of("run", () -> RunSummaries.of(e, number, Checklist.of(e), drawing)))
              .orElseGet(() -> RunSummaries.bare(job, run, number));
      var ofRun = new ArrayList<Finding>();
      if (bare != null) {
        var examination = bare.with(line);
        for (var detector : detectors) {
          ofRun.addAll(guarded.of(detector, examination));
        }
      }
      var related =
          guarded.of("causes", () -> Correlation.of(worst(ofRun))).orElseGet(() -> worst(ofRun));
      var ofNow = guarded.of("proof", () -> Bylines.of(related, run, line)).orElse(related);
      var end = RunEnd.of(job, run, line, ofNow);
      var found = end.state().over() ? withHangs(ofNow, look.hung().apply(run)) : ofNow;
      var bill = bill(bare == null ? null : bare.with(line), found, end, guarded);
      var told = judgedByNow(line, found).without(guarded.notJudged());
      summaries.add(
          told.in(end.state())
              .with(
                  its -> {
                    its.until = end.until(line);
                    its.bill = bill;
                    its.costPerGpuHour = bare == null ? null : Price.of(bare).orElse(null);
                  }));
      earlier.add(summaries.getLast());
      switch (sight) {
        case LIVE -> found.stream().map(end::clear).forEach(findings::add);
        case RECORDED -> findings.addAll(found);
      }
    }
    return new Verdict(summaries, findings);
  }

  private static List<Finding> withHangs(List<Finding> found, List<Finding> hangs) {
    var all = new ArrayList<>(found);
    hangs.stream()
        .filter(hang -> found.stream().noneMatch(finding -> finding.id().equals(hang.id())))
        .forEach(all::add);
    return all;
  }

  /// Witnesses may tell of a hang that the lines alone leave open.
  private static RunSummary judgedByNow(RunSummary line, List<Finding> found) {
    boolean hangs = found.stream().anyMatch(finding -> finding.kind() == FindingKind.HANG);
    return !hangs || line.notJudged().stream().noneMatch(Judge::open)
        ? line
        : line.with(
            its -> its.notJudged = line.notJudged().stream().filter(each -> !open(each)).toList());
  }

  private static boolean open(RunSummary.NotJudged each) {
    return each.what().equals(OpenEnd.WHAT) || each.what().equals(RunSummary.NotJudged.PROGRESS);
  }

  private static @Nullable RunBill bill(
      @Nullable Examination examination, List<Finding> found, RunEnd end, Guarded guarded) {
    return examination == null
        ? null
        : guarded
            .of(
                "bill",
                () -> Optional.ofNullable(Bill.of(examination, found, end.state(), end.at())))
            .flatMap(bill -> bill)
            .orElse(null);
  }

  /// All of them, unless a log was made to have findings without end.
  private static List<Finding> worst(List<Finding> found) {
    return found.size() <= MOST_FINDINGS
        ? found
        : found.stream()
            .sorted(Comparator.comparing(Finding::severity).reversed())
            .limit(MOST_FINDINGS)
            .toList();
  }

  /// Lines of runs that the state does not know any more, oldest first.
  private static List<RunSummary> forgotten(List<RunSummary> ledger, List<Run> runs) {
    return ledger.stream()
        .filter(line -> !Run.isNone(line.run()))
        // a run bears the name of its largest communicator, which may have been another before
        .filter(line -> runs.stream().noneMatch(run -> run.has(line.run())))
        .sorted(
            Comparator.comparingInt(RunSummary::attempt)
                .thenComparing(RunSummary::since, Comparator.nullsFirst(Comparator.naturalOrder()))
                .thenComparing(RunSummary::run))
        .collect(Collectors.toCollection(ArrayList::new));
  }
}
