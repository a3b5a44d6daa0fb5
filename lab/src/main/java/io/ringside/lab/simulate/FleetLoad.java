package io.ringside.lab.simulate;

import io.ringside.lab.simulate.GeneratedJob.Sent;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Nanos;
import io.ringside.shipper.publish.KafkaPublisher;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/// Sends the records of a fleet's jobs to a broker, each when its agent would. Falls behind rather
/// than skip anything when the broker or this machine is too slow, and says by how much.
final class FleetLoad {
  /// How long a block of steps is, about: what is held in memory at once.
  private static final double BLOCK_SECONDS = 2;

  private static final Duration CHUNK = Duration.ofMillis(200);
  private static final double PROBE_SECONDS = 1;

  private final Wishes wishes;
  private final KafkaPublisher publisher;
  private final LatencyProbe probe;
  private final InstantSource clock;
  private final PriorityQueue<Sent> due =
      new PriorityQueue<>(Comparator.comparingLong(Sent::atNanos));
  private long lines;
  private long records;
  private double behind;

  /// What the load shall be.
  ///
  /// @param nodes of the fleet, spread over the jobs
  /// @param collectivesPerSecond of each rank
  /// @param startOver how long until the last job starts, one after the other
  /// @param warmUp how long before findings are timed
  /// @param straggler whether a rank of the first job lags from a third of the time on
  /// @param witnesses whether agents ask all others than logs and GPUs as well
  record Wishes(
      int nodes,
      int gpus,
      int jobs,
      double collectivesPerSecond,
      int sampleSeconds,
      Duration duration,
      Duration startOver,
      Duration warmUp,
      boolean straggler,
      boolean witnesses,
      boolean probes,
      long seed) {}

  /// What was sent so far.
  ///
  /// @param behind seconds by which sending lags behind
  record Progress(double seconds, long lines, long records, double behind) {}

  FleetLoad(Wishes wishes, KafkaPublisher publisher, LatencyProbe probe, InstantSource clock) {
    this.wishes = wishes;
    this.publisher = publisher;
    this.probe = probe;
    this.clock = clock;
  }

  /// A job of the load and where it stands.
  private static final class Running {
    final LiveJob job;
    final String name;
    final double startedAt;
    double next;

    /// @param startedAt seconds after the load's begin; of the other times, too
    Running(LiveJob job, String name, double startedAt) {
      this.job = job;
      this.name = name;
      this.startedAt = startedAt;
      next = startedAt + job.trainsAt();
    }
  }

  /// Runs to the end.
  Progress run(Consumer<Progress> watcher) throws InterruptedException {
    var begin = clock.instant();
    var jobs = new ArrayList<Running>();
    double length = wishes.duration().toNanos() / 1e9;
    double faultAt = length / 3;
    double nextProbe = Math.max(wishes.warmUp().toNanos() / 1e9, Math.min(3, length / 4));
    double nextWord = 1;
    int probes = 0;
    while (true) {
      double now = seconds(begin);
      start(jobs, begin, now);
      for (var running : jobs) {
        while (running.next < Math.min(now + BLOCK_SECONDS, length)) {
          boolean faulty =
              wishes.straggler() && running == jobs.getFirst() && running.next >= faultAt;
          if (faulty) {
            probe.proven(running.name, FindingKind.STRAGGLER);
          }
          due.addAll(running.job.block(running.next - running.startedAt, faulty));
          running.next += running.job.seconds(faulty);
        }
      }
      if (wishes.probes() && now >= nextProbe && now < length) {
        fallback(probes++);
        nextProbe += PROBE_SECONDS;
      }
      send();
      if (now >= nextWord) {
        nextWord++;
        watcher.accept(new Progress(now, lines, records, behind));
      }
      if (now >= length && due.isEmpty()) {
        publisher.flush();
        return new Progress(seconds(begin), lines, records, behind);
      }
      var first = due.peek();
      long wait = first == null ? 20_000_000 : first.atNanos() - nanos(clock.instant());
      if (wait > 0) {
        Thread.sleep(Duration.ofNanos(Math.min(wait, 20_000_000)));
      }
    }
  }

