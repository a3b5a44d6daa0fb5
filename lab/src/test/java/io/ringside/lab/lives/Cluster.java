package io.ringside.lab.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.TelemetryEvent;
import io.ringside.schemas.topic.Topic;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.publish.Job;
import io.ringside.streams.publish.JobOverview;
import io.ringside.streams.publish.Jobs;
import io.ringside.streams.publish.ResultsSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Machines with their agents, the broker and the service, under one clock that goes on a tick at a
/// time. What is shown can be asked at any moment, and what must always hold is looked at in each,
/// see {@link Witness}.
final class Cluster implements AutoCloseable, Theatre {
  static final Instant T0 = Instant.parse("2026-11-21T12:00:00Z");

  private final Path stateDir;
  private final Duration tick;
  private final Map<String, Machine> machines = new LinkedHashMap<>();
  private final Map<String, TailedLogs> tailed = new LinkedHashMap<>();
  private final Map<String, Finding> findings = new LinkedHashMap<>();
  private final Map<String, RunSummary> runs = new LinkedHashMap<>();
  private final Witness witness = new Witness(this::now, () -> this.instance.nodes());
  private Instant now = T0;
  private int starts;
  private int instances;
  private Instance instance;

  /// Looks once a second.
  Cluster(Path stateDir) {
    this(stateDir, Duration.ofSeconds(1));
  }

  Cluster(Path stateDir, Duration tick) {
    this.stateDir = stateDir;
    this.tick = tick;
    instance = another();
  }

  private Instance another() {
    return new Instance(stateDir.resolve("instance-" + ++instances), now);
  }

  /// The instance of the service stops, and another one goes on with what it has committed.
  Cluster takeOver() {
    var stopped = instance;
    instance = another();
    stopped.leaveTo(instance);
    witness.catchesUp();
    return this;
  }

  /// A machine by its name, new where it was not asked for before.
  Machine machine(String name) {
    return machines.computeIfAbsent(name, Machine::new);
  }

  /// A start of the job in pods of these names, each on the machine behind its `@`.
  Attempt start(String job, String... podsAtMachines) {
    int number = ++starts;
    var pods =
        Arrays.stream(podsAtMachines)
            .map(each -> each.split("@"))
            .map(parts -> new Attempt.Pod(parts[0], machine(parts[1])))
            .toList();
    var attempt =
        new Attempt(this, job, "0x00aa0000000000%02x".formatted(number), 100 * number, pods);
    witness.watches(attempt);
    return attempt;
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public double tick() {
    return tick.toMillis() / 1e3;
  }

  Witness witness() {
    return witness;
  }

  @Override
  public Cluster pass(double seconds) {
    return pass(Duration.ofMillis(Math.round(1000 * seconds)), tick);
  }

  /// The same with so long between two looks, where nothing happens any more.
  Cluster pass(Duration time, Duration atOnce) {
    for (long rest = time.toMillis(); rest > 0; rest -= atOnce.toMillis()) {
      tick(Duration.ofMillis(Math.min(rest, atOnce.toMillis())));
    }
    return this;
  }

  private void tick(Duration time) {
    for (var machine : machines.values()) {
      chunks(machine).forEach(each -> send(Topics.LOGS, machine, each));
      machine.samples(now).forEach(each -> send(Topics.GPU, machine, each));
      machine.reports(now).forEach(each -> send(Topics.NODE, machine, each));
    }
    now = now.plus(time);
    instance.pass(time);
    var found = instance.findings();
    var drawn = instance.runs();
    found.forEach(each -> put(findings, each.key, each.value));
    drawn.forEach(each -> put(runs, each.key, each.value));
    witness.look(look(), !found.isEmpty() || !drawn.isEmpty());
  }

  /// The machine's logs are files from now on, and the tailer of the real agent reads them.
  TailedLogs tail(String machine, String job) throws IOException {
    var logs = new TailedLogs(Files.createDirectories(stateDir.resolve(machine)), job, this::now);
    logs.startAgent();
    tailed.put(machine, logs);
    return logs;
  }

  private List<LogChunk> chunks(Machine machine) {
    var written = machine.chunks(now);
    var files = tailed.get(machine.name());
    return files == null ? written : files.read(written);
  }

  private <T extends TelemetryEvent> void send(Topic<T> topic, Machine machine, T event) {
    instance.pipe(topic, machine.name(), event, now);
    witness.series().read(topic.name());
  }

  private static <T> void put(Map<String, T> map, String key, T value) {
    if (value == null) {
      map.remove(key);
    } else {
      map.put(key, value);
    }
  }

  ResultsSnapshot look() {
    return new ResultsSnapshot(
        List.copyOf(runs.values()), List.copyOf(findings.values()), List.of());
  }

  /// The job as page, API and metrics show it.
  Optional<Job> job(String name) {
    return Jobs.of(look()).all().stream().filter(job -> job.key().job().equals(name)).findFirst();
  }

  JobOverview overview(String job) {
    return JobOverview.of(job(job).orElseThrow());
  }

  RunSummary run(Attempt attempt) {
    return runs.values().stream()
        .filter(run -> run.job().equals(attempt.job()) && attempt.isCalled(run.run()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no run " + attempt.run() + " in " + runs.keySet()));
  }

  List<Finding> found(Attempt attempt) {
    return findings.values().stream()
        .filter(each -> each.job().equals(attempt.job()) && attempt.isCalled(each.run()))
        .toList();
  }

  Optional<Finding> found(Attempt attempt, FindingKind kind) {
    return found(attempt).stream().filter(each -> each.kind() == kind).findFirst();
  }

  /// What is open of the attempt.
  List<FindingKind> open(Attempt attempt) {
    var open = new ArrayList<FindingKind>();
    for (var each : found(attempt)) {
      if (each.state() == Finding.State.ACTIVE) {
        open.add(each.kind());
      }
    }
    return open;
  }

  /// Demands that the attempt stands so now.
  Cluster is(Attempt attempt, RunSummary.State state) {
    assertThat(run(attempt).state())
        .as("%s of %s, %s after the start", attempt.run(), attempt.job(), Duration.between(T0, now))
        .isEqualTo(state);
    return this;
  }

  /// Demands that the attempt stands so now, and at every moment of the next seconds.
  Cluster stays(Attempt attempt, RunSummary.State state, int seconds) {
    is(attempt, state);
    for (int i = 0; i < seconds; i++) {
      pass(1);
      is(attempt, state);
    }
    return this;
  }

  void stop() {
    tailed.values().forEach(TailedLogs::stopAgent);
    instance.stop();
  }

  @Override
  public void close() {
    stop();
    witness.assertNothingWrong();
  }
}
