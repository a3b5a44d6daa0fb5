package io.ringside.deploy.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.deploy.Recordings;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.topic.Topics;
import io.ringside.shipper.Shipper;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.streams.StreamsApp;
import io.ringside.streams.config.StreamsAppConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Agent and service with a certificate each, the rights that `deploy/kafka/acls` prints, and
/// nothing else.
@Timeout(120)
class MutualTlsIT {
  @TempDir static Path folder;
  private static Certificates certificates;
  private static SecuredBroker broker;
  private static Path agent;
  private static Path service;

  @BeforeAll
  static void start() throws Exception {
    certificates = Certificates.in(folder);
    broker = SecuredBroker.start(certificates);
    agent = certificates.issue("ringside-shipper");
    service = certificates.issue("ringside-streams");
    try (var admin = broker.administrator()) {
      admin
          .createTopics(Topics.ALL.stream().map(topic -> topic.toNewTopic(2, (short) 1)).toList())
          .all()
          .get();
      admin.createAcls(AclScript.bindings()).all().get();
    }
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void findsTheSlowRankOverTls() throws Exception {
    var logs = Files.createDirectory(folder.resolve("logs"));
    Recordings.unpack("slowcoll", logs);

    try (var app = StreamsApp.start(streams());
        var shipper = Shipper.start(shipper(logs))) {
      assertThat(app.awaitRunning(Duration.ofSeconds(60))).isTrue();
      Recordings.await(
          Duration.ofSeconds(60),
          () ->
              app.views().look().findings().stream()
                  .anyMatch(finding -> finding.kind() == FindingKind.STRAGGLER));

      assertThat(app.views().look().findings())
          .filteredOn(finding -> finding.kind() == FindingKind.STRAGGLER)
          .allSatisfy(finding -> assertThat(finding.ranks()).containsExactly(6));
      assertThat(shipper.published().failed.sum()).isZero();
    }
  }

  @Test
  void keepsTheAgentFromReading() throws Exception {
    try (var consumer =
        new KafkaConsumer<>(
            settings(agent, Map.of("auto.offset.reset", "earliest")),
            new StringDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(new TopicPartition(Topics.LOGS.name(), 0)));
      assertThatThrownBy(() -> consumer.poll(Duration.ofSeconds(20)))
          .isInstanceOf(TopicAuthorizationException.class);
    }
  }

  @Test
  void keepsTheAgentFromForgingFindings() {
    assertThatThrownBy(() -> send(agent, Topics.FINDINGS.name()))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(TopicAuthorizationException.class);
  }

  @Test
  void keepsTheServiceFromForgingLogs() {
    assertThatThrownBy(() -> send(service, Topics.LOGS.name()))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(TopicAuthorizationException.class);
  }

  @Test
  void keepsTheServiceFromChangingRights() {
    try (var admin = Admin.create(settings(service, Map.of()))) {
      assertThatThrownBy(
              () -> admin.createAcls(AclScript.bindings()).all().get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(AuthorizationException.class);
    }
  }

  @Test
  void refusesAClientWithoutACertificate() {
    var anonymous = new HashMap<>(broker.client(agent));
    anonymous.keySet().removeIf(key -> key.startsWith("ssl.keystore"));
    try (var admin = Admin.create(Map.copyOf(anonymous))) {
      assertThatThrownBy(() -> admin.listTopics().names().get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(SslAuthenticationException.class);
    }
  }

  private static void send(Path certificate, String topic) throws Exception {
    try (var producer =
        new KafkaProducer<>(
            settings(certificate, Map.of("max.block.ms", "20000")),
            new StringSerializer(),
            new ByteArraySerializer())) {
      producer
          .send(new ProducerRecord<>(topic, "k", new byte[] {'{', '}'}))
          .get(20, TimeUnit.SECONDS);
    }
  }

  private static Map<String, Object> settings(Path certificate, Map<String, String> more) {
    var settings = new HashMap<String, Object>(broker.client(certificate));
    settings.putAll(more);
    return settings;
  }

  private static StreamsAppConfig streams() {
    var settings = new HashMap<String, String>();
    settings.put("bootstrapServers", broker.bootstrapServers());
    settings.put("stateDir", folder.resolve("state").toString());
    settings.put("http.port", "0");
    broker.client(service).forEach((key, value) -> settings.put("kafka." + key, value));
    return StreamsAppConfig.of(settings);
  }

  private static io.ringside.shipper.config.ShipperConfig shipper(Path logs) throws Exception {
    var settings = new HashMap<String, String>();
    broker.client(agent).forEach((key, value) -> settings.put("kafka." + key, value));
    settings.put("node", "node-1");
    settings.put("logs.globs", logs + "/pods/*/*/*.log");
    settings.put("logs.checkpoints", folder.resolve("checkpoints.json").toString());
    settings.put("gpu.enabled", "false");
    settings.put("http.enabled", "false");
    return ShipperConfig.read(null, settings, name -> null);
  }
}
