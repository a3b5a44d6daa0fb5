package io.ringside.deploy.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.deploy.Recordings;
import io.ringside.deploy.Repository;
import io.ringside.schemas.topic.Topics;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.streams.config.StreamsAppConfig;
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
import org.apache.kafka.common.errors.SaslAuthenticationException;
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

/// Agent and service by name and password, as the component `kafka-scram` has them log in, with the
/// rights that `deploy/kafka/acls` prints for these names.
@Timeout(120)
class ScramIT {
  private static final Path COMPONENT = Repository.path("deploy/kubernetes/components/kafka-scram");
  private static final String AGENT = "ringside-shipper";
  private static final String SERVICE = "ringside-streams";
  private static final String AGENTS_PASSWORD = "agents" + ProcessHandle.current().pid();
  private static final String SERVICES_PASSWORD = "services" + ProcessHandle.current().pid();

  @TempDir static Path folder;
  private static Path authority;
  private static ScramBroker broker;

  @BeforeAll
  static void start() throws Exception {
    var certificates = Certificates.in(folder);
    authority = certificates.authority();
    broker = ScramBroker.start(certificates);
    broker.know(AGENT, AGENTS_PASSWORD);
    broker.know(SERVICE, SERVICES_PASSWORD);
    try (var admin = broker.administrator()) {
      admin.createTopics(Topics.ALL.stream().map(it -> it.toNewTopic(1, (short) 1)).toList());
      admin
          .createAcls(
              AclScript.bindings("--shipper", "User:" + AGENT, "--streams", "User:" + SERVICE))
          .all()
          .get();
    }
    // names and rights reach the broker a moment after they are written
    Recordings.await(Duration.ofSeconds(60), () -> comesIn(service(SERVICES_PASSWORD)));
    Recordings.await(Duration.ofSeconds(60), () -> comesIn(agent(AGENTS_PASSWORD)));
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void theServiceReadsWhatTheAgentWrites() throws Exception {
    send(agent(AGENTS_PASSWORD), Topics.LOGS.name());

    try (var consumer = consumer(service(SERVICES_PASSWORD))) {
      assertThat(consumer.poll(Duration.ofSeconds(20))).isNotEmpty();
    }
    try (var consumer = consumer(agent(AGENTS_PASSWORD))) {
      assertThatThrownBy(() -> consumer.poll(Duration.ofSeconds(20)))
          .isInstanceOf(TopicAuthorizationException.class);
    }
  }

  @Test
  void neitherWritesTheOthersTopics() {
    assertThatThrownBy(() -> send(agent(AGENTS_PASSWORD), Topics.FINDINGS.name()))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(TopicAuthorizationException.class);
    assertThatThrownBy(() -> send(service(SERVICES_PASSWORD), Topics.LOGS.name()))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(TopicAuthorizationException.class);
  }

  @Test
  void nobodyComesInWithAnothersPasswordOrNone() {
    for (var password : List.of(SERVICES_PASSWORD, AGENTS_PASSWORD + "x", "")) {
      assertThatThrownBy(() -> send(agent(password), Topics.LOGS.name()))
          .as(password)
          .hasCauseInstanceOf(SaslAuthenticationException.class);
    }
  }

  private static boolean comesIn(Map<String, Object> settings) {
    try (var admin = Admin.create(settings)) {
      return !admin.listTopics().names().get(20, TimeUnit.SECONDS).isEmpty();
    } catch (Exception e) { // get declares three
      return false;
    }
  }

  private static KafkaConsumer<String, byte[]> consumer(Map<String, Object> settings) {
    var all = new HashMap<>(settings);
    all.put("auto.offset.reset", "earliest");
    var consumer = new KafkaConsumer<>(all, new StringDeserializer(), new ByteArrayDeserializer());
    consumer.assign(List.of(new TopicPartition(Topics.LOGS.name(), 0)));
    return consumer;
  }

  private static void send(Map<String, Object> settings, String topic) throws Exception {
    var all = new HashMap<>(settings);
    all.put("max.block.ms", "20000");
    try (var producer =
        new KafkaProducer<>(all, new StringSerializer(), new ByteArraySerializer())) {
      producer
          .send(new ProducerRecord<>(topic, "k", new byte[] {'{', '}'}))
          .get(20, TimeUnit.SECONDS);
    }
  }

  private static Map<String, Object> agent(String password) {
    return settings(
        ShipperConfig.read(
                COMPONENT.resolve("shipper.yaml"), Map.of(), environment(AGENT, password)::get)
            .kafka());
  }

  private static Map<String, Object> service(String password) {
    return settings(
        StreamsAppConfig.read(
                COMPONENT.resolve("streams.yaml"), Map.of(), environment(SERVICE, password)::get)
            .kafka());
  }

  private static Map<String, String> environment(String user, String password) {
    return Map.of(
        "NODE_NAME",
        "gpu-1",
        "POD_IP",
        "127.0.0.1",
        "RINGSIDE_BOOTSTRAP",
        broker.bootstrapServers(),
        "RINGSIDE_KAFKA_USER",
        user,
        "RINGSIDE_KAFKA_PASSWORD",
        password);
  }

  /// The same with whom the test trusts; MSK's certificates are of the usual authorities.
  private static Map<String, Object> settings(Map<String, String> ofComponent) {
    var settings = new HashMap<String, Object>(ofComponent);
    settings.put("bootstrap.servers", broker.bootstrapServers());
    settings.put("ssl.truststore.type", "PEM");
    settings.put("ssl.truststore.location", authority.toString());
    return settings;
  }
}
