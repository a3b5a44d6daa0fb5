package io.ringside.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.recorded.Recorded;
import io.ringside.streams.state.Damage;
import io.ringside.streams.state.DroppedState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.WrappedStateStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A service whose state is damaged, or of a version that it does not understand, in the middle of
/// a run.
class UnreadableStateTest {
  private static final Path RECORDING = Path.of("..", "examples", "recordings", "slowcoll");

  @TempDir private Path folder;

  static Stream<Arguments> damages() {
    UnaryOperator<byte[]> cut = bytes -> Arrays.copyOf(bytes, bytes.length / 2);
    UnaryOperator<byte[]> zeros = bytes -> new byte[bytes.length];
    UnaryOperator<byte[]> foreign = bytes -> new byte[] {'R', 99, 1, 2, 3};
    UnaryOperator<byte[]> empty = _ -> new byte[0];
    return Stream.of("jobs", "sources", "told", "nodes")
        .flatMap(
            store ->
                Stream.of(
                    Arguments.of(store, "cut", cut),
                    Arguments.of(store, "zeros", zeros),
                    Arguments.of(store, "foreign", foreign),
                    Arguments.of(store, "empty", empty)));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("damages")
  void isDroppedCountedAndShown(String store, String name, UnaryOperator<byte[]> damage) {
    var settings = settings();
    try (var driver = driver(settings)) {
      var runs = runs(driver);
      var files = Recorded.in(RECORDING).logs();
      files.forEach(file -> pipe(driver, file.subList(0, file.size() / 2)));
      driver.advanceWallClockTime(Duration.ofSeconds(10));

      Damage.to(driver.getStateStore(store), damage);
      files.forEach(file -> pipe(driver, file.subList(file.size() / 2, file.size())));
      driver.advanceWallClockTime(Duration.ofSeconds(10));

      assertThat(dropped(driver, store)).isPositive();
      assertThat(runs.readValuesToList()).isNotEmpty();
      if (store.equals("jobs")) {
        var last = all(driver);
        assertThat(last)
            .anySatisfy(
                run ->
                    assertThat(run.notJudged())
                        .extracting(RunSummary.NotJudged::what)
                        .contains("state"));
      }
    }
  }

  @Test
  void whatTheStartOfARunProvedStaysTold() {
    try (var driver = driver(settings())) {
      var files = Recorded.in(Path.of("..", "examples", "recordings", "late"), 22).logs();
      files.forEach(file -> pipe(driver, file.subList(0, 2)));
      driver.advanceWallClockTime(Duration.ofSeconds(10));
      var before = findings(driver);
      assertThat(before).extracting(Finding::kind).contains(FindingKind.LATE_START);

      for (var store : List.of("jobs", "sources", "told", "nodes")) {
        Damage.to(driver.getStateStore(store), bytes -> new byte[] {'R', 1});
      }
      files.forEach(file -> pipe(driver, file.subList(2, file.size())));
      driver.advanceWallClockTime(Duration.ofSeconds(10));
      driver.advanceWallClockTime(Duration.ofMinutes(2));
      driver.advanceWallClockTime(Duration.ofSeconds(10));

      assertThat(all(driver).getLast().notJudged())
          .extracting(RunSummary.NotJudged::what)
          .contains("state");
      assertThat(findings(driver)).extracting(Finding::id).containsAll(ids(before));
    }
  }

  @Test
  void isRebuiltWhereTheTopicsAreReadAgain() {
    try (var driver = driver(settings())) {
      var files = Recorded.in(RECORDING).logs();
      files.forEach(file -> pipe(driver, file));
      driver.advanceWallClockTime(Duration.ofSeconds(10));
      var before = all(driver).getLast();

      for (var store : List.of("jobs", "sources", "told", "nodes")) {
        Damage.to(driver.getStateStore(store), bytes -> new byte[] {'R', 99, 1});
      }
      files.forEach(file -> pipe(driver, file));
      driver.advanceWallClockTime(Duration.ofSeconds(10));

      var after = all(driver).getLast();
      assertThat(after.run()).isEqualTo(before.run());
      assertThat(after.network()).isEqualTo(before.network());
      assertThat(after.notJudged()).extracting(RunSummary.NotJudged::what).contains("state");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Stores.FINDINGS, Stores.RUNS})
  void resultsThatCannotBeReadAreDroppedAndCounted(String store) {
    try (var driver = driver(settings())) {
      var files = Recorded.in(RECORDING).logs();
      var source = files.getFirst().getFirst().source();
      garble(
          Objects.requireNonNull(driver.getAllStateStores().get(store)),
          JobKey.of(source).text() + "|garbled");

      files.forEach(file -> pipe(driver, file));
      driver.advanceWallClockTime(Duration.ofSeconds(10));

      assertThat(dropped(driver, store)).isEqualTo(1);
      assertThat(all(driver)).isNotEmpty().doesNotContainNull();
      assertThat(findings(driver)).isNotEmpty().doesNotContainNull();
    }
  }

  /// Puts bytes into the store that no version wrote.
  @SuppressWarnings("unchecked") // the innermost store is one of bytes
  private static void garble(StateStore store, String key) {
    var innermost = store;
    while (innermost instanceof WrappedStateStore<?, ?, ?> wrapped) {
      innermost = wrapped.wrapped();
    }
    ((KeyValueStore<Bytes, byte[]>) innermost).put(Bytes.wrap(key.getBytes(UTF_8)), new byte[] {7});
  }

  private static double dropped(TopologyTestDriver driver, String store) {
    return driver.metrics().entrySet().stream()
        .filter(metric -> metric.getKey().name().equals(DroppedState.METRIC))
        .filter(metric -> metric.getKey().tags().containsValue(store))
        .mapToDouble(metric -> (double) metric.getValue().metricValue())
        .sum();
  }

  private static List<RunSummary> all(TopologyTestDriver driver) {
    try (var all = driver.<String, RunSummary>getKeyValueStore(Stores.RUNS).all()) {
      var runs = new ArrayList<RunSummary>();
      all.forEachRemaining(entry -> runs.add(entry.value));
      return runs;
    }
  }

  private static List<Finding> findings(TopologyTestDriver driver) {
    try (var all = driver.<String, Finding>getKeyValueStore(Stores.FINDINGS).all()) {
      var findings = new ArrayList<Finding>();
      all.forEachRemaining(entry -> findings.add(entry.value));
      return findings;
    }
  }

  private static List<String> ids(List<Finding> findings) {
    return findings.stream().map(Finding::id).toList();
  }

  private static TestOutputTopic<String, RunSummary> runs(TopologyTestDriver driver) {
    return TestTopics.output(driver, Topics.RUNS);
  }

  private static void pipe(TopologyTestDriver driver, List<LogChunk> chunks) {
    var logs = TestTopics.input(driver, Topics.LOGS);
    chunks.forEach(chunk -> logs.pipeInput(chunk.source().node(), chunk));
  }

  private static TopologyTestDriver driver(Properties settings) {
    return new TopologyTestDriver(
        RingsideTopology.build(
            new StreamsConfig(settings), new Judge(Expectations.builtIn()), ServicePace.FLEET),
        settings);
  }

  private Properties settings() {
    var settings = new Properties();
    settings.putAll(
        Map.of(
            StreamsConfig.APPLICATION_ID_CONFIG,
            "unreadable",
            StreamsConfig.BOOTSTRAP_SERVERS_CONFIG,
            "unused:1",
            StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG,
            true,
            StreamsConfig.STATE_DIR_CONFIG,
            folder.toString()));
    return settings;
  }
}
