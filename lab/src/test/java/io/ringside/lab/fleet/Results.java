package io.ringside.lab.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.serde.EventJson;
import io.ringside.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import tools.jackson.databind.node.ObjectNode;

/// The newest committed record of each key on the findings and runs topics, as JSON without the
/// time at which it was detected: what must be the same whatever happened on the way.
final class Results implements AutoCloseable {
  private static final int MOST_OF_A_RECORD = 4;
  private static final Duration QUIET = Duration.ofSeconds(8);
  private static final Pattern GOES_ON =
      Pattern.compile("\"state\" : \"(starting|running|paused)\"");

  private final KafkaConsumer<String, byte[]> consumer;
  private final Predicate<String> wanted;
  private final Map<String, String> newest = new TreeMap<>();

  Results(String bootstrapServers) {
    this(bootstrapServers, _ -> true);
  }

  /// Of small jobs that mark a moment only: who looks for them for hours has no room for all.
  static Results ofMarkers(String bootstrapServers) {
    return new Results(bootstrapServers, key -> key.contains(Traffic.MARKER));
  }

  private Results(String bootstrapServers, Predicate<String> wanted) {
    this.wanted = wanted;
    consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                50),
            new StringDeserializer(),
            new ByteArrayDeserializer());
    var partitions =
        List.of(Topics.FINDINGS, Topics.RUNS).stream()
            .flatMap(topic -> consumer.partitionsFor(topic.name()).stream())
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /// Takes in what came since the last look.
  Map<String, String> look() {
    var ends = consumer.endOffsets(consumer.assignment());
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      for (var record : consumer.poll(Duration.ofMillis(100))) {
        take(record);
      }
    }
    return newest;
  }

  /// Takes in what is there, or comes in a tenth of a second.
  Map<String, String> lookOnce() {
    consumer.poll(Duration.ofMillis(100)).forEach(this::take);
    return newest;
  }

  private void take(ConsumerRecord<String, byte[]> record) {
    var key = record.topic() + " " + record.key();
    if (!wanted.test(key)) {
      return;
    }
    if (record.value() == null || isPastPause(record.value())) {
      newest.remove(key);
    } else {
      newest.put(key, comparable(record.value()));
    }
  }

  /// Whether it tells of a pause that is over: one that the service's own slowness made, while it
  /// read of a job bit by bit, is of that time alone.
  private static boolean isPastPause(byte[] record) {
    var json = EventJson.MAPPER.readTree(record);
    return json.path("kind").asString().equals("hang")
        && json.path("severity").asString().equals("info")
        && !json.path("state").asString().equals("active");
  }

  /// A record without what depends on when one looked.
  static String comparable(byte[] record) {
    var json = (ObjectNode) EventJson.MAPPER.readTree(record);
    json.remove("detectedAt");
    if (json.path("kind").asString().equals("hang")
        && json.path("state").asString().equals("active")) {
      // the clock makes a hang of a pause, and both grow by it
      json.remove("cost");
      json.remove("severity");
      json.remove("summary");
    }
    return json.toPrettyString();
  }

  /// What is left when all runs have ended or fallen silent and nothing has come for a while after:
  /// the clock has the last word on a job that goes on.
  ///
  /// @param patience how long that may take
  Map<String, String> settled(Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    var before = Map.copyOf(look());
    long changed = System.nanoTime();
    while (!isOver(before) || System.nanoTime() - changed < QUIET.toNanos()) {
      assertThat(System.nanoTime()).as("%s", thatGoOn(before)).isLessThan(deadline);
      consumer.poll(Duration.ofMillis(100)).forEach(this::take);
      var now = Map.copyOf(newest);
      if (!now.equals(before)) {
        changed = System.nanoTime();
        before = now;
      }
    }
    return before;
  }

  private static boolean isOver(Map<String, String> records) {
    return thatGoOn(records).isEmpty();
  }

  private static List<String> thatGoOn(Map<String, String> records) {
    return records.entrySet().stream()
        .filter(record -> record.getKey().startsWith(Topics.RUNS.name()))
        .filter(record -> GOES_ON.matcher(record.getValue()).find())
        .map(Map.Entry::getKey)
        .toList();
  }

  /// The differences from these once there are none, or when the patience is over.
  List<String> differencesThatStay(Map<String, String> expected, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    var differences = differences(expected);
    while (!differences.isEmpty() && System.nanoTime() < deadline) {
      consumer.poll(Duration.ofMillis(100)).forEach(this::take);
      differences = differences(expected);
    }
    return differences;
  }

  /// Where the records differ from these, line by line; jobs that only mark a moment, or do harm,
  /// do not count.
  List<String> differences(Map<String, String> expected) {
    var found = new TreeMap<>(look());
    found.keySet().removeIf(key -> key.contains(Traffic.MARKER) || key.contains(Poison.NAME));
    return differences(found, expected);
  }

  static List<String> differences(Map<String, String> found, Map<String, String> expected) {
    var keys = new TreeSet<>(found.keySet());
    keys.addAll(expected.keySet());
    var differences = new ArrayList<String>();
    for (var key : keys) {
      var lines = found.getOrDefault(key, "nothing").lines().toList();
      var wanted = expected.getOrDefault(key, "nothing").lines().toList();
      int before = differences.size();
      for (int i = 0; i < Math.max(lines.size(), wanted.size()); i++) {
        var line = i < lines.size() ? lines.get(i) : "";
        var want = i < wanted.size() ? wanted.get(i) : "";
        if (!line.equals(want) && differences.size() < before + MOST_OF_A_RECORD) {
          differences.add(key + " line " + i + ": " + line.strip() + " instead of " + want.strip());
        }
      }
    }
    return differences;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
