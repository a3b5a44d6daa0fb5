package io.ringside.streams;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/// The same clients that Kafka Streams makes by default, except that the main consumer, which reads
/// topics that others write to, goes through {@link RecordSizeGuard}.
final class SizeGuardedClients implements KafkaClientSupplier {
  private final LongAdder setAside = new LongAdder();

  /// Number of offsets that were skipped because their records cannot be read here.
  long setAside() {
    return setAside.sum();
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    var consumer = plain(config);
    var reading = new RecordSizeGuard(consumer, config, SizeGuardedClients::plain, setAside);
    var careful =
        Proxy.newProxyInstance(
            Consumer.class.getClassLoader(),
            new Class<?>[] {Consumer.class},
            (_, method, arguments) -> {
              if (method.getName().equals("poll") && arguments[0] instanceof Duration patience) {
                return reading.poll(patience);
              }
              try {
                return method.invoke(consumer, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    @SuppressWarnings("unchecked") // the proxy implements Consumer
    var typed = (Consumer<byte[], byte[]>) careful;
    return typed;
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return plain(config);
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return plain(config);
  }

  private static Consumer<byte[], byte[]> plain(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
