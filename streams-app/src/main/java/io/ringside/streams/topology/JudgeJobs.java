package io.ringside.streams.topology;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.detect.Hysteresis;
import io.ringside.streams.detect.Hysteresis.Shown;
import io.ringside.streams.detect.Judge;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.join.fact.JobInput;
import io.ringside.streams.join.job.JobJoin;
import io.ringside.streams.join.job.JobState;
import io.ringside.streams.join.job.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/// Job → its findings and runs, whenever they change.
///
/// Records only change the job's state; it is judged by the clock, so that the cost of judging does not
/// grow with the number of lines, and at once when the job's last source ends. The clock is the wall's:
/// when a job hangs its records stop, and stream time with them.
public final class JudgeJobs extends ContextualProcessor<String, JobInput, String, Published> {
  private final Judge judge;
  private final Pace pace;
  private final Set<String> unjudged = new HashSet<>();
  private final Map<String, Long> lastInputMillis = new HashMap<>();

  /// Since when judgements have been milder than what is shown, by finding. Not kept: after a restart the
  /// time begins anew, and a finding stays a little longer.
  private final Map<String, Instant> milderSince = new HashMap<>();

  /// Jobs with such findings: they change by the clock alone.
  private final Set<String> pending = new HashSet<>();

  private Expectations judgedBy;
  private WriteBehindStore<JobState> jobs;
  private KeyValueStore<String, Finding> findings;
  private KeyValueStore<String, RunSummary> runs;

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
  public void process(Record<String, JobInput> record) {
    var job = jobs.change(record.key());
    JobJoin.apply(record.value(), job);
    lastInputMillis.put(record.key(), context().currentSystemTimeMs());
    if (job.ended()) {
      unjudged.remove(record.key());
      judge(record.key(), job, context().currentSystemTimeMs());
    } else {
      unjudged.add(record.key());
    }
  }

  private void tick(long nowMillis) {
    var expectations = judge.expectations();
    if (!expectations.equals(judgedBy)) {
      judgedBy = expectations;
      unjudged.addAll(jobs.keys());
    }
    lastInputMillis
        .entrySet()
        .removeIf(
            entry -> {
              boolean idle = nowMillis - entry.getValue() >= pace.idle().toMillis();
              if (idle) {
                jobs.change(entry.getKey()).runs().forEach(Run::idle);
                unjudged.add(entry.getKey());
              }
              return idle;
            });
    var due = new TreeSet<>(unjudged);
    due.addAll(pending);
    unjudged.clear();
    pending.clear();
    for (var key : due) {
      judge(key, jobs.change(key), nowMillis);
    }
  }

  private void judge(String key, JobState job, long nowMillis) {
    var verdict = judge.judge(job, Instant.ofEpochMilli(nowMillis));
    var hold =
        job.ended()
            ? Duration.ZERO
            : judge.expectations().of(job.job()).thresholds().findings().hold();
    var judged = new TreeMap<String, @Nullable Finding>();
    try (var known = findings.prefixScan(key + "|", new StringSerializer())) {
      known.forEachRemaining(entry -> judged.put(entry.key, null));
    }
    verdict.findings().forEach(finding -> judged.put(key + "|" + finding.id(), finding));
    judged.forEach((id, finding) -> show(key, id, finding, hold, nowMillis));
    for (var run : verdict.runs()) {
      var id = key + "|" + run.run();
      if (!run.equals(runs.get(id))) {
        runs.put(id, run);
        context().forward(new Record<>(id, new Published.RunChange(run), nowMillis));
      }
    }
  }

  private void show(
      String key, String id, @Nullable Finding judged, Duration hold, long nowMillis) {
    var known = findings.get(id);
    var next =
        Hysteresis.next(
            new Shown(known, milderSince.get(id)), judged, Instant.ofEpochMilli(nowMillis), hold);
    if (next.pending()) {
      milderSince.put(id, next.milderSince());
      pending.add(key);
    } else {
      milderSince.remove(id);
    }
    var finding = next.finding();
    if (!Objects.equals(finding, known)) {
      if (finding == null) {
        findings.delete(id);
      } else {
        findings.put(id, finding);
      }
      context().forward(new Record<>(id, new Published.FindingChange(finding), nowMillis));
    }
  }

  /// How often jobs are judged.
  ///
  /// @param judging time between two judgements of a job that changes
  /// @param idle after this much silence a window is judged as it is
  public record Pace(Duration judging, Duration idle) {
    /// For a fleet.
    public static final Pace FLEET = new Pace(Duration.ofSeconds(1), Duration.ofSeconds(10));

    /// For recordings, which end by themselves.
    public static final Pace RECORDING = new Pace(Duration.ofMillis(500), Duration.ofHours(1));
  }
}
