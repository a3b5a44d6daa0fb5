package io.ringside.lab.simulate;

import io.ringside.lab.simulate.GeneratedJob.Sent;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;

/// Carries a plan out: the same plan and begin give the same records.
public final class JobGenerator {
  private static final double AFTER_CONNECTED = 0.8;
  private static final double BETWEEN_RUNS = 25;

  private final JobPlan plan;
  private final Instant begin;
  private final Duration chunk;
  private final SplittableRandom random;
  private final List<Sent> records = new ArrayList<>();
  private final NodeClock[] clocks;
  private final Map<String, PodLog> logs = new HashMap<>();

  private JobGenerator(JobPlan plan, Instant begin, Duration chunk) {
    this.plan = plan;
    this.begin = begin;
    this.chunk = chunk;
    random = new SplittableRandom(plan.seed());
    clocks = new NodeClock[plan.nodes()];
    for (int node = 0; node < clocks.length; node++) {
      double skew = plan.noise().clocks().skew() * (2 * random.nextDouble() - 1);
      double drift = plan.noise().clocks().drift() * (2 * random.nextDouble() - 1);
      clocks[node] = new NodeClock(Nanos.of(begin), Math.round(skew * 1e9), drift);
    }
  }

  /// Generates a job.
  ///
  /// @param begin true time of its begin
  /// @param chunk how long agents gather lines
  public static GeneratedJob generate(JobPlan plan, Instant begin, Duration chunk) {
    return new JobGenerator(plan, begin, chunk).generate();
  }

  /// When the job's last run is through, in seconds after the job's begin.
  ///
  /// @param with as it was
  /// @param without the faults of its pace, and all else the same by chance
  /// @param stepsWith when each of its steps is over, as it was
  /// @param stepsWithout the same without those faults
  public record Ends(
      double with, double without, List<Double> stepsWith, List<Double> stepsWithout) {
    public Ends {
      stepsWith = List.copyOf(stepsWith);
      stepsWithout = List.copyOf(stepsWithout);
    }

    /// What the faults cost.
    public double saved() {
      return with - without;
    }

    /// What they cost of each second from the end of one step to that of another.
    public double share(int from, int to) {
      double seconds = stepsWith.get(to) - stepsWith.get(from);
      return 1 - (stepsWithout.get(to) - stepsWithout.get(from)) / seconds;
    }
  }

  /// Plays the job's last run once with the faults of its pace and once without. What is left to
  /// chance is the same in both, and as in {@link #generate}.
  public static Ends ends(JobPlan plan, Instant begin, Duration chunk) {
    var with = new JobGenerator(plan, begin, chunk).last(true);
    var without = new JobGenerator(plan, begin, chunk).last(false);
    return new Ends(with.end(), without.end(), with.stepEnds(), without.stepEnds());
  }

  private Timeline last(boolean faulty) {
    double at = 2;
    for (int number = 0; ; number++) {
      boolean last = number == plan.restarts().runs() - 1;
      var run = last ? faulty ? plan : plan.inTime() : plan.earlier();
      var layout = new Layout(run, number, random.split());
      var starts = starts(run, at);
      double connected = InitLines.initStart(Arrays.stream(starts).max().orElseThrow()) + 0.1;
      var timeline =
          new Timeline(
              run,
              layout,
              connected + AFTER_CONNECTED,
              0,
              run.steps(),
              faulty || !last,
              random.split());
      if (last) {
        return timeline;
      }
      double end = logs(run, layout, timeline, starts, connected, number, false);
      watch(run, timeline, 0, end);
      at = end + BETWEEN_RUNS;
    }
  }

  private GeneratedJob generate() {
    if (plan.agents().topologyKnown()) {
      Topologies.of(plan, nodesWithAgents(plan), begin).forEach(records::add);
    }
    double at = 2;
    double watched = 0;
    double gpuSeconds = 0;
    Truth truth = new Truth(List.of(), java.util.Set.of(), 0);
    for (int number = 0; number < plan.restarts().runs(); number++) {
      boolean last = number == plan.restarts().runs() - 1;
      var run = last ? plan : plan.earlier();
      var layout = new Layout(run, number, random.split());
      var starts = starts(run, at);
      double connected = InitLines.initStart(Arrays.stream(starts).max().orElseThrow()) + 0.1;
      var timeline =
          new Timeline(
              run, layout, connected + AFTER_CONNECTED, 0, run.steps(), true, random.split());
      if (last) {
        set(timeline);
      }
      double end = logs(run, layout, timeline, starts, connected, number, last);
      watch(run, timeline, watched, end);
      watched = end;
      gpuSeconds += run.ranks() * (end - at);
      if (last) {
        truth =
            Truths.of(
                new StartedRun(run, layout, timeline, starts, connected, begin),
                gpuSeconds / Duration.ofDays(1).toSeconds());
      }
      at = end + BETWEEN_RUNS;
    }
    records.sort(Comparator.comparingLong(Sent::atNanos));
    return new GeneratedJob(plan, records, truth);
  }

