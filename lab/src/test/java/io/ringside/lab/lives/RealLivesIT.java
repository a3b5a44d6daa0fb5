package io.ringside.lab.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.lab.fleet.ServiceProcess;
import io.ringside.schemas.serde.EventJson;
import io.ringside.schemas.topic.Topics;
import io.ringside.shipper.ShipperMain;
import io.ringside.standalone.broker.EmbeddedBroker;
import io.ringside.streams.StreamsAppMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Nine lives at once, with the real programs: files as a kubelet keeps them, an agent a machine, a
/// broker and the service, each in a process of its own. Of the agents one is killed, one is
/// installed late and one is lost with its machine; the service is killed as well. The jobs of the
/// first machine share its GPU.
///
/// `-Dringside.lives.speed=1` plays them in real time, and 10, as the build does, ten times as
/// fast: agents and service then go by a {@link FastClock}, as do the lines. All that happens
/// happens at both speeds. Three things take their time by this machine's clock at any speed: the
/// start of a program (agent killed and started, agent installed late, service started again), the
/// six seconds after which the broker gives the partitions of a service that was killed to the next
/// one, and each transaction. What is told after such a start is awaited patiently therefore, and
/// only at speed 1 within the promise.
///
/// Patient with a busy machine in the build; `-Dringside.lives.told=5 -Dringside.lives.speed=1` is
/// what is promised.
@Timeout(3600)
class RealLivesIT implements Theatre {
  private static final int SPEED = Integer.getInteger("ringside.lives.speed", 10);
  private static final Duration TOLD =
      Duration.ofSeconds(Integer.getInteger("ringside.lives.told", 80 * SPEED));
  private static final Duration PATIENCE = Duration.ofMinutes(2L * SPEED);

  /// Without a line for so long a job has paused, and is silent.
  private static final Duration PAUSED = Duration.ofSeconds(10);

  private static final Duration SILENT = Duration.ofSeconds(60);

  /// A log that is gone may come back for so long: it is rotated.
  private static final Duration GONE = Duration.ofSeconds(5);

  /// Agents report every ten seconds, so that the last report is so much older than the last line
  /// at most.
  private static final Duration REPORTED = Duration.ofSeconds(15);

  private static final int PARTITIONS = 2;

  @TempDir private Path folder;
  private final FastClock clock = FastClock.of(SPEED);
  private final Machine machine = new Machine("n1");
  private final Machine lateMachine = new Machine("n2");
  private final Machine lostMachine = new Machine("n3");
  private final List<AgentProcess> others = new ArrayList<>();
  private final Map<Machine, KubeletLogs> logs = new LinkedHashMap<>();
  private final List<Attempt> training = new ArrayList<>();
  private final Map<String, Double> told = new TreeMap<>();
  private final Map<String, String> shown = new HashMap<>();

  /// Since when a job is shown in a state, by both: the last time.
  private final Map<String, Instant> shownSince = new HashMap<>();

  private EmbeddedBroker broker;
  private ServiceProcess service;
  private AgentProcess agent;
  private int starts;

  @BeforeEach
  void begin() throws Exception {
    for (var each : List.of(machine, lateMachine, lostMachine)) {
      var own = Files.createDirectory(folder.resolve(each.name()));
      logs.put(each, new KubeletLogs(Files.createDirectory(own.resolve("pods"))));
    }
    broker = EmbeddedBroker.start();
    broker.createTopics(Topics.ALL, PARTITIONS, Map.of());
    service =
        new ServiceProcess(
            broker.bootstrapServers(),
            folder.resolve("service"),
            List.of("--application-id=lives"),
            program(StreamsAppMain.class, FastProgram.Service.class));
    agent = agent(machine);
    others.add(agent(lostMachine));
  }

  private AgentProcess agent(Machine of) throws IOException {
    return new AgentProcess(
        of.name(),
        broker.bootstrapServers(),
        Objects.requireNonNull(logs.get(of)).glob(),
        folder.resolve(of.name()),
        List.of("gpu.enabled=false", "http.enabled=false"),
        program(ShipperMain.class, FastProgram.Agent.class));
  }

  private List<String> program(Class<?> real, Class<?> fast) {
    if (SPEED == 1) {
      return List.of(real.getName());
    }
    var words = new ArrayList<>(clock.options());
    words.add(fast.getName());
    return words;
  }

  @AfterEach
  void end() {
    agent.close();
    others.forEach(AgentProcess::close);
    service.close();
    broker.close();
  }

  @Test
  void areToldInTime() throws Exception {
    service.ready();
    live();
    System.err.println("told after, s: " + told);
  }

