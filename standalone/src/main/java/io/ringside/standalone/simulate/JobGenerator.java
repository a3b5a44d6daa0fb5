package io.ringside.standalone.simulate;

import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.standalone.simulate.GeneratedJob.Sent;
import io.ringside.standalone.simulate.Layout.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
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
    topologies();
    double at = 2;
    double gpuSeconds = 0;
    Truth truth = new Truth(List.of(), java.util.Set.of(), 0);
    for (int run = 0; run < plan.runs(); run++) {
      boolean last = run == plan.runs() - 1;
      var layout = new Layout(plan, run, random.split());
      var starts = starts(at, last);
      double connected = InitLines.initStart(Arrays.stream(starts).max().orElseThrow()) + 0.1;
      int steps = last ? plan.steps() : Math.max(4, plan.steps() / 5);
      var timeline =
          new Timeline(plan, layout, connected + AFTER_CONNECTED, 0, steps, last, random.split());
      double end = logs(layout, timeline, starts, connected, run, last);
      if (plan.sampleSeconds() > 0) {
        samples(timeline, at - 2, end);
      }
      gpuSeconds += plan.ranks() * (end - at);
      if (last) {
        truth =
            Truths.of(
                plan,
                layout,
                timeline,
                starts,
                connected,
                begin,
                gpuSeconds / Duration.ofDays(1).toSeconds());
      }
      at = end + BETWEEN_RUNS;
    }
    records.sort(Comparator.comparingLong(Sent::atNanos));
    return new GeneratedJob(plan, records, truth);
  }

  private double[] starts(double at, boolean last) {
    var starts = new double[plan.ranks()];
    for (int pod = 0; pod < plan.pods(); pod++) {
      double ofPod = at + 2 * random.nextDouble();
      for (int local = 0; local < plan.gpusPerPod(); local++) {
        starts[pod * plan.gpusPerPod() + local] = ofPod + 0.4 * random.nextDouble();
      }
    }
    if (last) {
      plan.fault(Fault.LateStart.class).ifPresent(late -> starts[late.rank()] += late.seconds());
    }
    return starts;
  }

  private double logs(
      Layout layout, Timeline timeline, double[] starts, double connected, int run, boolean last) {
    double end = timeline.end();
    var hang = last ? plan.fault(Fault.Hang.class).orElse(null) : null;
    for (int pod = 0; pod < Math.min(plan.pods(), plan.podsWithLogs()); pod++) {
      var lines = new ArrayList<Line>();
      var writer = new RunLines(plan, layout, timeline, lines, random.split());
      for (Place place :
          layout.places().subList(pod * plan.gpusPerPod(), (pod + 1) * plan.gpusPerPod())) {
        new InitLines(plan, layout, place, starts, connected, timeline, lines).write();
        writer.calls(place);
        if (hang != null && hang.watchdog()) {
          writer.hang(place, hang);
        } else if (last) {
          writer.end(place);
        }
      }
      writer.chatter(pod);
      var clock = clocks[pod / plan.podsPerNode()];
      double first = starts[pod * plan.gpusPerPod()] - 0.5;
      boolean silent = hang != null && !hang.watchdog();
      new PodLog(source(layout, pod, run), plan.output(), plan.version(), clock, chunk.toNanos())
          .send(clock.nanos(first), lines, !silent, records::add);
      end = Math.max(end, lines.isEmpty() ? 0 : lines.getLast().at());
    }
    return end + 1;
  }

  private LogSource source(Layout layout, int pod, int run) {
    return source(plan, layout, pod, run);
  }

  static LogSource source(JobPlan plan, Layout layout, int pod, int run) {
    var name = layout.podName(pod);
    var uid = new UUID(plan.seed(), pod).toString();
    return new LogSource(
        "eu-1",
        Layout.nodeName(plan, pod / plan.podsPerNode()),
        "training",
        name,
        uid,
        "trainer",
        plan.name(),
        "/var/log/pods/training_%s_%s/trainer/%d.log".formatted(name, uid, run));
  }

  private int nodesWithAgents() {
    return (Math.min(plan.pods(), plan.podsWithLogs()) + plan.podsPerNode() - 1)
        / plan.podsPerNode();
  }

  private void samples(Timeline timeline, double from, double to) {
    for (int node = 0; node < nodesWithAgents(); node++) {
      new GpuTrace(plan, timeline, clocks[node], node, random.split())
          .send(from + 0.1 * random.nextDouble(), to, records::add);
    }
  }

  private void topologies() {
    var machine = plan.machine();
    for (int node = 0; plan.topologyKnown() && node < nodesWithAgents(); node++) {
      var gpus = new ArrayList<NodeTopology.Gpu>();
      var links = new ArrayList<List<String>>();
      for (int gpu = 0; gpu < machine.gpus(); gpu++) {
        gpus.add(new NodeTopology.Gpu(gpu, machine.busId(gpu), "GPU-" + gpu, machine.gpuName()));
        var row = new ArrayList<>(Collections.nCopies(machine.gpus(), machine.link()));
        row.set(gpu, "X");
        links.add(row);
      }
      records.add(
          new Sent(
              Nanos.of(begin),
              new NodeTopology(
                  "eu-1",
                  Layout.nodeName(plan, node),
                  begin,
                  machine.instanceType(),
                  "580.95.05",
                  gpus,
                  links)));
    }
  }
}
