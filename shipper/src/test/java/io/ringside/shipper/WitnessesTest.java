package io.ringside.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.ringside.schemas.event.HardwareCounters;
import io.ringside.schemas.event.PackedWitness;
import io.ringside.schemas.topic.Topics;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.shipper.source.kernel.Uptime;
import io.ringside.shipper.source.ras.RasServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.zip.GZIPInputStream;
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

  private static final String SECRET = "hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345";

  private static final String ENDED =
      """
      {"type": "MODIFIED", "object": {"metadata": {"name": "llama-0", "namespace": "ml", "uid": "5e1c"},
       "spec": {"nodeName": "n1"}, "status": {"phase": "Failed", "containerStatuses": [{"name": "train",
       "state": {"terminated": {"exitCode": 1, "reason": "Error", "message": "MESSAGE"}}}]}}}
      """
          .replace("\n ", " ");

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

  /// What they say takes ways of its own out of the node, beside those of logs.
  @Test
  void sendNoSecretThatTheyRead() throws Exception {
    var device = folder.resolve("kmsg");
    assertThat(new ProcessBuilder("mkfifo", device.toString()).start().waitFor()).isZero();
    var token = Files.writeString(folder.resolve("token"), "t0ken");
    var inspected = Files.createDirectories(folder.resolve("inspector/llama"));
    Files.writeString(inspected.resolve("gpu-1-pid7.log"), "inspector " + SECRET + "\n");
    var answer = ANSWER.replace("\"size\"", "\"ras\": \"ras " + SECRET + "\", \"size\"");
    var server = kubernetes(ENDED.replace("MESSAGE", "message " + SECRET));
    try (var kernel = FileChannel.open(device, StandardOpenOption.READ, StandardOpenOption.WRITE);
        var ras = new RasServer(RasServer.Kind.NEW, answer, "");
        var _ =
            agent(
                Map.of(
                    "witnesses.kernel.enabled",
                    "true",
                    "witnesses.kernel.device",
                    device.toString(),
                    "witnesses.ras.enabled",
                    "true",
                    "witnesses.ras.addresses",
                    ras.name(),
                    "witnesses.inspector.enabled",
                    "true",
                    "witnesses.inspector.globs",
                    folder.resolve("inspector") + "/*/*.log",
                    "witnesses.kubernetes.enabled",
                    "true",
                    "witnesses.kubernetes.server",
                    "http://127.0.0.1:" + server.getAddress().getPort(),
                    "witnesses.kubernetes.token",
                    token.toString()))) {
      kernel.write(
          ByteBuffer.wrap(
              "4,1,%d,-;NVRM: Xid (PCI:0000:9b:00): 79, kernel %s\n"
                  .formatted(Uptime.now().toMillis() * 1_000, SECRET)
                  .getBytes(UTF_8)));
      var missing = new HashSet<>(List.of("kernel", "ras", "inspector", "message"));
      while (!missing.isEmpty()) {
        var text = text(sent.take());

        assertThat(text).doesNotContain(SECRET);
        missing.removeIf(said -> text.contains(said + " (masked)"));
      }
    } finally {
      server.stop(0);
    }
  }

  private static HttpServer kubernetes(String pod) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write(pod.getBytes(UTF_8));
          exchange.close();
        });
    server.start();
    return server;
  }

  /// What a record says, unpacked where it is packed; empty where it is no log's.
  private static String text(ProducerRecord<String, byte[]> record) throws IOException {
    if (!record.topic().equals(Topics.LOGS.name())) {
      return "";
    }
    var chunk = Topics.LOGS.valueSerde().deserializer().deserialize(record.topic(), record.value());
    var text = chunk.text().toString();
    if (!text.startsWith(PackedWitness.START)) {
      return text;
    }
    var packed = Base64.getDecoder().decode(text.substring(text.lastIndexOf(' ') + 1));
    try (var in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return new String(in.readAllBytes(), UTF_8);
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
