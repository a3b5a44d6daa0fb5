package io.ringside.shipper;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.HardwareCounters;
import io.ringside.schemas.event.PackedWitness;
import io.ringside.schemas.topic.Topics;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.shipper.source.ras.RasServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the whole agent sends with its witnesses on, and with what it is told by default.
@Timeout(60)
class WitnessesTest {
  private static final String ANSWER =
      """
      {"nccl_version": "2.28.9", "communicators_count": 1, "communicators": [
        {"hash": "0xaa00bdab65740a8d", "size": 1, "ranks": [], "missing_ranks": []}]}
      """;

  @TempDir private Path folder;
  private final BlockingQueue<ProducerRecord<String, byte[]>> sent = new LinkedBlockingQueue<>();

  @Test
  void sendsAnswersOfRasAndCountersOfErrors() throws Exception {
    var counters = folder.resolve("sys/class/infiniband/mlx5_0/ports/1/counters");
    Files.createDirectories(counters);
    Files.writeString(counters.resolve("link_downed"), "2\n");
    try (var server = new RasServer(RasServer.Kind.NEW, ANSWER, "");
        var _ =
            agent(
                Map.of(
                    "witnesses.ras.enabled", "true",
                    "witnesses.ras.addresses", server.name(),
                    "witnesses.counters.enabled", "true"))) {
      boolean asked = false;
      boolean counted = false;
      while (!asked || !counted) {
        var record = sent.take();
        if (record.topic().equals(Topics.LOGS.name())) {
          var chunk =
              Topics.LOGS.valueSerde().deserializer().deserialize(record.topic(), record.value());
          assertThat(chunk.source().speaksOfNode()).isTrue();
          assertThat(chunk.text().toString()).startsWith(PackedWitness.START);
          asked = true;
        } else if (record.topic().equals(Topics.NODE.name())) {
          var report =
              Topics.NODE.valueSerde().deserializer().deserialize(record.topic(), record.value());
          assertThat(report.agent().sources()).contains("ras", "hardware");
          counted |=
              report
                  .hardware()
                  .contains(
                      new HardwareCounters(
                          HardwareCounters.Kind.PORT, "mlx5_0/1", Map.of("link_downed", 2L)));
        }
      }
    }
  }

  /// What is switched on and cannot be reached stands in the report, what is off does not.
  @Test
  void tellsWhatItDoesNotReach() throws Exception {
    try (var hangsUp = new RasServer(RasServer.Kind.HTTP, "", "");
        var _ =
            agent(
                Map.of(
                    "witnesses.ras.enabled", "true",
                    "witnesses.ras.addresses", hangsUp.name(),
                    "witnesses.ras.interval", "1s",
                    "witnesses.ras.standing", "1s"))) {
      while (true) {
        var record = sent.take();
        var report =
            Topics.NODE.valueSerde().deserializer().deserialize(record.topic(), record.value());
        if (!report.unreached().isEmpty()) {
          assertThat(report.unreached())
              .singleElement()
              .satisfies(
                  said -> {
                    assertThat(said.witness()).isEqualTo("RAS");
                    assertThat(said.why()).contains(hangsUp.name());
                    assertThat(said.tries()).isGreaterThanOrEqualTo(2);
                  });
          return;
        }
      }
    }
  }

  @Test
  void asksNobodyUnlessToldTo() throws Exception {
    try (var _ = agent(Map.of())) {
      var record = sent.take();

      assertThat(record.topic()).isEqualTo(Topics.NODE.name());
      var report =
          Topics.NODE.valueSerde().deserializer().deserialize(record.topic(), record.value());
      assertThat(report.agent().sources()).containsExactly("logs");
      assertThat(report.hardware()).isEmpty();
      assertThat(report.unreached()).isEmpty();
    }
  }

  private Shipper agent(Map<String, String> more) throws IOException {
    var settings =
        new HashMap<>(
            Map.of(
                "cluster", "east",
                "node", "n1",
                "logs.globs", folder.resolve("*.log").toString(),
                "logs.checkpoints", folder.resolve("checkpoints.json").toString(),
                "gpu.enabled", "false",
                "http.enabled", "false",
                "report.interval", "100ms",
                "report.sysfs", folder.resolve("sys").toString()));
    settings.putAll(more);
    var producer =
        new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer()) {
          @Override
          public synchronized Future<RecordMetadata> send(
              ProducerRecord<String, byte[]> record, Callback callback) {
            sent.add(record);
            return super.send(record, callback);
          }
        };
    return Shipper.start(ShipperConfig.read(null, settings, _ -> null), producer);
  }
}
