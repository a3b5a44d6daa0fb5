package io.ringside.lab.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.topic.Topics;
import io.ringside.standalone.broker.EmbeddedBroker;
import io.ringside.streams.AbandonedTransactions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Transactions that nobody will end, and that brokers would look for after ten seconds.
@Timeout(120)
class AbandonedTransactionsIT {
  private static final String APPLICATION = "ringside-fleet";
  private static final Duration OVERDUE = Duration.ofMillis(500);

  @Test
  void areEndedWhenTheyAreOverdueAndOfThisApplication() throws Exception {
    var own = APPLICATION + "-" + UUID.randomUUID() + "-1";
    var others = List.of("somebody-else", APPLICATION + "-next-" + UUID.randomUUID() + "-1");
    try (var broker = EmbeddedBroker.start()) {
      broker.createTopics(List.of(Topics.FINDINGS), 1, Map.of());
      try (var dead = open(broker, own);
          var alive = open(broker, others.getFirst());
          var next = open(broker, others.getLast());
          var abandoned = new AbandonedTransactions(admin(broker), APPLICATION, OVERDUE)) {
        for (var producer : List.of(dead, alive, next)) {
          producer.send(record()).get();
        }
        assertThat(ongoing(broker)).contains(own).containsAll(others);

        abandoned.expect();

        while (ongoing(broker).contains(own)) {
          Thread.onSpinWait();
        }
        assertThat(ongoing(broker)).containsExactlyInAnyOrderElementsOf(others);
      }
    }
  }

  @Test
  void areLeftAloneWhileTheirInstanceMayLive() throws Exception {
    var own = APPLICATION + "-" + UUID.randomUUID() + "-1";
    try (var broker = EmbeddedBroker.start()) {
      broker.createTopics(List.of(Topics.FINDINGS), 1, Map.of());
      try (var young = open(broker, own);
          var abandoned =
              new AbandonedTransactions(admin(broker), APPLICATION, Duration.ofHours(1))) {
        abandoned.expect();
        // as many records as take longer than a look
        long until = System.nanoTime() + Duration.ofSeconds(3).toNanos();
        while (System.nanoTime() < until) {
          young.send(record()).get();
        }
        young.commitTransaction();
        assertThat(ongoing(broker)).isEmpty();
      }
    }
  }

  private static KafkaProducer<String, byte[]> open(EmbeddedBroker broker, String id) {
    var producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                broker.bootstrapServers(),
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                id),
            new StringSerializer(),
            new ByteArraySerializer());
    producer.initTransactions();
    producer.beginTransaction();
    return producer;
  }

  private static ProducerRecord<String, byte[]> record() {
    return new ProducerRecord<>(Topics.FINDINGS.name(), "key", new byte[1]);
  }

  private static Admin admin(EmbeddedBroker broker) {
    return Admin.create(
        Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()));
  }

  private static Set<String> ongoing(EmbeddedBroker broker) throws Exception {
    try (var admin = admin(broker)) {
      return admin
          .listTransactions(
              new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING)))
          .all()
          .get()
          .stream()
          .map(TransactionListing::transactionalId)
          .collect(Collectors.toSet());
    }
  }
}
