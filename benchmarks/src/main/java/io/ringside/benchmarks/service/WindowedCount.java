package io.ringside.benchmarks.service;

import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.state.Stores;

/// The engine's own count of lines in windows of 10 s by host, one record a line, exactly once, at
/// its defaults with a store in memory: `BOOTSTRAP TOPIC APPLICATION`.
final class WindowedCount {
  private WindowedCount() {}

  public static void main(String[] args) throws Exception {
    var builder = new StreamsBuilder();
    var window = Duration.ofSeconds(10);
    builder.stream(args[1], Consumed.with(Serdes.String(), Serdes.ByteArray()))
        .groupByKey(Grouped.with(Serdes.String(), Serdes.ByteArray()))
        .windowedBy(TimeWindows.ofSizeAndGrace(window, Duration.ofSeconds(5)))
        .count(
            Materialized.<String, Long>as(
                    Stores.inMemoryWindowStore("counts", Duration.ofMinutes(1), window, false))
                .withKeySerde(Serdes.String())
                .withValueSerde(Serdes.Long()))
        .toStream((windowed, count) -> windowed.key() + "@" + windowed.window().start())
        .to(args[1] + ".counts", Produced.with(Serdes.String(), Serdes.Long()));
    var settings = new Properties();
    settings.putAll(
        Map.of(
            StreamsConfig.BOOTSTRAP_SERVERS_CONFIG,
            args[0],
            StreamsConfig.APPLICATION_ID_CONFIG,
            args[2],
            StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
            StreamsConfig.EXACTLY_ONCE_V2,
            StreamsConfig.NUM_STREAM_THREADS_CONFIG,
            1,
            StreamsConfig.STATE_DIR_CONFIG,
            Files.createTempDirectory("windowed-count").toString(),
            StreamsConfig.consumerPrefix("auto.offset.reset"),
            "earliest"));
    var streams = new KafkaStreams(builder.build(), settings);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform().unstarted(() -> streams.close(Duration.ofSeconds(10))));
    streams.start();
  }
}
