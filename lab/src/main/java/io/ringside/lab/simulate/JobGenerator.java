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
      double skew = plan.noise().skewSeconds() * (2 * random.nextDouble() - 1);
      double drift = plan.noise().driftPerSecond() * (2 * random.nextDouble() - 1);
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
      double end = logs(run, layout, timeline, starts, connected, number, last);
      watch(run, timeline, watched, end);
      watched = end;
      gpuSeconds += run.ranks() * (end - at);
      if (last) {
        truth =
            Truths.of(
                new Started(run, layout, timeline, starts, connected, begin),
                gpuSeconds / Duration.ofDays(1).toSeconds());
      }
      at = end + BETWEEN_RUNS;
    }
    records.sort(Comparator.comparingLong(Sent::atNanos));
    return new GeneratedJob(plan, records, truth);
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
    for (int pod = 0; pod < run.podsWithLogs(); pod++) {
      var clock = clocks[pod / run.podsPerNode()];
      var lines =
          new PodLines(run, layout, timeline, starts, connected, begin, random.split())
              .of(pod, last);
      double first = starts[pod * run.gpusPerPod()] - 0.5;
      var log = log(source(run, layout, pod, number), clock);
      double trained = timeline.stepBegin(0, 0);
      for (var lost : run.faults(SightFault.LostLines.class)) {
        if (lost.pod() == pod) {
          double from = trained + lost.fromSecond();
          log.lose(clock.nanos(from), clock.nanos(from + lost.seconds()));
        }
      }
      log.send(clock.nanos(first), lines, !silent && !goesOn, records::add);
      end = Math.max(end, lines.isEmpty() ? 0 : lines.getLast().at());
    }
    return end + 1;
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
