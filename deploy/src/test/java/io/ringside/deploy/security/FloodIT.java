package io.ringside.deploy.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Recordings;
import io.ringside.deploy.Repository;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Text;
import io.ringside.schemas.topic.Topic;
import io.ringside.schemas.topic.Topics;
import io.ringside.shipper.Shipper;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.shipper.publish.KafkaPublisher;
import io.ringside.shipper.publish.ProducerSettings;
import io.ringside.standalone.broker.EmbeddedBroker;
import io.ringside.streams.StreamsApp;
import io.ringside.streams.config.StreamsAppConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A job that says something else in every line costs its own results, not the service: jobs beside
/// it are judged as ever.
@Timeout(240)
class FloodIT {
  private static final int LINES = Integer.getInteger("ringside.flood.lines", 20_000);
  private static final int JOBS = Integer.getInteger("ringside.flood.jobs", 1_000);
  private static final String POD = "flood-node-0-0";
  private static final String INIT =
      "ncclCommInitRankConfig comm 0x%x rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 90 commId %s - Init %s";

  @TempDir Path folder;

  @Test
  void costsOnlyTheJobThatMakesIt() throws Exception {
    var logs = Files.createDirectories(folder.resolve("logs"));
    write(logs, "training_" + POD + "_uid-1", flood());
    try (var broker = EmbeddedBroker.start();
        var app = StreamsApp.start(streams(broker));
        var agent = Shipper.start(shipper(broker, logs));
        var client = HttpClient.newHttpClient()) {
      long size = Files.size(logs.resolve("training_" + POD + "_uid-1/trainer/0.log"));
      Recordings.await(Duration.ofMinutes(2), () -> agent.files().bytes.sum() >= size);
      Recordings.unpack("p2pread", folder.resolve("source"));
      var job = Repository.files(folder.resolve("source"), ".log").getFirst();
      write(logs, "training_well-node-0-0_uid-2", Files.readAllLines(job));

      Recordings.await(
          Duration.ofMinutes(2),
          () ->
              app.views().look().findings().stream()
                  .anyMatch(finding -> finding.job().equals("well")));
      assertThat(app.state()).isEqualTo(KafkaStreams.State.RUNNING);
      var address = "http://127.0.0.1:" + app.httpAddress().getPort();
      var metrics = get(client, address + "/metrics");
      assertThat(metrics).contains("ringside_streams_thread_failures_total 0");
      assertThat(metrics.lines().filter(line -> line.contains("job=\"flood\"")))
          .hasSizeBetween(1, 400);
      assertThat(get(client, address + "/api/jobs/flood").length()).isLessThan(4 << 20);
    }
  }

  /// Its copy on the dead letters' topic says where it came from and what was wrong, so it is
  /// larger than it was.
  @Test
  void aRecordAsLargeAsTheTopicTakesHoldsNobodyUp() throws Exception {
    var logs = Files.createDirectories(folder.resolve("logs"));
    try (var broker = EmbeddedBroker.start();
        var app = StreamsApp.start(streams(broker));
        var client = HttpClient.newHttpClient()) {
      assertThat(app.awaitRunning(Duration.ofSeconds(60))).isTrue();
      send(broker, largest());
      Recordings.unpack("p2pread", folder.resolve("source"));
      var job = Repository.files(folder.resolve("source"), ".log").getFirst();
      write(logs, "training_well-node-0-0_uid-2", Files.readAllLines(job));

      try (var agent = Shipper.start(shipper(broker, logs))) {
        Recordings.await(Duration.ofMinutes(2), () -> !app.views().look().findings().isEmpty());
        assertThat(agent.published().failed.sum()).isZero();
      }
      assertThat(app.state()).isEqualTo(KafkaStreams.State.RUNNING);
      var address = "http://127.0.0.1:" + app.httpAddress().getPort();
      assertThat(get(client, address + "/metrics"))
          .contains("ringside_streams_thread_failures_total 0");
    }
  }

  /// Whoever may start jobs may name them, one after the other: `-Dringside.flood.jobs=10000`.
  @Test
  void anyNumberOfJobsGivesABoundedNumberOfSeries() throws Exception {
    try (var broker = EmbeddedBroker.start();
        var app = StreamsApp.start(streams(broker));
        var client = HttpClient.newHttpClient();
        var producer =
            ProducerSettings.producer(ProducerSettings.of(broker.bootstrapServers(), Map.of()))) {
      assertThat(app.awaitRunning(Duration.ofSeconds(60))).isTrue();
      var publisher = new KafkaPublisher(producer);
      for (int job = 0; job < JOBS; job++) {
        publisher.send(chunk(job));
      }
      publisher.flush();
      var address = "http://127.0.0.1:" + app.httpAddress().getPort();
      Recordings.await(
          Duration.ofSeconds(150),
          () -> get(client, address + "/api/jobs?limit=1").contains("\"total\":" + JOBS));

      var metrics = get(client, address + "/metrics");
      assertThat(metrics.lines().filter(line -> line.startsWith("ringside_job_info{")))
          .hasSizeLessThanOrEqualTo(StreamsAppConfig.defaults().metrics().maxJobs());
      assertThat(metrics.lines().filter(line -> !line.startsWith("#"))).hasSizeLessThan(100_000);
      assertThat(metrics).contains("ringside_streams_thread_failures_total 0");
      assertThat(get(client, address + "/api/jobs").length()).isLessThan(4 << 20);
    }
  }

