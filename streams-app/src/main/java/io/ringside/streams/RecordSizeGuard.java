package io.ringside.streams;

import io.ringside.schemas.topic.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Skips records that unpack to more than the memory holds. Brokers limit the size of a batch only
/// as it is compressed, and zstd compresses zeros to a ten thousandth; Kafka's consumer unpacks a
/// record as a whole before anyone can ask for its size.
///
/// A record that does not fit fails as one large allocation, so nothing else fails because of it.
/// The partitions are then read record by record, with a consumer that holds nothing else: the
/// records before it are handed over, and the unreadable one is set aside. A record that fits but
/// is larger than any that an agent sends is cut: it cannot be a valid one and goes to the dead
/// letters. Owned by one stream thread.
final class RecordSizeGuard {
  private static final Logger LOGGER = LoggerFactory.getLogger(RecordSizeGuard.class);

  /// Bytes. Larger than any agent's record, whose size the agent's producer limits before
  /// compression.
  static final int LARGEST = 2 * Topic.MAX_MESSAGE_BYTES;

  private static final int HEAD = 4 << 10;
  private static final int MOST_RECORDS = 100;
  private static final long MOST_BYTES = 4L * LARGEST;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Consumer<byte[], byte[]> consumer;
  private final Map<String, Object> config;
  private final Function<Map<String, Object>, Consumer<byte[], byte[]>> maker;
  private final LongAdder setAside;

  RecordSizeGuard(
      Consumer<byte[], byte[]> consumer,
      Map<String, Object> config,
      Function<Map<String, Object>, Consumer<byte[], byte[]>> maker,
      LongAdder setAside) {
    this.consumer = consumer;
    this.config = new HashMap<>(config); // a value may be null: no group
    this.maker = maker;
    this.setAside = setAside;
  }

  ConsumerRecords<byte[], byte[]> poll(Duration patience) {
    try {
      return cut(consumer.poll(patience));
    } catch (OutOfMemoryError e) {
      return oneByOne(e);
    }
  }

  /// @throws OutOfMemoryError if no record is the cause
  private ConsumerRecords<byte[], byte[]> oneByOne(OutOfMemoryError cause) {
    LOGGER.atWarn().log("what was read does not fit into memory, reading one record at a time");
    var partitions = new HashSet<>(consumer.assignment());
    partitions.removeAll(consumer.paused());
    for (var partition : partitions) {
      long from = consumer.position(partition);
      var read = read(partition, from);
      if (read.unreadable().isEmpty() && read.bytes() < MOST_BYTES) {
        continue;
      }
      long next = read.next();
      if (read.unreadable().isPresent()) {
        next = readableAfter(partition, next);
        setAside.add(next - read.next());
        LOGGER
            .atError()
            .addKeyValue("topic", partition.topic())
            .addKeyValue("partition", partition.partition())
            .addKeyValue("from", read.next())
            .addKeyValue("to", next - 1)
            .log("records unpack to more than fits into memory and are set aside");
      }
      consumer.seek(partition, next);
      return cut(
          new ConsumerRecords<>(
              Map.of(partition, read.records()), Map.of(partition, new OffsetAndMetadata(next))));
    }
    throw cause;
  }

  /// What was read from a partition, starting at some offset.
  ///
  /// @param next offset after the records
  /// @param unreadable the same offset, if its record cannot be read
  private record Read(
      List<ConsumerRecord<byte[], byte[]>> records,
      long bytes,
      long next,
      OptionalLong unreadable) {}

  private Read read(TopicPartition partition, long from) {
    var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
    long bytes = 0;
    long at = from;
    try (var probe = probe(partition, from)) {
      long end = end(probe, partition);
      while (at < end && records.size() < MOST_RECORDS && bytes < MOST_BYTES) {
        var some = probe.poll(PATIENCE);
        if (some.isEmpty() && probe.position(partition) == at) {
          break;
        }
        for (var record : some) {
          records.add(cut(record));
          bytes += Math.max(0, record.serializedValueSize());
        }
        at = probe.position(partition);
      }
    } catch (OutOfMemoryError e) {
      return new Read(records, bytes, at, OptionalLong.of(at));
    }
    return new Read(records, bytes, at, OptionalLong.empty());
  }

  /// Returns the first readable offset after an unreadable record. A batch is unpacked from its
  /// beginning, so nothing after such a record can be read until the next batch.
  private long readableAfter(TopicPartition partition, long unreadable) {
    long end;
    try (var probe = probe(partition, unreadable)) {
      end = end(probe, partition);
    }
    long low = unreadable;
    long step = 1;
    long high = Math.min(end, low + step);
    while (high < end && !isReadable(partition, high)) {
      low = high;
      step *= 2;
      high = Math.min(end, low + step);
    }
    while (high - low > 1) {
      long middle = low + (high - low) / 2;
      if (isReadable(partition, middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  private boolean isReadable(TopicPartition partition, long offset) {
    try (var probe = probe(partition, offset)) {
      var _ = probe.poll(PATIENCE);
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  private static long end(Consumer<byte[], byte[]> probe, TopicPartition partition) {
    return probe.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
  }

  private Consumer<byte[], byte[]> probe(TopicPartition partition, long from) {
    Map<String, Object> settings = new HashMap<>(config);
    settings.keySet().removeIf(key -> key.startsWith("group.") || key.startsWith("__"));
    settings.remove(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG);
    settings.put(
        ConsumerConfig.CLIENT_ID_CONFIG, config.get(ConsumerConfig.CLIENT_ID_CONFIG) + "-careful");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
    settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1);
    var probe = maker.apply(settings);
    probe.assign(List.of(partition));
    probe.seek(partition, from);
    return probe;
  }

  private static ConsumerRecords<byte[], byte[]> cut(ConsumerRecords<byte[], byte[]> records) {
    boolean large = false;
    for (var record : records) {
      large |= record.serializedValueSize() > LARGEST;
    }
    if (!large) {
      return records;
    }
    var all = new HashMap<TopicPartition, List<ConsumerRecord<byte[], byte[]>>>();
    for (var partition : records.partitions()) {
      all.put(partition, records.records(partition).stream().map(RecordSizeGuard::cut).toList());
    }
    return new ConsumerRecords<>(all, records.nextOffsets());
  }

  private static ConsumerRecord<byte[], byte[]> cut(ConsumerRecord<byte[], byte[]> record) {
    return record.serializedValueSize() <= LARGEST
        ? record
        : new ConsumerRecord<>(
            record.topic(),
            record.partition(),
            record.offset(),
            record.timestamp(),
            record.timestampType(),
            record.serializedKeySize(),
            HEAD,
            record.key(),
            Arrays.copyOf(record.value(), HEAD),
            record.headers(),
            record.leaderEpoch());
  }
}
