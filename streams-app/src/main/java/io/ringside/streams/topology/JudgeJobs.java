package io.ringside.streams.topology;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.detect.Judge;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.join.job.JobJoin;
import io.ringside.streams.join.job.JobState;
import io.ringside.streams.join.job.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Job → its findings and runs, whenever they change.
///
/// Records only change the job's state; it is judged by the clock, so that the cost of judging does not
/// grow with the number of lines, and at once when the job's last source ends. The clock is the wall's:
/// when a job hangs its records stop, and stream time with them. What the clock says is never kept in the
/// state, which depends on the records alone: a restart in between changes no verdict.
public final class JudgeJobs extends ContextualProcessor<String, Packed, String, Published> {
  private static final Logger LOGGER = LoggerFactory.getLogger(JudgeJobs.class);

  /// Before the key of a result whose job is forgotten.
  private static final String KEPT = "~";

  private final Judge judge;
  private final Pace pace;
  private final Set<String> unjudged = new HashSet<>();
  private final LastSeen active = new LastSeen();
  private final LastSeen kept = new LastSeen();
  private Expectations judgedBy;
  private JournaledStore<JobState> jobs;
  private KeyValueStore<String, Finding> findings;
  private KeyValueStore<String, RunSummary> runs;
  private boolean begun;

  @SuppressWarnings("NullAway.Init") // stores are given in init
  JudgeJobs(Judge judge, Pace pace) {
    this.judge = judge;
    this.pace = pace;
    this.judgedBy = judge.expectations();
  }

  @Override
  public void init(ProcessorContext<String, Published> context) {
    super.init(context);
    jobs = context.getStateStore(Stores.JOBS);
    findings = context.getStateStore(Stores.FINDINGS);
    runs = context.getStateStore(Stores.RUNS);
    context.schedule(pace.judging(), PunctuationType.WALL_CLOCK_TIME, this::tick);
  }

  @Override
  public void process(Record<String, Packed> record) {
    var key = record.key();
    long now = context().currentSystemTimeMs();
    var job = jobs.get(key);
    JobJoin.apply(record.value().input(), job);
    jobs.note(key, record.value().bytes());
    active.seen(key, now);
    kept.seen(key, now);
    if (job.ended()) {
      unjudged.remove(key);
      judge(key, job, now);
    } else {
      unjudged.add(key);
    }
  }

  private void tick(long nowMillis) {
    if (!begun) {
      begun = true;
      resume(nowMillis);
    }
    var expectations = judge.expectations();
    if (!expectations.equals(judgedBy)) {
      judgedBy = expectations;
      unjudged.addAll(jobs.keys());
    }
    for (var key : unjudged) {
      judge(key, jobs.get(key), nowMillis);
    }
    unjudged.clear();
    for (var key : active.takeSilent(pace.idle(), nowMillis)) {
      // windows that are judged before they are full must not stay so: lines may go on
      var silent = jobs.copy(key);
      silent.runs().forEach(Run::idle);
      judge(key, silent, nowMillis);
    }
    kept.takeSilent(pace.forget(), nowMillis).forEach(this::forget);
  }

  /// Jobs of the partition's former owner, whose clock may just have been about to judge them.
  private void resume(long nowMillis) {
    for (var key : jobs.keys()) {
      kept.seen(key, nowMillis);
      if (!jobs.get(key).ended()) {
        active.seen(key, nowMillis);
      }
    }
  }

  private void judge(String key, JobState job, long nowMillis) {
    Judge.Verdict verdict;
    try {
      verdict = judge.judge(job, Instant.ofEpochMilli(nowMillis));
    } catch (RuntimeException e) {
      // one job that no detector expected must not keep the others from being judged
      LOGGER.atError().setCause(e).addKeyValue("job", key).log("job cannot be judged");
      return;
    }
    var gone = keys(findings, key);
    for (var finding : verdict.findings()) {
      var id = key + "|" + finding.id();
      gone.remove(id);
      publish(id, finding, nowMillis);
    }
    for (var id : gone) {
      findings.delete(id);
      context().forward(new Record<>(id, new Published.FindingChange(null), nowMillis));
    }
    var goneRuns = keys(runs, key);
    for (var run : verdict.runs()) {
      var id = key + "|" + run.run();
      goneRuns.remove(id);
      if (!run.equals(runs.get(id))) {
        runs.delete(KEPT + id);
        runs.put(id, run);
        context().forward(new Record<>(id, new Published.RunChange(run), nowMillis));
      }
    }
    // a run goes by another name once its world communicator is known
    for (var id : goneRuns) {
      runs.delete(id);
      context().forward(new Record<>(id, new Published.RunChange(null), nowMillis));
    }
  }

  /// Drops the job's state. Its results stay, out of reach of what a later start of the job says.
  private void forget(String key) {
    jobs.remove(key);
    keep(findings, key);
    keep(runs, key);
  }

  private static <T> void keep(KeyValueStore<String, T> results, String key) {
    for (var id : keys(results, key)) {
      results.put(KEPT + id, results.get(id));
      results.delete(id);
    }
  }

  private static Set<String> keys(KeyValueStore<String, ?> results, String job) {
    var keys = new HashSet<String>();
    try (var entries = results.prefixScan(job + "|", new StringSerializer())) {
      entries.forEachRemaining(entry -> keys.add(entry.key));
    }
    return keys;
  }

  private void publish(String id, Finding finding, long nowMillis) {
    var known = findings.get(id);
    var dated = known == null ? finding : finding.detectedAt(known.detectedAt());
    if (!dated.equals(known)) {
      findings.delete(KEPT + id);
      findings.put(id, dated);
      context().forward(new Record<>(id, new Published.FindingChange(dated), nowMillis));
    }
  }

  /// How often jobs are judged, and what is kept how long.
  ///
  /// @param judging time between two judgements of a job that changes
  /// @param idle after this much silence a window is judged as it is
  /// @param forget after this much silence a job's state is dropped; its findings and runs stay
  /// @param samples how far back a process that is placed late gets GPU samples
  public record Pace(Duration judging, Duration idle, Duration forget, Duration samples) {
    /// For a fleet.
    public static final Pace FLEET =
        new Pace(
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofHours(24),
            Duration.ofMinutes(2));

    /// The same with what is kept as the configuration says.
    public Pace keeping(Duration state, Duration ofSamples) {
      return new Pace(judging, idle, state, ofSamples);
    }

    /// For recordings, which end by themselves.
    public static final Pace RECORDING =
        new Pace(
            Duration.ofMillis(500),
            Duration.ofHours(1),
            Duration.ofHours(24),
            Duration.ofMinutes(30));
  }
}