  /// Starts the jobs whose time has come: all at once, or one after the other.
  private void start(List<Running> jobs, Instant begin, double now) {
    double every = wishes.startOver().toNanos() / 1e9 / wishes.jobs();
    while (jobs.size() < wishes.jobs() && jobs.size() * every <= now) {
      double at = every == 0 ? 0 : now;
      var plan = plan(jobs.size());
      var job = new LiveJob(plan, steps(plan), begin.plusNanos(Math.round(at * 1e9)), CHUNK);
      due.addAll(job.start());
      jobs.add(new Running(job, plan.name(), at));
      if (every > 0) {
        return; // what is due is sent in between
      }
    }
  }

  private void send() {
    long now = nanos(clock.instant());
    int sent = 0;
    while (!due.isEmpty() && due.peek().atNanos() <= now && sent++ < 5_000) {
      var next = due.remove();
      behind = (now - next.atNanos()) / 1e9;
      if (next.event() instanceof LogChunk chunk) {
        lines += chunk.lines();
      }
      publisher.send(next.event());
      records++;
    }
  }

  /// A small job that falls back to sockets: its last line proves it, and the finding must follow.
  private void fallback(int number) {
    var plan =
        new JobPlan(
            wishes.seed() + 1_000_000 + number,
            "probe-" + number,
            Machine.P5,
            2,
            1,
            1,
            NcclVersion.V2_28,
            Schedule.recorded(),
            Framework.NONE,
            Restarts.NONE,
            1,
            1,
            Noise.NONE,
            Output.CONTAINER,
            new Agents(2, false, 0, 0),
            false,
            false,
            List.of(new NetworkFault.EfaFallback(NetworkFault.EfaFallback.Cause.NO_PROVIDER)));
    // as if it had started long enough ago to be through now: nothing is left to wait for
    var started = clock.instant().minus(Duration.ofSeconds(4));
    for (var sent : new LiveJob(plan, 1, started, CHUNK).start()) {
      if (sent.event() instanceof LogChunk chunk) {
        lines += chunk.lines();
        records++;
        publisher.send(chunk);
      }
    }
    probe.proven(plan.name(), FindingKind.EFA_FALLBACK);
  }

  private JobPlan plan(int job) {
    var schedule = Schedule.recorded();
    double step = schedule.calls().size() / wishes.collectivesPerSecond() / 1.15;
    int nodes = Math.max(1, wishes.nodes() / wishes.jobs());
    var faults =
        wishes.straggler() && job == 0
            ? List.<Fault>of(
                new PaceFault.Straggler(
                    nodes * wishes.gpus() / 2,
                    0,
                    Integer.MAX_VALUE,
                    1,
                    1.5,
                    PaceFault.Straggler.Cause.HOST))
            : List.<Fault>of();
    return new JobPlan(
        wishes.seed() * 1000 + job,
        "load-" + job,
        Machine.P5,
        nodes,
        1,
        wishes.gpus(),
        NcclVersion.V2_28,
        schedule,
        Framework.NONE,
        Restarts.NONE,
        1,
        step,
        new Noise(
            new Noise.Unevenness(0.015, 0.005, 0, 0, 3, 0, 0, 10),
            Noise.Pauses.NONE,
            Noise.Duties.NONE,
            Noise.Clocks.NONE,
            0.3,
            0),
        Output.CONTAINER,
        new Agents(nodes, true, wishes.sampleSeconds(), 0, wishes.witnesses()),
        false,
        false,
        faults);
  }

  private static int steps(JobPlan plan) {
    return Math.max(1, (int) Math.round(BLOCK_SECONDS / (plan.stepSeconds() * 1.15)));
  }

  private double seconds(Instant begin) {
    return Duration.between(begin, clock.instant()).toNanos() / 1e9;
  }

  private static long nanos(Instant instant) {
    return Nanos.of(instant);
  }
}
