package io.ringside.lab.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.lab.fleet.ServiceProcess;
import io.ringside.lab.lives.Machine.Use;
import io.ringside.schemas.serde.EventJson;
import io.ringside.schemas.topic.Topics;
import io.ringside.standalone.broker.EmbeddedBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// One life of a job of four ranks on four machines, in real time, with pictures of the page: files
/// as a kubelet keeps them, an agent a machine, a broker and the service. No part of the build:
/// `lab/life.sh` plays it.
@Timeout(1_500)
class OneLife implements Theatre {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String JOB = "llama";
  private static final int RANKS = 4;
  private static final int SLOW = 2;
  private static final double LATE = 0.3;

  /// Where pictures go, and what was shown when.
  private static final Path TOLD =
      Path.of(System.getProperty("ringside.life.folder", "target/life"));

  /// Where kubelets would keep their pods' logs, a folder a machine; findings show it.
  private static final String PODS = System.getProperty("ringside.life.pods", "");

  @TempDir private Path folder;
  private final InstantSource clock = InstantSource.system();
  private final List<Machine> machines =
      IntStream.range(0, RANKS).mapToObj(rank -> new Machine("gpu-node-" + rank)).toList();
  private final List<AgentProcess> agents = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private KubeletLogs[] logs;
  private EmbeddedBroker broker;
  private ServiceProcess service;
  private Runnable work = () -> {};
  private Instant began = Instant.EPOCH;
  private String shown = "";
  private int starts;
  private int ticks;

  @BeforeEach
  void begin() throws Exception {
    Files.createDirectories(TOLD);
    broker = EmbeddedBroker.start();
    broker.createTopics(Topics.ALL, 1, Map.of());
    service =
        new ServiceProcess(
            broker.bootstrapServers(), folder.resolve("service"), List.of("--application-id=life"));
    logs = new KubeletLogs[RANKS];
    var ports = new ArrayList<Integer>();
    for (int rank = 0; rank < RANKS; rank++) {
      var own = Files.createDirectory(folder.resolve(machines.get(rank).name()));
      var pods = PODS.isEmpty() ? own : Path.of(PODS).resolve(machines.get(rank).name());
      logs[rank] = new KubeletLogs(Files.createDirectories(pods.resolve("pods")));
      use(rank, 0, 5, 90);
      int port = freePort();
      ports.add(port);
      agents.add(
          new AgentProcess(
              machines.get(rank).name(),
              broker.bootstrapServers(),
              logs[rank].glob(),
              own,
              List.of(
                  "gpu.command=" + nvidiaSmi(rank),
                  "http.host=127.0.0.1",
                  "http.port=" + port,
                  "cluster=lab")));
    }
    service.ready();
    Files.writeString(TOLD.resolve("targets.json"), targets(ports));
  }

  @AfterEach
  void end() {
    agents.forEach(AgentProcess::close);
    service.close();
    broker.close();
  }

  /// For Prometheus.
  private String targets(List<Integer> agentPorts) {
    var quoted = agentPorts.stream().map(port -> "\"127.0.0.1:" + port + "\"").toList();
    return """
        [{"targets": ["127.0.0.1:%d"], "labels": {"job": "ringside-streams", "namespace": "ringside"}},
         {"targets": [%s], "labels": {"job": "ringside-shipper", "namespace": "ringside-agents"}}]
        """
        .formatted(service.port(), String.join(", ", quoted));
  }

  @Test
  void isToldSecondBySecond() throws Exception {
    pass(15); // Prometheus has seen the fleet at rest
    began = now();
    var first = start("x7k2b");
    first.begin();
    await("state", "starting");
    picture("starting");

    first.init();
    work = first::step;
    await("state", "running");
    pass(40);
    assertThat(active()).isEmpty();
    picture("running");

    work = () -> first.step(SLOW, ticks % 2 == 0 ? LATE : 0);
    awaitFinding("straggler", "warning");
    pass(15);
    picture("straggler");

    work = first::step;
    awaitNone();
    picture("recovered");

    work = first::rest;
    await("state", "paused");
    pass(6);
    picture("paused");

    work = first::step;
    await("state", "running");
    pass(15);

    first.callAllBut(SLOW).use(SLOW, Use.RESTS);
    work = () -> {};
    awaitFinding("hang", "info");
    picture("waiting");
    awaitFinding("hang", "critical");
    picture("hang");

    first.terminate();
    await("state", "stopped");
    assertThat(active()).isEmpty();
    picture("stopped");
    pass(5);

    var second = start("q4w8c");
    second.begin();
    pass(2);
    second.init();
    work = second::step;
    await("state", "running");
    pass(20);
    assertThat(overview().get("attempt").asInt()).isEqualTo(2);
    picture("retried");

    second.destroy();
    work = () -> {};
    await("state", "ended");
    picture("ended");
    pass(20);
    assertThat(overview().get("state").asString()).isEqualTo("ended");
    assertThat(active()).isEmpty();
    Files.writeString(
        TOLD.resolve("span"),
        "%d %d%n".formatted(began.minusSeconds(10).toEpochMilli(), now().toEpochMilli()));
  }

  private Attempt start(String random) {
    int number = ++starts;
    var pods =
        IntStream.range(0, RANKS)
            .mapToObj(
                rank ->
                    new Attempt.Pod("%s-%d-%s".formatted(JOB, rank, random), machines.get(rank)))
            .toList();
    say("attempt " + number + " starts");
    return new Attempt(this, JOB, "0x00dd0000000000%02x".formatted(number), 100 * number, pods);
  }