  /// Sets clocks while the job trains.
  private void set(Timeline timeline) {
    var of = plan.noise().clocks();
    double from = timeline.stepBegin(0, 0);
    double to = timeline.end();
    for (int i = 0; i < of.steps(); i++) {
      int node = random.nextInt(clocks.length);
      var clock = clocks[node];
      var settings = new ArrayList<>(clock.settings());
      settings.add(
          new NodeClock.Setting(
              clock.nanos(from + (to - from) * random.nextDouble()),
              Math.round((random.nextBoolean() ? 1e9 : -1e9) * of.stepSeconds())));
      clocks[node] = clock.set(settings);
    }
  }

  private double[] starts(JobPlan run, double at) {
    var starts = new double[run.ranks()];
    for (int pod = 0; pod < run.pods(); pod++) {
      double ofPod = at + 2 * random.nextDouble();
      for (int local = 0; local < run.gpusPerPod(); local++) {
        starts[pod * run.gpusPerPod() + local] = ofPod + 0.4 * random.nextDouble();
      }
    }
    run.fault(PaceFault.LateStart.class).ifPresent(late -> starts[late.rank()] += late.seconds());
    return starts;
  }

  /// @return when the run's last line was written
  private double logs(
      JobPlan run,
      Layout layout,
      Timeline timeline,
      double[] starts,
      double connected,
      int number,
      boolean last) {
    double end = nothingTrains(run) ? starts[0] + BenchLines.SECONDS : timeline.end();
    var hang = run.fault(PaceFault.Hang.class).orElse(null);
    boolean silent = hang != null && !hang.watchdog();
    boolean goesOn = !last && run.restarts().kind() == Restarts.Kind.SAME_FILE;
    boolean together = plan.setting().gathering().oneFile();
    var file = new OneFile(run, layout, chunk);
    for (int pod = 0; pod < run.podsWithLogs(); pod++) {
      var clock = clocks[pod / run.podsPerNode()];
      var lines =
          new PodLines(run, layout, timeline, starts, connected, begin, random.split())
              .of(pod, last);
      double first = starts[pod * run.gpusPerPod()] - 0.5;
      if (together) {
        file.add(pod, lines, clock);
        end = Math.max(end, lines.isEmpty() ? 0 : lines.getLast().at());
        continue;
      }
      var log = log(source(run, layout, pod, number), clock);
      double trained = timeline.stepBegin(0, 0);
      for (var lost : run.faults(TelemetryFault.LostLines.class)) {
        if (lost.pod() == pod) {
          double from = trained + lost.fromSecond();
          log.lose(clock.nanos(from), clock.nanos(from + lost.seconds()));
        }
      }
      if (pod == 0 && run.noise().clocks().strays() > 0 && !lines.isEmpty()) {
        log.stray(strays(lines, clock));
      }
      log.send(clock.nanos(first), lines, !silent && !goesOn, records::add);
      end = Math.max(end, lines.isEmpty() ? 0 : lines.getLast().at());
    }
    if (together) {
      file.send(clocks[0].nanos(starts[0] - 0.5), clocks[0], !silent && !goesOn, records::add);
    }
    return end + 1;
  }

  private List<Long> strays(List<Line> lines, NodeClock clock) {
    var at = new ArrayList<Long>();
    for (int i = 0; i < plan.noise().clocks().strays(); i++) {
      at.add(clock.nanos(lines.get(lines.size() / 3 + random.nextInt(lines.size() / 3)).at()));
    }
    return at;
  }

  private static boolean nothingTrains(JobPlan run) {
    return run.framework() == Framework.NCCL_TESTS || run.has(ProcessFault.NoInterface.class);
  }

  private PodLog log(LogSource source, NodeClock clock) {
    return logs.computeIfAbsent(
        source.id(),
        _ -> new PodLog(source, plan.output(), plan.version(), clock, chunk.toNanos()));
  }

  static LogSource source(JobPlan plan, Layout layout, int pod, int run) {
    var name = layout.podName(pod);
    var kind = plan.restarts().kind();
    var uid =
        new UUID(plan.seed(), kind == Restarts.Kind.NEW_POD ? 1000L * run + pod : pod).toString();
    return new LogSource(
        "eu-1",
        Layout.nodeName(plan, pod / plan.podsPerNode()),
        "training",
        name,
        uid,
        "trainer",
        plan.name(),
        "/var/log/pods/training_%s_%s/trainer/%d.log"
            .formatted(name, uid, kind == Restarts.Kind.NEW_CONTAINER ? run : 0));
  }

  private static int nodesWithAgents(JobPlan run) {
    return (run.podsWithLogs() + run.podsPerNode() - 1) / run.podsPerNode();
  }

  private void watch(JobPlan run, Timeline timeline, double from, double to) {
    for (int node = 0; node < nodesWithAgents(run); node++) {
      if (run.agents().sampleSeconds() > 0 && !nothingTrains(run)) {
        new GpuTrace(run, timeline, clocks[node], node, random.split())
            .send(from + 0.1 * random.nextDouble(), to, records::add);
      }
      if (run.agents().reportSeconds() > 0) {
        new ReportTrace(run, clocks[node], node, timeline.stepBegin(0, 0))
            .send(from + 5 * random.nextDouble(), to, records::add);
      }
    }
  }
}
