package io.ringside.shipper.publish;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/// The producer's configuration.
public final class ProducerSettings {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  /// Largest request sent to the broker, in bytes; larger records become dead letters.
  public static final int LARGEST_REQUEST = 4 * MIB;

  private ProducerSettings() {}

  /// The settings that the agent needs, overridden by the user's.
  ///
  /// The producer never gives up on a broken connection: records wait for the broker, and the agent
  /// stops reading once its byte budget is spent.
  public static Map<String, Object> of(String bootstrapServers, Map<String, String> overrides) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    settings.put(ProducerConfig.CLIENT_ID_CONFIG, "ringside-shipper");
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    // with more in flight, a newly made partition may refuse a first batch and take the second; the
    // broker then rejects the first as out of order at every retry, forever (Kafka 4.3)
    settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 20);
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 256 * KIB);
    settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 4L * MIB);
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LARGEST_REQUEST);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000L);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
    settings.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 2_000L);
    settings.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    // JMX is not used: /metrics has what is needed
    settings.put(ProducerConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
    settings.putAll(overrides);
    return settings;
  }

  /// A producer with these settings. Connects in the background; an absent broker causes no error.
  public static Producer<String, byte[]> producer(Map<String, Object> settings) {
    return new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
  }
}