  @Override
  public Instant now() {
    return clock.instant();
  }

  @Override
  public double tick() {
    return 0.5;
  }

  @Override
  public OneLife pass(double seconds) {
    var until = now().plusMillis(Math.round(1_000 * seconds));
    do {
      work.run();
      ticks++;
      write();
      look();
      nap();
    } while (now().isBefore(until));
    return this;
  }

  private void write() {
    try {
      for (int rank = 0; rank < RANKS; rank++) {
        for (var chunk : machines.get(rank).chunks(now())) {
          logs[rank].take(chunk);
        }
        for (var sample : machines.get(rank).samples(now())) {
          var gpu = sample.gpus().getFirst();
          use(
              rank,
              known(gpu.utilizationPercent()),
              known(gpu.memoryUsedMiB()),
              known(gpu.powerWatts()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double known(@Nullable Double reading) {
    return reading == null ? 0 : reading;
  }

  /// Half a second of the programs' work: this is what makes it one of real time.
  private static void nap() {
    try {
      TimeUnit.MILLISECONDS.sleep(450);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /// Writes down what is shown when it changes.
  private void look() {
    try {
      var job = overviews().stream().findFirst();
      var now =
          job.map(
                  it ->
                      "%s, attempt %d, %s: %s"
                          .formatted(
                              it.get("state").asString(),
                              it.get("attempt").asInt(),
                              it.get("verdict").asString(),
                              it.path("headline").asString("")))
              .orElse("");
      var same = now.replaceAll("[\\d.,]+", "");
      if (!same.equals(shown)) {
        shown = same;
        say(now);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void say(String what) {
    told.add("%7.1f s  %s".formatted(Duration.between(began, now()).toMillis() / 1e3, what));
    try {
      Files.write(TOLD.resolve("told.txt"), told);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void picture(String name) throws Exception {
    say("picture: " + name);
    var address =
        "http://127.0.0.1:%d/#/job/%s?cluster=lab&namespace=ns".formatted(service.port(), JOB);
    var taken =
        CompletableFuture.runAsync(
            () -> {
              try {
                new Camera(TOLD).picture("life-" + name, address);
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    while (!taken.isDone()) {
      pass(0);
    }
    taken.join();
  }

  private void await(String field, String value) throws Exception {
    var since = now();
    while (overviews().isEmpty() || !overview().get(field).asString().equals(value)) {
      assertThat(Duration.between(since, now())).as(value).isLessThan(PATIENCE);
      pass(0);
    }
  }

  private void awaitFinding(String kind, String severity) throws Exception {
    var since = now();
    while (active().stream()
        .noneMatch(
            it ->
                it.get("kind").asString().equals(kind)
                    && it.get("severity").asString().equals(severity))) {
      assertThat(Duration.between(since, now())).as(kind).isLessThan(PATIENCE);
      pass(0);
    }
  }

  private void awaitNone() throws Exception {
    var since = now();
    while (!active().isEmpty()) {
      assertThat(Duration.between(since, now())).isLessThan(PATIENCE);
      pass(0);
    }
  }

  /// Its findings that are open.
  private List<JsonNode> active() throws IOException, InterruptedException {
    var active = new ArrayList<JsonNode>();
    EventJson.MAPPER
        .readTree(service.get("/api/jobs/" + JOB + "?cluster=lab&namespace=ns").body())
        .path("findings")
        .forEach(
            each -> {
              if (each.get("state").asString().equals("active")) {
                active.add(each);
              }
            });
    return active;
  }

  private JsonNode overview() throws IOException, InterruptedException {
    return overviews().getFirst();
  }

  private List<JsonNode> overviews() throws IOException, InterruptedException {
    var jobs = new ArrayList<JsonNode>();
    EventJson.MAPPER.readTree(service.get("/api/jobs").body()).path("jobs").forEach(jobs::add);
    return jobs;
  }

  /// What the machine's GPU does, for {@link #nvidiaSmi}. Put in place whole: an empty file ends
  /// the program, and the agent would rightly say so.
  private void use(int rank, double percent, double memory, double watts) throws IOException {
    var own = folder.resolve(machines.get(rank).name());
    var written =
        Files.writeString(
            own.resolve("use.new"), "%.0f %.0f %.0f%n".formatted(percent, memory, watts));
    Files.move(written, own.resolve("use"), StandardCopyOption.ATOMIC_MOVE);
  }

  /// A program that prints as nvidia-smi does what the machine's GPU does.
  private Path nvidiaSmi(int rank) throws IOException {
    var own = folder.resolve(machines.get(rank).name());
    var program = own.resolve("nvidia-smi");
    Files.writeString(
        program,
        """
        #!/bin/sh
        case "$*" in
          *-lms*)
            echo 'timestamp, index, uuid, pci.bus_id, name, utilization.gpu [%%], memory.used [MiB], memory.total [MiB], power.draw [W], enforced.power.limit [W], temperature.gpu, clocks.current.sm [MHz], clocks.max.sm [MHz], clocks_event_reasons.active'
            while read -r percent memory watts < '%s'; do
              echo "$(date '+%%Y/%%m/%%d %%H:%%M:%%S.%%3N'), 0, GPU-%d, 00000000:1B:00.0, NVIDIA H100 80GB HBM3, $percent %%, $memory MiB, 81559 MiB, $watts.00 W, 700.00 W, 50, 1980 MHz, 1980 MHz, 0x0000000000000000"
              sleep 1
            done ;;
          *--help*) ;;
          *) exit 1 ;;
        esac
        """
            .formatted(own.resolve("use"), rank));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    return program;
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
