package io.ringside.standalone.service;

import io.ringside.standalone.broker.EmbeddedBroker;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;

/// A real Kafka for a test: the official image where a Docker engine answers, else the broker
/// inside this JVM. Which one runs is printed.
record KafkaUnderTest(String kind, String bootstrapServers, Runnable stop)
    implements AutoCloseable {
  private static final String IMAGE = "apache/kafka:4.3.1";

  static KafkaUnderTest start() {
    var kafka = DockerClientFactory.instance().isDockerAvailable() ? container() : embedded();
    System.out.println("Kafka under test: " + kafka.kind());
    return kafka;
  }

  private static KafkaUnderTest container() {
    var container = new KafkaContainer(IMAGE);
    container.start();
    return new KafkaUnderTest(
        "container " + IMAGE, container.getBootstrapServers(), container::stop);
  }

  private static KafkaUnderTest embedded() {
    var broker = EmbeddedBroker.start();
    return new KafkaUnderTest("in this JVM", broker.bootstrapServers(), broker::close);
  }

  @Override
  public void close() {
    stop.run();
  }
}
