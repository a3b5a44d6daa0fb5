package io.ringside.lab.simulate;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/// Watches the findings topic and measures how long after its proof a finding comes. Jobs are
/// announced by one thread while another watches.
final class LatencyProbe implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(50);

  private final LongSupplier nanoTime;
  private final KafkaConsumer<String, Finding> findings;
  private final Map<String, Awaited> awaited = new ConcurrentHashMap<>();
  private final Map<String, Double> seconds = new ConcurrentHashMap<>();
  private final Thread watcher;
  private volatile boolean closing;

  private record Awaited(FindingKind kind, long sinceNanos) {}

  /// Watches from now on.
  ///
  /// @throws org.apache.kafka.common.KafkaException when the topic cannot be read
  LatencyProbe(String bootstrapServers, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    findings =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                50),
            Topics.FINDINGS.keySerde().deserializer(),
            Topics.FINDINGS.valueSerde().deserializer());
    var partitions =
        findings.partitionsFor(Topics.FINDINGS.name()).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    if (partitions.isEmpty()) {
      findings.close();
      throw new KafkaException(
          "there is no topic %s: create Ringside's topics first (ringside-streams topics --create)"
              .formatted(Topics.FINDINGS.name()));
    }
    findings.assign(partitions);
    findings.seekToEnd(partitions);
    partitions.forEach(findings::position);
    watcher = Thread.ofPlatform().name("latency-probe").daemon().start(this::watch);
  }

  /// The line that proves it was just handed to the producer.
  void proven(String job, FindingKind kind) {
    awaited.putIfAbsent(job, new Awaited(kind, nanoTime.getAsLong()));
  }

  private void watch() {
    try {
      while (!closing) {
        for (var found : findings.poll(POLL)) {
          var finding = found.value();
          var expected = finding == null ? null : awaited.get(finding.job());
          if (expected != null && expected.kind() == finding.kind()) {
            seconds.putIfAbsent(
                finding.job(), (nanoTime.getAsLong() - expected.sinceNanos()) / 1e9);
          }
        }
      }
    } catch (WakeupException e) {
      if (!closing) {
        throw e;
      }
    }
  }

  /// How many proofs have no finding yet.
  int open() {
    return awaited.size() - seconds.size();
  }

  /// Seconds from proof to finding, ascending.
  List<Double> seconds() {
    var sorted = new ArrayList<>(seconds.values());
    sorted.sort(null);
    return sorted;
  }

  /// Seconds from proof to finding of one job, NaN if it did not come.
  double secondsOf(String job) {
    return seconds.getOrDefault(job, Double.NaN);
  }

  @Override
  public void close() {
    closing = true;
    findings.wakeup();
    try {
      watcher.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    findings.close();
  }
}
