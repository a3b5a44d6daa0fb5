package io.ringside.standalone.analyze;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.streams.examine.ObservationMode;
import io.ringside.streams.fact.JobInput;
import io.ringside.streams.job.JobJoin;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.Run;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.judge.Judge.JudgingScope;
import io.ringside.streams.judge.SettledRuns;
import io.ringside.streams.ledger.RunSummaries;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.LoggerFactory;

/// One job of a recording: its state while it is read, then its runs and findings. Only one thread
/// may use it at a time.
final class RecordedJob {
  private static final List<NotJudged> UNREAD = List.of(NotJudged.failed("log"));

  private final Judge judge;
  private final InstantSource clock;
  private JobState state = new JobState();
  private final Map<String, RunSummary> runs = new TreeMap<>();
  private final Map<String, Finding> findings = new TreeMap<>();

  private final SettledRuns settled = new SettledRuns();

  /// Whether some input could not be applied. The rest is judged, and marked as incomplete.
  private boolean broken;

  RecordedJob(Judge judge, InstantSource clock) {
    this.judge = judge;
    this.clock = clock;
  }

  void apply(JobInput input) {
    try {
      JobJoin.apply(input, state);
    } catch (RuntimeException e) {
      if (!broken) {
        LoggerFactory.getLogger(RecordedJob.class)
            .atError()
            .setCause(e)
            .addKeyValue("job", state.job())
            .log("lines not taken in");
      }
      broken = true;
    }
    var leaving = settled.unsettled(state.leaving());
    if (!leaving.isEmpty()) {
      // judge them now: the state forgets them, but their findings and summaries are kept here
      judge(new JudgingScope(leaving::contains, _ -> true), Run.names(leaving));
    }
  }

  /// Whether every log of the job has ended.
  boolean ended() {
    return state.ended();
  }

  /// Judges the job, drops its state and returns it.
  RecordedJob judged() {
    judge(JudgingScope.DRAWING, state.names());
    state = new JobState();
    return this;
  }

  List<RunSummary> runs() {
    return broken
        ? runs.values().stream().map(run -> run.without(UNREAD)).toList()
        : List.copyOf(runs.values());
  }

  List<Finding> findings() {
    return List.copyOf(findings.values());
  }

  /// @param names current and former names of the judged runs
  private void judge(JudgingScope look, Set<String> names) {
    var verdict =
        judge.judge(
            state, List.copyOf(runs.values()), clock.instant(), ObservationMode.RECORDED, look);
    runs.keySet().removeAll(names);
    findings.values().removeIf(finding -> names.contains(finding.run()));
    verdict.runs().forEach(run -> runs.put(run.run(), run));
    settled.note(verdict.runs());
    if (broken && runs.isEmpty()) {
      runs.put(Run.NONE, RunSummaries.bare(state, new Run(), 1));
    }
    verdict.findings().forEach(finding -> findings.put(finding.id(), finding));
  }
}
