package io.ringside.deploy.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Recordings;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Text;
import io.ringside.schemas.topic.Topic;
import io.ringside.schemas.topic.Topics;
import io.ringside.standalone.broker.EmbeddedBroker;
import io.ringside.streams.StreamsApp;
import io.ringside.streams.config.StreamsAppConfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Records that no agent sends, from somebody who may write to its topics: the service goes on, and
/// judges the jobs of others.
@Timeout(240)
class HostileRecordsIT {
  private static final Instant IN_74_YEARS = Instant.parse("2100-01-01T00:00:00Z");

  @TempDir Path folder;

  @Test
  void aRecordOfTheFutureStopsNoThread() throws Exception {
    try (var broker = EmbeddedBroker.start();
        var app = StreamsApp.start(config(broker))) {
      assertThat(app.awaitRunning(Duration.ofSeconds(60))).isTrue();
      allowAnyTime(broker);
      Recordings.await(Duration.ofSeconds(30), () -> taken(broker, chunk("evil"), IN_74_YEARS));
      send(broker, chunk("well"), Instant.now());

      Recordings.await(Duration.ofMinutes(1), () -> jobs(app).containsAll(List.of("evil", "well")));
      assertThat(app.state()).isEqualTo(KafkaStreams.State.RUNNING);
      assertThat(metrics(app)).contains("ringside_streams_thread_failures_total 0");
    }
  }

  @Test
  void aRecordThatUnpacksToMoreThanTheHeapIsSetAside() throws Exception {
    try (var broker = EmbeddedBroker.start();
        var app = StreamsApp.start(config(broker))) {
      assertThat(app.awaitRunning(Duration.ofSeconds(60))).isTrue();
      send(broker, chunk("before"), Instant.now());
      Bomb.send(broker.bootstrapServers(), 900 << 20);
      send(broker, chunk("after"), Instant.now());
      Bomb.send(broker.bootstrapServers(), 40 << 20);
      send(broker, chunk("last"), Instant.now());

      Recordings.await(
          Duration.ofMinutes(2), () -> jobs(app).containsAll(List.of("before", "after", "last")));
      assertThat(app.state()).isEqualTo(KafkaStreams.State.RUNNING);
      assertThat(metrics(app))
          .contains("ringside_streams_thread_failures_total 0")
          .contains("ringside_streams_set_aside_records_total 1");
    }
  }

  private static List<String> jobs(StreamsApp app) {
    return app.views().look().findings().stream().map(finding -> finding.job()).distinct().toList();
  }

  /// As brokers did before 3.6, and do where somebody says so.
  private static void allowAnyTime(EmbeddedBroker broker) throws Exception {
    try (var admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin
          .incrementalAlterConfigs(
              Map.of(
                  new ConfigResource(ConfigResource.Type.TOPIC, Topics.LOGS.name()),
                  List.of(
                      new AlterConfigOp(
                          new ConfigEntry(
                              TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG,
                              Long.toString(Long.MAX_VALUE)),
                          AlterConfigOp.OpType.SET))))
          .all()
          .get();
    }
  }

  /// Whether the broker takes a record of that time: what it allows it learns a while after it was
  /// told.
  private static boolean taken(EmbeddedBroker broker, LogChunk chunk, Instant at) {
    try {
      send(broker, chunk, at);
      return true;
    } catch (Exception e) {
      if (e.getCause() instanceof InvalidTimestampException) {
        return false;
      }
      throw new AssertionError(e);
    }
  }

  private static void send(EmbeddedBroker broker, LogChunk chunk, Instant at) throws Exception {
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "max.request.size",
                Topic.MAX_MESSAGE_BYTES),
            new StringSerializer(),
            Topics.LOGS.valueSerde().serializer())) {
      producer
          .send(
              new ProducerRecord<>(
                  Topics.LOGS.name(), null, at.toEpochMilli(), chunk.source().node(), chunk))
          .get();
    }
  }

  private static LogChunk chunk(String job) {
    var head = job + "-node-0-0:1:1 [0] NCCL INFO ";
    var init =
        "ncclCommInitRankConfig comm 0x1000 rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 90 commId 0x%x - Init %s";
    var lines =
        List.of(
            head + "NCCL version 2.28.9+cuda13.0",
            head + init.formatted(job.hashCode(), "START"),
            head + "NET/OFI Failed to initialize provider",
            head + "Channel 00/0 : 0[0] -> 1[1] [send] via NET/Socket/0",
            head + init.formatted(job.hashCode(), "COMPLETE"));
    var offsets = new int[lines.size()];
    for (int i = 1; i < offsets.length; i++) {
      offsets[i] = offsets[i - 1] + lines.get(i - 1).length() + 1;
    }
    var text = String.join("\n", lines);
    var source =
        new LogSource(
            "", "node-1", "training", job + "-node-0-0", "uid", "trainer", job, job + ".log");
    return new LogChunk(
        source,
        1,
        0,
        0,
        text.length() + 1,
        Instant.EPOCH,
        false,
        false,
        Text.of(text),
        offsets,
        0,
        new long[0],
        new int[0]);
  }

  private static String metrics(StreamsApp app) throws Exception {
    try (var client = HttpClient.newHttpClient()) {
      var address = "http://127.0.0.1:" + app.httpAddress().getPort() + "/metrics";
      return client
          .send(
              HttpRequest.newBuilder(URI.create(address)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  private StreamsAppConfig config(EmbeddedBroker broker) {
    return StreamsAppConfig.of(
        Map.of(
            "bootstrapServers",
            broker.bootstrapServers(),
            "stateDir",
            folder.resolve("state").toString(),
            "http.port",
            "0"));
  }
}
