package io.ringside.shipper.fault;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.topic.Topic;
import io.ringside.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/// Reads back what the broker has and compares it with what was written: lines that hold a number
/// after `#`, each number once.
final class Audit implements AutoCloseable {
  private final KafkaConsumer<String, byte[]> consumer;
  private final BitSet seen = new BitSet();
  private final Map<String, Long> epochs = new HashMap<>();
  private final Map<String, Long> ends = new HashMap<>();
  private final List<Long> order = new ArrayList<>();
  private boolean epochsRise = true;
  long lines;
  long repeatedRaw;
  long repeatedAfterOffsets;
  long gaps;
  long chunks;

  Audit(String broker) {
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", broker, "auto.offset.reset", "earliest"),
            new StringDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(
        List.of(
            new TopicPartition(Topics.LOGS.name(), 0), new TopicPartition(Topics.LOGS.name(), 1)));
    consumer.seekToBeginning(consumer.assignment());
  }

  /// Reads until so many different lines were seen and nothing more came for a second, or time is
  /// up.
  Audit readUntil(int different, Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    long quietSince = System.nanoTime();
    while (System.nanoTime() < end) {
      boolean any = false;
      for (var record : consumer.poll(Duration.ofMillis(200))) {
        any = true;
        take(decode(Topics.LOGS, record.value()));
      }
      if (any) {
        quietSince = System.nanoTime();
      }
      if (seen.cardinality() >= different
          && System.nanoTime() - quietSince > Duration.ofSeconds(1).toNanos()) {
        break;
      }
    }
    return this;
  }

  static <T> T decode(Topic<T> topic, byte[] value) {
    return topic.valueSerde().deserializer().deserialize(topic.name(), value);
  }

  /// All records of a topic until one satisfies, or time is up.
  static <T> List<T> records(
      String broker, Topic<T> topic, Predicate<List<T>> enough, Duration patience) {
    var found = new ArrayList<T>();
    try (var consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", broker),
            new StringDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(
          List.of(new TopicPartition(topic.name(), 0), new TopicPartition(topic.name(), 1)));
      consumer.seekToBeginning(consumer.assignment());
      long end = System.nanoTime() + patience.toNanos();
      while (!enough.test(found) && System.nanoTime() < end) {
        for (var record : consumer.poll(Duration.ofMillis(200))) {
          found.add(decode(topic, record.value()));
        }
      }
    }
    return found;
  }

  /// As the streams service does: within an epoch, lines before the end of what is known are
  /// repeats, and a chunk that begins behind it shows a gap.
  private void take(LogChunk chunk) {
    chunks++;
    String key = chunk.source().id() + "|" + chunk.epoch();
    Long newest = epochs.get(chunk.source().id());
    if (newest != null && chunk.epoch() < newest) {
      epochsRise = false;
    }
    epochs.merge(chunk.source().id(), chunk.epoch(), Math::max);
    long known = ends.getOrDefault(key, 0L);
    if (chunk.firstOffset() > known) {
      gaps++;
    }
    String[] text = chunk.text().toString().split("\n", -1);
    for (int i = 0; i < chunk.lines(); i++) {
      int hash = text[i].indexOf('#');
      if (hash < 0) {
        continue;
      }
      lines++;
      int number = Integer.parseInt(text[i].substring(hash + 1).split(" ", 2)[0]);
      boolean repeated = seen.get(number);
      seen.set(number);
      if (repeated) {
        repeatedRaw++;
      }
      if (chunk.offset(i) >= known) {
        if (repeated) {
          repeatedAfterOffsets++;
        }
        order.add((long) number);
      }
    }
    ends.put(key, Math.max(known, chunk.nextOffset()));
  }

  int lostOf(int written) {
    return written - seen.get(0, written).cardinality();
  }

  private String missing(int written) {
    var ranges = new StringBuilder();
    for (int from = seen.nextClearBit(0); from < written; from = seen.nextClearBit(from)) {
      int to = seen.nextSetBit(from);
      to = to < 0 ? written : to;
      ranges.append("missing ").append(from).append(" to ").append(to).append("; ");
      from = to;
    }
    return ranges.toString();
  }

  /// Whether no source ever went back to an epoch before.
  boolean epochsRise() {
    return epochsRise;
  }

  /// Whether the numbers, repeats removed, came in rising order.
  boolean inOrder() {
    for (int i = 1; i < order.size(); i++) {
      if (order.get(i) <= order.get(i - 1)) {
        return false;
      }
    }
    return true;
  }

  String report(int written) {
    return missing(written)
        + "%d written, %d lost, %d repeated on the topic, %d after removal by offset, %d gaps, %d chunks"
            .formatted(written, lostOf(written), repeatedRaw, repeatedAfterOffsets, gaps, chunks);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
