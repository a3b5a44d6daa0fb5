package io.ringside.lab.simulate;

import io.ringside.lab.simulate.GeneratedJob.Sent;
import io.ringside.schemas.event.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/// A job that runs for as long as wanted: its start, then the same few steps over and over, healthy
/// or with the plan's straggler. Blocks begin and end between steps, so that the calls of all ranks
/// stay aligned. Not thread-safe.
final class LiveJob {
  private static final int WARM = 10;

  private final JobPlan plan;
  private final Layout layout;
  private final List<PodLog> logs = new ArrayList<>();
  private final NodeClock clock;
  private final Block healthy;
  private final Block faulty;
  private final WitnessTrace witnesses;
  private final List<Sent> start = new ArrayList<>();
  private double trainsAt;

  /// Some steps of all pods; times from the block's begin.
  private record Block(Timeline timeline, List<List<Line>> linesByPod, double seconds) {}

  /// @param steps of a block
  /// @param chunk how long agents gather lines
  LiveJob(JobPlan plan, int steps, Instant begin, Duration chunk) {
    this.plan = plan;
    var random = new SplittableRandom(plan.seed());
    layout = new Layout(plan, 0, random.split());
    clock = new NodeClock(Nanos.of(begin), 0, 0);
    healthy = block(steps, false, random);
    faulty = plan.has(PaceFault.Straggler.class) ? block(steps, true, random) : healthy;
    witnesses =
        new WitnessTrace(
            plan,
            layout,
            clock,
            steps * plan.schedule().calls().size() / Math.max(0.1, healthy.seconds()));
    begin(random, chunk);
  }

  private Block block(int steps, boolean isFaulty, SplittableRandom random) {
    var timeline = new Timeline(plan, layout, 0, WARM, steps, isFaulty, random.split());
    var byPod = new ArrayList<List<Line>>();
    for (int pod = 0; pod < plan.pods(); pod++) {
      var lines = new ArrayList<Line>();
      var writer = new RunLines(plan, layout, timeline, lines, random.split());
      ofPod(pod).forEach(writer::calls);
      writer.chatter(pod);
      lines.sort(Comparator.comparingDouble(Line::at));
      byPod.add(lines);
    }
    return new Block(timeline, byPod, timeline.end());
  }

  private List<Layout.Place> ofPod(int pod) {
    return layout.places().subList(pod * plan.gpusPerPod(), (pod + 1) * plan.gpusPerPod());
  }

  private void begin(SplittableRandom random, Duration chunk) {
    var starts = new double[plan.ranks()];
    Arrays.setAll(starts, _ -> 0.5 * random.nextDouble());
    double connected = InitLines.initStart(0.5) + 0.1;
    trainsAt = connected + 1;
    var first = new Timeline(plan, layout, connected + 0.8, WARM, 1, false, random.split());
    for (int pod = 0; pod < plan.pods(); pod++) {
      var lines = new ArrayList<Line>();
      for (var place : ofPod(pod)) {
        new InitLines(plan, layout, place, starts, connected, first, lines).write();
      }
      var log =
          new PodLog(
              JobGenerator.source(plan, layout, pod, 0),
              plan.output(),
              plan.version(),
              clock,
              chunk.toNanos());
      log.send(clock.nanos(0), lines, false, start::add);
      logs.add(log);
    }
    start.sort(Comparator.comparingLong(Sent::atNanos));
  }

  /// What agents send while the job starts, in order.
  List<Sent> start() {
    return List.copyOf(start);
  }

  /// Seconds after the begin at which the first block may begin.
  double trainsAt() {
    return trainsAt;
  }

  /// How long a block takes.
  double seconds(boolean isFaulty) {
    return (isFaulty ? faulty : healthy).seconds();
  }

  /// What agents send during one block, in order.
  ///
  /// @param at seconds after the job's begin
  List<Sent> block(double at, boolean isFaulty) {
    var block = isFaulty ? faulty : healthy;
    var sent = new ArrayList<Sent>();
    for (int pod = 0; pod < logs.size(); pod++) {
      var lines = new ArrayList<Line>(block.linesByPod().get(pod).size());
      for (var line : block.linesByPod().get(pod)) {
        lines.add(new Line(at + line.at(), line.pid(), line.kind(), line.text()));
      }
      logs.get(pod).append(lines, sent::add);
    }
    if (plan.agents().sampleSeconds() > 0) {
      var shifted = new NodeClock(clock.nanos(at), 0, 0);
      for (int node = 0; node < plan.nodes(); node++) {
        new GpuTrace(plan, block.timeline(), shifted, node, new SplittableRandom(node))
            .send(0.01, block.seconds(), sent::add);
      }
    }
    if (plan.agents().witnesses()) {
      witnesses.send(at, at + seconds(isFaulty), sent::add);
    }
    sent.sort(Comparator.comparingLong(Sent::atNanos));
    return sent;
  }
}
