package io.ringside.lab.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.lab.LabMain;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.serde.EventJson;
import io.ringside.schemas.topic.Topics;
import io.ringside.shipper.ShipperMain;
import io.ringside.streams.StreamsAppMain;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Hours of a fleet in which most of what is said is said to do harm, before one agent and one
/// instance that nobody starts again. Jobs that only train are accused of nothing meanwhile, and
/// what is wrong with others is found as ever. Hours are short ones, and what is kept for a day is
/// kept for as many of them.
///
/// Not in the build: `lab/hostile.sh` plays a day.
@Timeout(7_200)
class HostileFleetRun {
  private static final Duration LONG =
      Duration.parse(System.getProperty("ringside.hostile.time", "PT8M"));
  private static final int TIMES = Integer.getInteger("ringside.hostile.times", 24);
  private static final long SEED = Long.getLong("ringside.hostile.seed", 1);
  private static final int MARKERS = Integer.getInteger("ringside.hostile.markers", 20);
  private static final Duration LOOK = Duration.ofSeconds(2);

  /// More than the door takes from one address.
  private static final int IDLE = 150;

  /// Connections that a client may have kept.
  private static final int KEPT = 8;

  /// The smallest container that docs/install.md names.
  private static final int MOST_MIB = 1024;

  /// As its image starts it, in a container of that size.
  private static final List<String> PROGRAM =
      List.of(
          "-Xmx" + MOST_MIB * 7 / 10 + "m",
          "-XX:-UseSerialGC",
          "-XX:TieredStopAtLevel=4",
          "@" + Path.of("..", "deploy", "docker", "options-streams").toAbsolutePath(),
          StreamsAppMain.class.getName());

  private static final int PARTITIONS = 6;

  @TempDir private Path folder;
  private int probePort;

  @Test
  void needsNoRestart() throws Exception {
    var pods = Files.createDirectory(folder.resolve("pods"));
    var loopback = List.of(InetAddress.getLoopbackAddress());
    try (var broker =
            new BrokerProcess(
                folder.resolve("broker"), PARTITIONS, loopback, new Disk.OfTheMachine());
        var service = service(broker).ready();
        var agent = java("agent", 128, ShipperMain.class, agent(broker, pods));
        var innocent = java("innocent", 256, LabMain.class, innocent(broker));
        var crowd = java("crowd", 256, Crowd.class, crowd(broker, pods))) {
      try {
        watch(service, agent, crowd);
      } catch (AssertionError | IOException e) {
        var kept = Files.createDirectories(Path.of("target/hostile")).resolve("service.log");
        service.keepLog(kept);
        throw new AssertionError("the service's log is in " + kept.toAbsolutePath(), e);
      }
      assertThat(crowd.exit()).as(crowd.said()).isZero();
      System.err.print(crowd.said());
      assertThat(innocent.lives()).as(innocent.said()).isTrue();
      assertThat(metric(service, "ringside_streams_thread_failures_total")).isZero();
      assertThat(secretsOnTopics(broker)).isEmpty();
    }
  }

  private void watch(ServiceProcess service, Child agent, Child crowd) throws Exception {
    long most = 0;
    var accused = new TreeSet<String>();
    while (crowd.lives()) {
      var idle = idlers(service.port());
      assertThat(probed()).isEqualTo(200);
      TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
      for (var socket : idle) {
        socket.close();
      }
      accused.addAll(accused(service));
      most = Math.max(most, residentMiB(service.pid()));
      assertThat(agent.lives()).as(agent.said()).isTrue();
    }
    System.err.printf(Locale.ROOT, "most resident: service %d MiB%n", most);
    assertThat(accused).isEmpty();
    assertThat(most).isLessThan(MOST_MIB);
  }

  /// As a kubelet asks, at the probes' own port.
  private int probed() throws IOException {
    var address = URI.create("http://127.0.0.1:" + probePort + "/healthz").toURL();
    return ((HttpURLConnection) address.openConnection()).getResponseCode();
  }

  /// Connections of which nothing comes.
  private static List<Socket> idlers(int port) throws IOException {
    var idle = new ArrayList<Socket>();
    for (int i = 0; i < IDLE; i++) {
      var socket = new Socket(InetAddress.getLoopbackAddress(), port);
      idle.add(socket);
      socket.getOutputStream().write("GET /met".getBytes(StandardCharsets.US_ASCII));
    }
    return idle;
  }

