package io.ringside.streams.topology;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.fact.GpuFacts;
import io.ringside.streams.fact.GpuLinkFacts;
import io.ringside.streams.fact.JobInput;
import io.ringside.streams.fact.KernelFacts;
import io.ringside.streams.fact.LogFacts;
import io.ringside.streams.fact.NodeFacts;
import io.ringside.streams.fact.NodeGpus;
import io.ringside.streams.fact.TopologyFacts;
import io.ringside.streams.fact.WitnessFacts;
import io.ringside.streams.job.JobJoin;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.Run;
import io.ringside.streams.judge.Hysteresis;
import io.ringside.streams.judge.Hysteresis.Shown;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.judge.Judge.JudgingScope;
import io.ringside.streams.judge.RestingRuns;
import io.ringside.streams.judge.SettledRuns;
import io.ringside.streams.state.JournaledStore;
import io.ringside.streams.state.PackedInput;
import io.ringside.streams.state.StateBytes;
import io.ringside.streams.topology.DueJobs.Due;
import io.ringside.streams.waits.Rounds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Input by job → the job's findings and runs, whenever they change.
///
/// A record only changes the job's state. Jobs are judged by the clock, those with news first, so
/// that the cost of judging does not grow with the number of lines; a job is judged at once when
/// its last source ends. The clock is the wall clock: when a job hangs, its records stop, and
/// stream time stops with them. Nothing that depends on the clock is kept in the state, which
/// depends on the records alone, so a restart changes no verdict.
public final class JudgingProcessor
    extends ContextualProcessor<String, PackedInput, String, Object> {
  private static final Logger LOGGER = LoggerFactory.getLogger(JudgingProcessor.class);

  /// Share of the passing time, in percent.
  private static final int PERCENT_AT_ONCE = 1;

  private static final StateBytes<Rounds> ROUNDS = new StateBytes<>(Rounds.class);

  private final Judge judge;
  private final ServicePace pace;
  private DueJobs due;
  private SilentJobs silentJobs;

  /// Time since when a finding has been judged milder than it is shown, by finding. Not kept: after
  /// a restart the time starts again, and a finding is shown a little longer.
  private Map<String, Instant> milderSince;

  /// Findings of jobs whose state was lost, as far as lines read since then prove them. Not kept:
  /// they are found again after a restart.
  private Set<String> foundAnew;

  private LedgerPace lines;

  /// Settled runs of those jobs that have so many runs that their state forgets some.
  private Map<String, SettledRuns> settled;

  /// Old runs that are over, by job. Not kept: after a restart all runs are judged once.
  private Map<String, RestingRuns> resting;

  /// Jobs that change by the clock alone: they have findings that are held, or summaries that wait
  /// to be published.
  private Set<String> pending;

  /// For judgements that records trigger at once, when a run ends or makes the state forget an
  /// older run. A job that starts a new run in each line would take the whole thread. Beyond its
  /// share judgements wait for the clock, and runs that are forgotten meanwhile stay unjudged.
  private JudgingShare share;

  /// How many runs of a job were forgotten without a last judgement, for want of its share. Not
  /// kept: it depends on the clock, and counts since this instance took the job over.
  private Map<String, Integer> unjudged;

  private BlameChanges blames;

  private Expectations judgedBy;
  private JournaledStore<JobState> jobs;
  private Results<Finding> findings;
  private Results<RunSummary> runs;
  private boolean begun;

  private RecordLag lag;

  @SuppressWarnings("NullAway.Init") // init sets the stores
  JudgingProcessor(Judge judge, ServicePace pace) {
    this.judge = judge;
    this.pace = pace;
    this.judgedBy = judge.expectations();
  }

  @Override
  public void init(ProcessorContext<String, Object> context) {
    super.init(context);
    forgetAll();
    jobs = context.getStateStore(Stores.JOBS);
    findings = new Results<>(ResultKind.FINDINGS, context);
    runs = new Results<>(ResultKind.RUNS, context);
    context.schedule(pace.judging(), PunctuationType.WALL_CLOCK_TIME, this::tick);
    context.schedule(Expiry.PAUSE, PunctuationType.WALL_CLOCK_TIME, this::expire);
  }

  /// Resets this processor. Kafka Streams reuses a processor when it gives a task up and revives it
  /// with the state of its last commit.
  private void forgetAll() {
    due = new DueJobs();
    silentJobs = new SilentJobs(pace.idle(), key -> lastHeard(jobs.get(key)));
    milderSince = new HashMap<>();
    foundAnew = new HashSet<>();
    lines = new LedgerPace();
    settled = new HashMap<>();
    resting = new HashMap<>();
    pending = new HashSet<>();
    share = new JudgingShare(PERCENT_AT_ONCE, pace.atOnce());
    unjudged = new HashMap<>();
    blames = new BlameChanges();
    lag = new RecordLag();
    begun = false;
  }

  @Override
  public void close() {
    JudgingBudget.ofThisThread().leave(this);
  }

  @Override
  public void process(Record<String, PackedInput> record) {
    var key = record.key();
    long now = context().currentSystemTimeMs();
    lag.received(record.timestamp());
    var job = jobs.get(key);
    boolean speaks = ofTheJob(record.value().input());
    if (!speaks && job.sources().isEmpty()) {
      jobs.remove(key); // the job is forgotten or not yet known
      return;
    }
    boolean news = JobJoin.apply(record.value().input(), job);
    jobs.note(key, record.value().bytes());
    if (speaks) {
      silentJobs.speaks(key, now);
    }
    if (news && speaks && record.value().input() instanceof WitnessFacts) {
      resting.remove(key); // a witness may speak of a run that is over
    }
    var leaving = leaving(key, job);
    if (job.ended() || !leaving.isEmpty()) {
      boolean lets = share.lets(key, now);
      long began = JudgingBudget.nanos();
      if (lets && job.ended()) {
        due.take(key);
        judge(key, job, now);
      } else {
        due.changed(key, news, now);
        if (lets) {
          judge(key, job, new Part(leaving, leaving, leaving, false, Set.of()), now);
        } else if (!leaving.isEmpty()) {
          unjudged.merge(key, leaving.size(), Integer::sum);
        }
      }
      if (lets) {
        share.took(key, JudgingBudget.nanos() - began, now);
      }
      JobJoin.forget(job);
    } else if (!silentJobs.over(key)) {
      due.changed(key, news, now);
    }
  }

  /// Runs that the next record makes the state forget and that were not yet judged for the last
  /// time. In a backlog, lines come faster than the clock advances.
  private List<Run> leaving(String key, JobState job) {
    var leaving = job.leaving();
    return leaving.isEmpty()
        ? leaving
        : settled.computeIfAbsent(key, _ -> new SettledRuns()).unsettled(leaving);
  }

  /// Whether the input shows that the job lives. Readings of its node's GPUs and network arrive
  /// without it too.
  private static boolean ofTheJob(JobInput input) {
    return switch (input) {
      case LogFacts _ -> true;
      case WitnessFacts witness -> !witness.source().speaksOfNode();
      case GpuFacts _, GpuLinkFacts _, NodeFacts _, NodeGpus _, TopologyFacts _, KernelFacts _ ->
          false;
    };
  }

  private void tick(long nowMillis) {
    if (!begun) {
      begun = true;
      resume(nowMillis);
    }
    var expectations = judge.expectations();
    if (!expectations.equals(judgedBy)) {
      judgedBy = expectations;
      resting.clear();
      jobs.keys().forEach(key -> due.changed(key, false, nowMillis));
    }
    silentJobs.begun(nowMillis).forEach(key -> due.changed(key, true, nowMillis));
    judgeDue(nowMillis);
    for (var key : silentJobs.takeLost(pace.forget(), nowMillis)) {
      jobs.remove(key);
      settled.remove(key);
      resting.remove(key);
      share.forget(key);
      unjudged.remove(key);
      due.forget(key);
      findings.forget(key);
      foundAnew.removeIf(id -> id.startsWith(key + "|"));
      runs.forget(key);
    }
  }

  /// Removes old results of jobs that have not run for a long time.
  private void expire(long nowMillis) {
    var before = Instant.ofEpochMilli(nowMillis).minus(pace.results());
    var live = jobs.keys();
    findings.expire(live, before, nowMillis);
    runs.expire(live, before, nowMillis);
  }

  private void judgeDue(long nowMillis) {
    pending.forEach(key -> due.changed(key, false, nowMillis));
    pending.clear();
    silentJobs.due(nowMillis).forEach(key -> due.changed(key, false, nowMillis));
    silentJobs.unheard().forEach(due::take);
    var budget = JudgingBudget.ofThisThread();
    var ready = due.ready(nowMillis);
    budget.waits(this, ready, lag.take(nowMillis), nowMillis);
    var waiting = new ArrayList<Due>();
    for (var next : ready) {
      // of jobs of the same kind, only the first one is tried
      if (!waiting.isEmpty() && waiting.getLast().isLike(next) || !budget.lets(this, next)) {
        waiting.add(next);
        continue;
      }
      var key = next.job();
      var began = JudgingBudget.Spent.now();
      due.take(key);
      var job = jobs.get(key);
      judgeAsItIs(key, job, nowMillis);
      var spent = JudgingBudget.Spent.since(began);
      due.took(
          key, spent.processorNanos(), job.runs().size() > pace.runs(), job.nodes(), nowMillis);
      budget.took(next, spent);
      if (silentJobs.rests(key, nowMillis) && !pending.contains(key)) {
        jobs.rest(key);
        findings.forget(key);
        runs.forget(key);
      }
    }
    budget.waits(this, waiting);
  }

  /// Judges the job; one that is silent as it is, since windows that were closed early must not
  /// stay closed.
  private void judgeAsItIs(String key, JobState job, long nowMillis) {
    var silence = silentJobs.of(key, nowMillis);
    if (silence == null) {
      judge(key, job, nowMillis);
      return;
    }
    job.idle(silence, ROUNDS::copy);
    try {
      judge(key, job, nowMillis);
    } finally {
      job.resume();
    }
  }

  /// Time when the newest line was read, whether live or late: a job that was read live may end
  /// with lines that were read late because its agent was away.
  private static Optional<Instant> lastHeard(JobState job) {
    var read =
        job.sources().values().stream().map(JobState.Source::readAt).flatMap(Stream::ofNullable);
    return Stream.concat(job.newestRead().stream(), read).max(Comparator.naturalOrder());
  }

  /// Takes over jobs that the partition's former owner may have been about to judge. Jobs with
  /// lines since the takeover are already this owner's.
  private void resume(long nowMillis) {
    mend(nowMillis);
    for (var key : jobs.keys()) {
      if (!silentJobs.isNew(key, nowMillis)) {
        continue;
      }
      boolean ended = jobs.get(key).ended();
      if (ended ? !toldToTheEnd(key) : silentJobs.inherit(key, nowMillis)) {
        due.changed(key, ended, nowMillis);
      }
    }
  }

  /// Whether the former owner judged the job after its last record. It may not have: a job that
  /// takes much of its thread's time is judged later.
  private boolean toldToTheEnd(String key) {
    var told = runs.of(key);
    runs.forget(key);
    return !told.isEmpty() && told.stream().allMatch(run -> run.state().over());
  }

  /// Converts results that an older version wrote, or sets them aside.
  private void mend(long nowMillis) {
    int aside = findings.mend(nowMillis) + runs.mend(nowMillis);
    if (aside > 0) {
      LOGGER
          .atWarn()
          .addKeyValue("records", aside)
          .log("state of an older version set aside: its keys do not tell which job it is of");
    }
  }

  private void judge(String key, JobState job, long nowMillis) {
    boolean drawing = job.ended() || lines.drawing(key, nowMillis);
    if (!drawing) {
      pending.add(key);
    }
    var leaving = leaving(key, job);
    var kept = kept(job, leaving);
    var rest = job.ended() ? List.<Run>of() : resting(key, job, leaving, nowMillis);
    rest.forEach(kept::remove);
    judge(
        key,
        job,
        new Part(
            kept,
            drawing ? job.runs() : leaving,
            job.ended() ? job.runs() : leaving,
            true,
            Run.names(rest)),
        nowMillis);
  }

  /// Runs that stay as published, unless they are about to be forgotten.
  private List<Run> resting(String key, JobState job, List<Run> leaving, long nowMillis) {
    var ids = restingOf(key).of(job.runs().stream().map(Run::id).toList(), nowMillis);
    return job.runs().stream()
        .filter(run -> ids.contains(run.id()) && !leaving.contains(run))
        .toList();
  }

  private RestingRuns restingOf(String key) {
    return resting.computeIfAbsent(key, _ -> new RestingRuns());
  }

  /// The part of a job that is judged.
  ///
  /// @param drawn runs whose aggregates are computed anew
  /// @param last runs that are judged for the last time
  /// @param whole whether these are all runs of the job that the ledger holds, but for resting ones
  /// @param resting names of runs that are over and stay as published
  private record Part(
      Collection<Run> runs,
      Collection<Run> drawn,
      Collection<Run> last,
      boolean whole,
      Set<String> resting) {
    /// Names of all runs that are judged. If the part is the whole job, these include names that
    /// its runs had before.
    Set<String> names(JobState job) {
      if (!whole) {
        return Run.names(runs);
      }
      var names = job.names();
      names.removeAll(resting);
      return names;
    }
  }

  private void judge(String key, JobState job, Part part, long nowMillis) {
    Judge.Verdict verdict;
    var ledger = runs.of(key);
    var drawn = ids(part.drawn());
    try {
      var now = Instant.ofEpochMilli(nowMillis);
      var judged = ids(part.runs());
      var look =
          new JudgingScope(
              run -> judged.contains(run.id()),
              run -> drawn.contains(run.id()),
              run -> hung(key, run));
      var seen = judge.judge(job, ledger, now, pace.mode(), look);
      verdict = part.whole() ? seen.withUnjudged(unjudged.getOrDefault(key, 0)) : seen;
    } catch (RuntimeException e) {
      // a job that trips a detector must not keep the others from being judged
      LOGGER.atError().setCause(e).addKeyValue("job", key).log("job cannot be judged");
      return;
    }
    restingOf(key).judged(verdict.runs(), nowMillis);
    var names = part.names(job);
    showFindings(key, job, part, names, verdict, nowMillis);
    writeLedger(key, drawn, ids(part.last()), verdict.runs(), nowMillis);
    verdict.runs().forEach(run -> names.remove(run.run()));
    ledger.stream()
        .filter(run -> names.contains(run.run()))
        .forEach(run -> runs.drop(key, key + "|" + run.run(), nowMillis));
    forgetOldest(key, nowMillis);
  }

  /// @param names of all runs that were judged, including their earlier names
  private void showFindings(
      String key,
      JobState job,
      Part part,
      Set<String> names,
      Judge.Verdict verdict,
      long nowMillis) {
    var hold =
        job.ended()
            ? Duration.ZERO
            : judge.expectations().of(job.job()).thresholds().findings().hold();
    var judged = new TreeMap<String, @Nullable Finding>();
    known(key, names).forEach(id -> judged.put(id, null));
    verdict.findings().forEach(finding -> judged.put(key + "|" + finding.id(), finding));
    int nodes = verdict.runs().stream().mapToInt(run -> run.nodes().size()).max().orElse(0);
    var live = verdict.runs().stream().map(RunSummary::run).collect(Collectors.toSet());
    var over =
        verdict.runs().stream()
            .filter(run -> run.state().over())
            .collect(Collectors.toMap(RunSummary::run, run -> run, (a, _) -> a));
    boolean forGood = over.values().stream().noneMatch(run -> run.state() == RunSummary.State.LOST);
    silentJobs.judged(key, part.whole() && forGood && over.size() == live.size());
    var last = ids(part.last());
    judged.forEach(
        (id, finding) -> {
          var name = finding == null ? runOf(key, id) : finding.run();
          if (finding != null && job.lostState()) {
            foundAnew.add(id);
          }
          // a run that was just renamed reports the same findings under its new name
          boolean atOnce = over.containsKey(name) || finding == null && !live.contains(name);
          var known = findings.get(key, id);
          var told =
              finding == null
                  ? SettledResults.unclaimed(
                      known,
                      over.get(name),
                      cameBack(job, known),
                      job.lostState() && !foundAnew.contains(id))
                  : last.contains(name) ? finding : SettledResults.settled(known, finding);
          show(key, id, told, nodes, atOnce ? Duration.ZERO : hold, nowMillis);
        });
  }

  /// @param drawn runs whose aggregates are computed anew
  /// @param last runs that are judged for the last time
  private void writeLedger(
      String key, Set<String> drawn, Set<String> last, List<RunSummary> judged, long nowMillis) {
    for (var judgedRun : judged) {
      boolean isDrawn = drawn.contains(judgedRun.run());
      var id = key + "|" + judgedRun.run();
      var before = runs.get(key, id);
      boolean isLast = last.contains(judgedRun.run());
      var told = SettledResults.settled(before, judgedRun, isLast);
      // the last summary counts what the lines say, regardless of earlier judgements
      var run = isLast && isDrawn ? told : MonotonicCounters.rising(before, told, isDrawn);
      if (run.equals(before)) {
        continue;
      }
      if (isDrawn) {
        lines.published(id, nowMillis);
      }
      if (isDrawn || lines.due(id, before, run, nowMillis)) {
        runs.put(key, id, run, nowMillis);
      } else {
        pending.add(key);
      }
    }
    var settledRuns = settled.get(key);
    if (settledRuns != null) {
      settledRuns.note(judged.stream().filter(run -> drawn.contains(run.run())).toList());
    }
  }

  /// Runs that are worth judging: those that the ledger holds, and those that are judged once more
  /// before they are forgotten. A job that names something new in every line has more runs; their
  /// findings would be published and dropped each time.
  private Set<Run> kept(JobState job, List<Run> leaving) {
    var all = job.runs();
    var kept = new HashSet<>(all.subList(Math.max(0, all.size() - pace.runs()), all.size()));
    kept.addAll(leaving);
    return kept;
  }

  private static boolean cameBack(JobState job, @Nullable Finding known) {
    return known != null
        && job.runs().stream()
            .anyMatch(run -> run.id().equals(known.run()) && run.cameBack(known.since()));
  }

  private static Set<String> ids(Collection<Run> runs) {
    return runs.stream().map(Run::id).collect(Collectors.toSet());
  }

  private String runOf(String key, String id) {
    var known = findings.get(key, id);
    return known == null ? "" : known.run();
  }

  /// Keeps only the newest runs of a job that is restarted again and again, and their findings.
  private void forgetOldest(String key, long nowMillis) {
    var ledger = runs.of(key);
    if (ledger.size() <= pace.runs()) {
      return;
    }
    ledger.stream()
        .sorted(Comparator.comparingInt(RunSummary::attempt).reversed())
        .skip(pace.runs())
        .forEach(
            run -> {
              runs.drop(key, key + "|" + run.run(), nowMillis);
              known(key, Set.of(run.run())).forEach(id -> drop(key, id, nowMillis));
            });
  }

  /// Hangs that were reported for the run and that it did not recover from.
  private List<Finding> hung(String key, Run run) {
    return findings.of(key).stream()
        .filter(finding -> finding.kind() == FindingKind.HANG && finding.run().equals(run.id()))
        .filter(finding -> !run.cameBack(finding.since()))
        .toList();
  }

  /// IDs of the findings about runs with these names.
  private Set<String> known(String key, Set<String> names) {
    return findings.of(key).stream()
        .filter(finding -> names.contains(finding.run()))
        .map(finding -> key + "|" + finding.id())
        .collect(Collectors.toSet());
  }

  private void drop(String key, String id, long nowMillis) {
    findings.drop(key, id, nowMillis);
    foundAnew.remove(id);
  }

  private void show(
      String key,
      String id,
      @Nullable Finding judged,
      int runNodes,
      Duration hold,
      long nowMillis) {
    var known = findings.get(key, id);
    var now = Instant.ofEpochMilli(nowMillis);
    var next = Hysteresis.next(new Shown(known, milderSince.get(id)), judged, now, hold);
    if (next.pending()) {
      milderSince.put(id, next.milderSince());
      pending.add(key);
    } else {
      milderSince.remove(id);
    }
    var finding = next.finding();
    if (!Objects.equals(finding, known)) {
      if (finding == null) {
        drop(key, id, nowMillis);
      } else {
        findings.put(key, id, finding, nowMillis);
      }
      for (var blame : blames.changes(known, finding, runNodes, now)) {
        context().forward(new Record<>(blame.key(), blame, nowMillis), Steps.BLAMES);
      }
    }
  }
}
