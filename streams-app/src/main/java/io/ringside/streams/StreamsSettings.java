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

/// All settings of Kafka Streams, in one place. Settings under `kafka:` in the user's configuration
/// win.
final class StreamsSettings {
  /// Most records per partition that are read and wait for processing.
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

    // other instances ask this one for the jobs of its partitions
    if (!config.http().advertisedAddress().isEmpty()) {
      all.put(StreamsConfig.APPLICATION_SERVER_CONFIG, config.http().advertisedAddress());
    }

    var processing = config.processing();
    all.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, processing.guarantee().kafkaName());
    all.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, processing.commitInterval().toMillis());
    all.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, processing.threads());
    all.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, config.topics().replicas());

    // names that Kafka generates change with the topology, and the state behind them is lost
    all.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
    all.put(
        StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG,
        BuiltInDslStoreSuppliers.InMemoryDslStoreSuppliers.class);

    rebalance(processing, all);
    // in milliseconds: no instance can read past a dead instance's open transaction until it times
    // out
    all.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), 5_000);

    // a record that cannot be decoded or processed is set aside with its raw bytes, and the stream
    // continues
    all.put(
        StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG,
        DeadLetterHandlers.Unprocessed.class);
    all.put(
        StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG,
        DeadLetterHandlers.Undecoded.class);
    all.put(StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG, Topics.DEAD_LETTER.name());

    // a record without a time, which no Kafka client sends, is skipped: by default it would stop
    // the stream, and so would a record from the future once it is passed on
    all.put(StreamsConfig.DEFAULT_TIMESTAMP_EXTRACTOR_CLASS_CONFIG, CappedTimestampExtractor.class);

    // Kafka warns unless its future default is chosen; its constant is deprecated from the start
    all.put("processing.exception.handler.global.enabled", true);

    // a chunk may weigh a megabyte: a thousand of each partition, as by default, would fill the
    // heap
    all.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), MOST_WAITING);
    all.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, MOST_WAITING);

    // a service that was down reads what it missed
    all.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
    all.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
    // the results of one chunk fill a batch of the default size, and each batch allocates a
    // compressor's buffers
    all.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 256 << 10);
    all.put(StreamsConfig.topicPrefix(TopicConfig.COMPRESSION_TYPE_CONFIG), "producer");
    // any record that the agent could send can also be set aside whole
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
        // after this time a dead instance's partitions move: the minimum that brokers allow by
        // default
        all.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6_000);
        all.put(
            StreamsConfig.mainConsumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 1_500);
        all.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, processing.standbyReplicas());
        // state is small and standbys are nearly up to date, so tasks can move back soon
        all.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, 60_000L);
      }
      // here the broker's group settings decide all of these
      case STREAMS -> all.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, "streams");
    }
  }

  /// Time after which the broker may abort an instance's transaction.
  static Duration transactionTimeout(StreamsConfig settings) {
    var millis = settings.getProducerConfigs("any").get(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG);
    return Duration.ofMillis(Long.parseLong(String.valueOf(millis)));
  }

  /// Settings of an admin client for the same cluster.
  static Map<String, Object> ofAdmin(StreamsAppConfig config) {
    Map<String, Object> settings =
        new HashMap<>(new StreamsConfig(of(config)).getAdminConfigs(config.applicationId()));
    settings.put("client.id", config.applicationId() + "-topics");
    return settings;
  }
}