  private void live() throws Exception {
    var ends = start("ends");
    var stops = start("stops");
    var killed = start("killed");
    var evicted = start("evicted");
    var rotated = start("rotated");
    var retried = start("retried");
    var rests = start("rests");
    var cut = start("cut", lostMachine);
    var late = start("late", lateMachine);
    var began = now();
    training.forEach(Attempt::init);
    for (var each : List.copyOf(training)) {
      if (each != late) {
        await(each.job(), "running", began, PATIENCE);
      }
    }
    var installed = now();
    others.add(agent(lateMachine));
    await("late", "running", installed, PATIENCE);
    lateMachine.setClock(Duration.ofMillis(80));
    pass(10);
    rotated.rotate();
    pass(5);
    agent.killAndStart();
    pass(10);
    rotated.rotate();
    for (var each : List.copyOf(training)) {
      // an agent whose reports a busy machine reads late has lost its jobs until they are read
      await(each.job(), "running", now(), PATIENCE);
    }

    training.removeAll(List.of(ends, stops, killed, evicted, retried, rests, cut));
    var over = now();
    lostMachine.lose();
    others.getFirst().close();
    ends.destroy();
    stops.terminate();
    evicted.evict();
    pass(0.5);
    await("ends", "ended", over, TOLD);
    await("stops", "stopped", over, TOLD);
    await("evicted", "ended", over.plus(GONE), TOLD);
    await("killed", "paused", over.plus(PAUSED), TOLD);
    await("rests", "paused", over.plus(PAUSED), TOLD);
    training.add(rests);
    await("rests", "running", now(), TOLD);
    var again = now();
    start("retried").init();
    // of the first attempt it may still be said that it runs
    while (overview("retried").get("attempt").asInt() < 2) {
      assertThat(Duration.between(again, now())).as("the second attempt").isLessThan(TOLD);
      pass(0);
    }
    await("retried", "running", again, TOLD);

    pass(5); // what is shown is committed by then
    service.kill();
    pass(5);
    service.startAgain();
    service.ready();
    var back = now();
    await("rotated", "running", back, PATIENCE);
    await("killed", "silent", later(back, over.plus(SILENT)), TOLD);
    await("cut", "lost", later(back, over.plus(SILENT).plus(REPORTED)), TOLD);
    pass(3);
    awaitAll(
        Map.of(
            "ends", "ended",
            "stops", "stopped",
            "evicted", "ended",
            "killed", "silent",
            "retried", "running",
            "rotated", "running",
            "rests", "running",
            "cut", "lost",
            "late", "running"));
    assertThat(accused()).isEmpty();
  }

  private Attempt start(String job) {
    return start(job, machine);
  }

  private Attempt start(String job, Machine where) {
    int number = ++starts;
    var random =
        "x7k2" + "bcdfghjklmnpqr".charAt(number); // as Kubernetes ends the names of a Job's pods
    var pods =
        IntStream.range(0, 2)
            .mapToObj(index -> new Attempt.Pod("%s-%d-%s".formatted(job, index, random), where))
            .toList();
    var attempt =
        new Attempt(this, job, "0x00cc0000000000%02x".formatted(number), 100 * number, pods);
    training.add(attempt);
    return attempt;
  }

  @Override
  public Instant now() {
    return clock.instant();
  }

  @Override
  public double tick() {
    return 0.5;
  }

  /// Those that train make their calls meanwhile.
  @Override
  public RealLivesIT pass(double seconds) {
    var until = now().plusMillis(Math.round(1_000 * seconds));
    do {
      training.forEach(Attempt::step);
      write();
      nap();
    } while (now().isBefore(until));
    return this;
  }

  private void write() {
    try {
      for (var each : logs.entrySet()) {
        for (var chunk : each.getKey().chunks(now())) {
          each.getValue().take(chunk);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The programs' work meanwhile: this is what makes the test one of real time.
  private void nap() {
    clock.sleep(Math.round(1_000 * tick()));
  }

  /// Lets time pass until the job is shown so, or finds that it was while others were waited for.
  /// One that is silent already was paused before, if only between two looks of a busy machine.
  ///
  /// @param since when that has been true
  private void await(String job, String state, Instant since, Duration atMost) throws Exception {
    var id = job + " " + state;
    var accepted = state.equals("paused") ? Set.of(state, "silent") : Set.of(state);
    while (!accepted.contains(states().getOrDefault(job, ""))
        && shownSince.getOrDefault(id, Instant.MIN).isBefore(since)) {
      assertThat(Duration.between(since, now())).as("%s: %s", id, shown).isLessThan(atMost);
      pass(0);
    }
    told.put(
        id,
        Math.max(0, Duration.between(since, shownSince.getOrDefault(id, since)).toMillis() / 1e3));
  }

  /// All at the same time, once: where the machine is so busy that an agent's reports are read a
  /// minute late by the fast clock, a silent job is shown as lost until they are.
  private void awaitAll(Map<String, String> expected) throws Exception {
    var since = now();
    var states = states();
    while (!states.equals(expected) && Duration.between(since, now()).compareTo(TOLD) < 0) {
      pass(0);
      states = states();
    }
    assertThat(states).containsExactlyInAnyOrderEntriesOf(expected);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private Map<String, String> states() throws Exception {
    var states = new TreeMap<String, String>();
    for (var each : jobs()) {
      var job = each.get("job").asString();
      var state = each.get("state").asString();
      states.put(job, state);
      if (!state.equals(shown.put(job, state))) {
        shownSince.put(job + " " + state, now());
      }
    }
    return states;
  }

  private JsonNode overview(String job) throws Exception {
    return jobs().stream()
        .filter(each -> each.get("job").asString().equals(job))
        .findFirst()
        .orElseThrow();
  }

  /// Jobs above a note that did nothing but train.
  private List<String> accused() throws Exception {
    return jobs().stream()
        .filter(
            job ->
                Set.of("ends", "rotated", "evicted", "rests", "late")
                    .contains(job.get("job").asString()))
        .filter(job -> Set.of("warning", "critical").contains(job.get("verdict").asString()))
        .map(job -> job.get("job").asString() + ": " + job.get("headline").asString())
        .toList();
  }

  private List<JsonNode> jobs() throws Exception {
    var jobs = new ArrayList<JsonNode>();
    EventJson.MAPPER.readTree(service.get("/api/jobs").body()).path("jobs").forEach(jobs::add);
    return jobs;
  }
}
