package io.ringside.streams;

import io.ringside.schemas.topic.Topic;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.config.ProcessingConfig;
import io.ringside.streams.config.StreamsAppConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.state.BuiltInDslStoreSuppliers;

/// Every setting of Kafka Streams, in one place. What the user says under `kafka:` wins.
final class StreamsSettings {
  /// Records that were read and wait to be processed, of each partition.
  private static final int MOST_WAITING = 100;

  private StreamsSettings() {}

  @SuppressWarnings(
      "deprecation") // PROCESSING_EXCEPTION_HANDLER_GLOBAL_ENABLED: without it Kafka warns
  static Properties of(StreamsAppConfig config) {
    Map<String, Object> all = new HashMap<>();
    all.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    all.put(StreamsConfig.APPLICATION_ID_CONFIG, config.applicationId());
    all.put(StreamsConfig.CLIENT_ID_CONFIG, config.applicationId());
    all.put(StreamsConfig.STATE_DIR_CONFIG, config.stateDir().toString());

    // others ask this instance for the jobs of its partitions
    if (!config.http().advertisedAddress().isEmpty()) {
      all.put(StreamsConfig.APPLICATION_SERVER_CONFIG, config.http().advertisedAddress());
    }

    var processing = config.processing();
    all.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, processing.guarantee().kafkaName());
    all.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, processing.commitInterval().toMillis());
    all.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, processing.threads());
    all.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, config.topics().replicas());

    // a name that Kafka makes up changes with the topology and loses the state behind it
    all.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
    all.put(
        StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG,
        BuiltInDslStoreSuppliers.InMemoryDslStoreSuppliers.class);

    rebalance(processing, all);
    // and nobody reads past what it left open before its transaction has timed out
    all.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), 5_000);

    // a record that cannot be decoded or processed goes aside with its raw bytes, and the stream
    // goes on
    all.put(
        StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG,
        DeadLetterHandlers.Unprocessed.class);
    all.put(
        StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG,
        DeadLetterHandlers.Undecoded.class);
    all.put(StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG, Topics.DEAD_LETTER.name());

    // one without a time, which no client of Kafka's sends, is left out: by default it would stop
    // the stream, as would one of the future once it is sent on
    all.put(StreamsConfig.DEFAULT_TIMESTAMP_EXTRACTOR_CLASS_CONFIG, TimeOfArrival.class);

    // Kafka warns unless its future default is chosen; its constant is deprecated from the start
    all.put("processing.exception.handler.global.enabled", true);

    // a chunk may weigh a megabyte: a thousand of each partition, as by default, would fill the
    // heap
    all.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), MOST_WAITING);
    all.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, MOST_WAITING);

    // a service that was away reads what it missed
    all.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
    all.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
    // what a chunk says is a batch of the default size by itself, and each batch makes a
    // compressor's buffers
    all.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 256 << 10);
    all.put(StreamsConfig.topicPrefix(TopicConfig.COMPRESSION_TYPE_CONFIG), "producer");
    // what the agent could send can be set aside whole
    all.put(
        StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG), Topic.MAX_MESSAGE_BYTES);
    all.put(
        StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
        Topic.MAX_MESSAGE_BYTES);

    all.putAll(config.kafka());
    var properties = new Properties();
    properties.putAll(all);
    return properties;
  }

  private static void rebalance(ProcessingConfig processing, Map<String, Object> all) {
    switch (processing.rebalance()) {
      case CLASSIC -> {
        // a dead instance's partitions move on after this: the least that brokers allow by default
        all.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6_000);
        all.put(
            StreamsConfig.mainConsumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 1_500);
        all.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, processing.standbyReplicas());
        // state is small and standbys are near: tasks go back to their place soon
        all.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, 60_000L);
      }
      // the broker's settings of the group rule all of these
      case STREAMS -> all.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, "streams");
    }
  }

  /// After so long the broker may end an instance's transaction.
  static Duration transactionTimeout(StreamsConfig settings) {
    var millis = settings.getProducerConfigs("any").get(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG);
    return Duration.ofMillis(Long.parseLong(String.valueOf(millis)));
  }

  /// What an admin client needs to talk to the same cluster.
  static Map<String, Object> ofAdmin(StreamsAppConfig config) {
    Map<String, Object> settings =
        new HashMap<>(new StreamsConfig(of(config)).getAdminConfigs(config.applicationId()));
    settings.put("client.id", config.applicationId() + "-topics");
    return settings;
  }
}
