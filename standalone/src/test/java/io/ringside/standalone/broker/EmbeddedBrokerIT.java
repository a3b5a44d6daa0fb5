package io.ringside.standalone.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.schemas.topic.Topics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class EmbeddedBrokerIT {

  @Test
  void carriesARecordFromAProducerToAConsumerGroup() throws Exception {
    try (var broker = EmbeddedBroker.start()) {
      broker.createTopics(Topics.ALL, 2, Map.of());
      sendHello(broker);
      assertThat(firstValue(broker)).isEqualTo("hello");
    }
  }

  @Test
  void findsItsDataAgainInAFolderThatStays(@TempDir Path folder) throws Exception {
    try (var broker = EmbeddedBroker.in(KeptFolder.take(folder).orElseThrow())) {
      broker.createTopics(Topics.ALL, 1, Map.of());
      sendHello(broker);
    }
    try (var broker = EmbeddedBroker.in(KeptFolder.take(folder).orElseThrow())) {
      assertThat(firstValue(broker)).isEqualTo("hello");
    }
  }

  @Test
  void createsEveryTopicOnceWithItsPartitionsAndOverrides() throws Exception {
    try (var broker = EmbeddedBroker.start();
        var admin = broker.admin()) {
      broker.createTopics(Topics.ALL, 2, Map.of("segment.ms", "12345"));
      broker.createTopics(Topics.ALL, 2, Map.of());

      var names = Topics.ALL.stream().map(topic -> topic.name()).toList();
      var described = admin.describeTopics(names).allTopicNames().get();
      assertThat(described.keySet()).containsExactlyInAnyOrderElementsOf(names);
      assertThat(described.values()).allMatch(topic -> topic.partitions().size() == 2);
    }
  }

  @Test
  void leavesNoFolderBehind() {
    var broker = EmbeddedBroker.start();
    var folder = broker.folder();
    assertThat(folder).isDirectory();

    broker.close();
    broker.close();

    assertThat(folder).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void takenPortIsAnErrorAndNotTheEndOfTheProcess(boolean controller) throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var folder = ScratchFolder.create("ringside-test-")) {
      var free = LoopbackPorts.choose();
      var ports =
          controller
              ? new LoopbackPorts(free.broker(), taken.getLocalPort())
              : new LoopbackPorts(taken.getLocalPort(), free.controller());

      assertThatThrownBy(() -> EmbeddedBroker.start(ports, folder, UnaryOperator.identity()))
          .isInstanceOf(KafkaException.class)
          .hasMessageContaining("embedded broker did not start");
    }
  }

  private static void sendHello(EmbeddedBroker broker) throws Exception {
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", broker.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      producer.send(new ProducerRecord<>(Topics.LOGS.name(), "node-7", "hello")).get();
    }
  }

  private static String firstValue(EmbeddedBroker broker) {
    List<String> values = new ArrayList<>();
    try (var consumer =
        new KafkaConsumer<>(
            Map.<String, Object>of(
                "bootstrap.servers", broker.bootstrapServers(),
                "group.id", "test",
                "auto.offset.reset", "earliest"),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.subscribe(List.of(Topics.LOGS.name()));
      while (values.isEmpty()) {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
      }
    }
    return values.getFirst();
  }
}