  private static LogChunk chunk(int job) {
    var name = "evil-" + job;
    var head = name + "-node-0-0:1:1 [0] NCCL INFO ";
    var comm = "0x%016x".formatted(0x5f6a_96e1_0000_0000L + job);
    var lines =
        List.of(
            head + "NCCL version 2.28.9+cuda13.0",
            head + INIT.formatted(0x1000 + job, comm, "START"),
            head + "Channel 00/0 : 0[0] -> 1[1] [send] via NET/Socket/0",
            head + INIT.formatted(0x1000 + job, comm, "COMPLETE"));
    var offsets = new int[lines.size()];
    for (int i = 1; i < offsets.length; i++) {
      offsets[i] = offsets[i - 1] + lines.get(i - 1).length() + 1;
    }
    var text = String.join("\n", lines);
    var source =
        new LogSource(
            "",
            "node-" + job % 100,
            "training",
            name + "-node-0-0",
            "uid",
            "trainer",
            name,
            "/var/log/pods/training_" + name + "/0.log");
    return new LogChunk(
        source,
        1,
        0,
        0,
        text.length() + 1,
        Instant.parse("2026-11-20T00:00:00Z"),
        false,
        false,
        Text.of(text),
        offsets,
        0,
        new long[0],
        new int[0]);
  }

  /// Bytes that no compressor makes smaller.
  private static byte[] largest() {
    var bytes = new byte[Topic.MAX_MESSAGE_BYTES - 256];
    RandomGenerator.of("L64X128MixRandom").nextBytes(bytes);
    return bytes;
  }

  private static void send(EmbeddedBroker broker, byte[] value) throws Exception {
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "max.request.size",
                Topic.MAX_MESSAGE_BYTES),
            new StringSerializer(),
            new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(Topics.LOGS.name(), "node-1", value)).get();
    }
  }

  /// Names, values, networks, processes, communicators and shapes that never come twice.
  private static List<String> flood() {
    var lines = new ArrayList<String>();
    var head = POD + ":1:1 [0] NCCL INFO ";
    lines.add(head + "NCCL version 2.28.9+cuda13.0");
    lines.add(init(1, 0, "0x5f6a96e193662fe8", "START"));
    lines.add(init(1, 0, "0x5f6a96e193662fe8", "COMPLETE"));
    for (int i = 0; i < LINES; i++) {
      lines.add(head + "NCCL_FLOOD_%d set by environment to %s".formatted(i, "x".repeat(300) + i));
      lines.add(
          head + "Channel 00/0 : %d[0] -> %d[1] [send] via NET/Evil%d/0".formatted(i, i + 1, i));
      lines.add(init(i + 2, i, "0x%016x".formatted(0x5f6a_96e1_0000_0000L + i), "START"));
      lines.add(POD + ":1:1 [0] NCCL INFO Something new %s %d".formatted("a".repeat(i % 97), i));
    }
    lines.add(
        head
            + "ncclCommInitRankConfig comm 0x1 rank 2147483647 nranks 2147483647 cudaDev 0"
            + " nvmlDev 0 busId 90 commId 0x1 - Init START");
    return lines;
  }

  private static String init(int pid, int comm, String id, String phase) {
    return POD
        + ":%d:%d [0] NCCL INFO ".formatted(pid, pid)
        + INIT.formatted(0x1000 + comm, id, phase);
  }

  private static void write(Path logs, String pod, List<String> lines) throws IOException {
    var container = Files.createDirectories(logs.resolve(pod).resolve("trainer"));
    Files.write(container.resolve("0.log"), lines);
  }

  private static String get(HttpClient client, String address) {
    try {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(address)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private StreamsAppConfig streams(EmbeddedBroker broker) {
    return StreamsAppConfig.of(
        Map.of(
            "bootstrapServers",
            broker.bootstrapServers(),
            "stateDir",
            folder.resolve("state").toString(),
            "http.port",
            "0"));
  }

  private ShipperConfig shipper(EmbeddedBroker broker, Path logs) throws IOException {
    var settings = new HashMap<String, String>();
    settings.put("kafka.bootstrap.servers", broker.bootstrapServers());
    settings.put("node", "node-1");
    settings.put("logs.globs", logs + "/*/*/*.log");
    settings.put("logs.checkpoints", folder.resolve("checkpoints.json").toString());
    settings.put("gpu.enabled", "false");
    settings.put("http.enabled", "false");
    return ShipperConfig.read(null, settings, name -> null);
  }
}