  /// Connections that waited since the last question may have gone when there were too many: the
  /// client finds that out with its next one. A new one is answered.
  private static HttpResponse<String> asked(ServiceProcess service, String path)
      throws IOException, InterruptedException {
    for (int waiting = 0; waiting < KEPT; waiting++) {
      try {
        return service.get(path);
      } catch (IOException _) {
        // that one had gone
      }
    }
    return service.get(path);
  }

  /// Those of the jobs that do nothing but train that are shown as at fault.
  private static List<String> accused(ServiceProcess service) throws Exception {
    var accused = new ArrayList<String>();
    for (var job :
        EventJson.MAPPER.readTree(asked(service, "/api/jobs?limit=1000").body()).path("jobs")) {
      if (job.get("job").asString().startsWith("load-")
          && Set.of("warning", "critical").contains(job.get("verdict").asString())) {
        accused.add(job.get("job").asString() + ": " + job.get("headline").asString());
      }
    }
    return accused;
  }

  private static double metric(ServiceProcess service, String name) throws Exception {
    return asked(service, "/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
        .sum();
  }

  private static long residentMiB(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10)
        .sum();
  }

  /// Lines that hold what the agent had to keep to itself.
  private static List<String> secretsOnTopics(BrokerProcess broker) {
    var found = new ArrayList<String>();
    try (var consumer =
        new KafkaConsumer<String, LogChunk>(
            Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()),
            Topics.LOGS.keySerde().deserializer(),
            Topics.LOGS.valueSerde().deserializer())) {
      var of =
          consumer.partitionsFor(Topics.LOGS.name()).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      consumer.assign(of);
      consumer.seekToBeginning(of);
      // what is no record is not an agent's
      var ends = consumer.endOffsets(of);
      while (of.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        try {
          for (var record : consumer.poll(Duration.ofMillis(100))) {
            record
                .value()
                .text()
                .toString()
                .lines()
                .filter(line -> line.contains(HostileFolder.SECRET))
                .forEach(found::add);
          }
        } catch (RecordDeserializationException e) {
          consumer.seek(e.topicPartition(), e.offset() + 1);
        }
      }
    }
    return found;
  }

  private ServiceProcess service(BrokerProcess broker) throws IOException {
    probePort = ServiceProcess.freePort();
    var config = folder.resolve("streams.yaml");
    Files.writeString(
        config,
        "processing: {standbyReplicas: 0, forgetAfter: %s, keepResults: %s}"
            .formatted(Duration.ofDays(1).dividedBy(TIMES), Duration.ofDays(30).dividedBy(TIMES)));
    return new ServiceProcess(
        broker.bootstrapServers(),
        folder.resolve("service"),
        List.of("--application-id=hostile", "--config=" + config, "--http-probe-port=" + probePort),
        PROGRAM);
  }

  private static List<String> agent(BrokerProcess broker, Path pods) {
    return List.of(
        "--node=n1",
        "--bootstrap=" + broker.bootstrapServers(),
        "--logs=" + pods + "/*/*/*.log",
        "--checkpoints=" + pods.resolveSibling("checkpoints.json"),
        "--set=gpu.enabled=false",
        "--set=http.enabled=false");
  }

  private static List<String> innocent(BrokerProcess broker) {
    return List.of(
        "simulate",
        "--bootstrap=" + broker.bootstrapServers(),
        "--nodes=2",
        "--jobs=2",
        "--collectives-per-second=10",
        "--no-probe",
        "--duration=" + LONG); // longer than the rest
  }

  private static List<String> crowd(BrokerProcess broker, Path pods) {
    return List.of(
        broker.bootstrapServers(),
        LONG.toString(),
        Integer.toString(TIMES),
        Long.toString(SEED),
        pods.toString(),
        Integer.toString(MARKERS));
  }

  private Child java(String name, int heap, Class<?> main, List<String> arguments)
      throws IOException {
    return new Child(folder.resolve(name + ".log"), heap, main, arguments);
  }

  /// Another program of the fleet.
  private static final class Child implements AutoCloseable {
    private final Path log;
    private final Process process;

    Child(Path log, int heap, Class<?> main, List<String> arguments) throws IOException {
      this.log = log;
      var command =
          new ArrayList<>(
              List.of(
                  ProcessHandle.current().info().command().orElseThrow(),
                  "-Xmx" + heap + "m",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-Xshare:auto",
                  "--sun-misc-unsafe-memory-access=allow",
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  main.getName()));
      command.addAll(arguments);
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
    }

    boolean lives() {
      return process.isAlive();
    }

    int exit() throws InterruptedException {
      return process.waitFor();
    }

    String said() throws IOException {
      return Files.readString(log);
    }

    @Override
    public void close() {
      process.destroyForcibly().onExit().join();
    }
  }
}
