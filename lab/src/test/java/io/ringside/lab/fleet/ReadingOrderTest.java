package io.ringside.lab.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.lab.lives.Instance;
import io.ringside.lab.simulate.GeneratedJob.Sent;
import io.ringside.schemas.event.AgentEvent;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.NodeReport;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.schemas.event.TelemetryEvent;
import io.ringside.schemas.serde.EventJson;
import io.ringside.schemas.topic.Topics;
import io.ringside.standalone.analyze.RecordedEvents;
import io.ringside.standalone.input.Inputs;
import io.ringside.streams.topology.ServicePace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.apache.kafka.streams.KeyValue;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Whichever partition is read first and whenever jobs are looked at, at the end the results are
/// the same: what faults change, without processes and a broker, so that a difference can be found
/// in a debugger. Drawn jobs of more seeds: `-Dringside.order.seeds=1,2,3 -Dringside.order.jobs=6`.
class ReadingOrderTest {
  /// After all that the lines tell: no stamp is of the future.
  private static final Instant NOW = Instant.parse("2026-11-21T00:00:00Z");

  private static final Path RECORDINGS = Path.of("..", "examples", "recordings");
  private static final int PARTITIONS = 6;
  private static final int JOBS = Integer.getInteger("ringside.order.jobs", 3);
  private static final int ORDERS = 3;
  private static final Duration TICK = Duration.ofMillis(250);

  /// As a fleet's, with as much memory for samples as drawn jobs need that are read in a moment.
  private static final ServicePace PACE =
      ServicePace.FLEET.keeping(
          ServicePace.FLEET.forget(),
          ServicePace.FLEET.results(),
          Duration.ofHours(4),
          ServicePace.FLEET.callsPerSecond());

  @TempDir private Path folder;

  static Stream<Long> seeds() {
    return Stream.of(System.getProperty("ringside.order.seeds", "1").split(",")).map(Long::valueOf);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void drawnJobsReadInAnotherOrder(long seed) {
    inAnyOrder(
        Traffic.drawn(seed, JOBS, false), node -> Math.floorMod(node.hashCode(), PARTITIONS));
  }

  /// Each node in a partition of its own: recordings have few.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "pods1",
        "pods2gpu",
        "collslowpods",
        "restarted",
        "seed-p4d-four-pods-efa",
        "groupshang"
      })
  void recordingsReadInAnotherOrder(String name) throws IOException {
    var events = RecordedEvents.of(Inputs.of(List.of(RECORDINGS.resolve(name).toString())));
    inAnyOrder(events.stream().map(event -> new Sent(0, event)).toList(), String::hashCode);
  }

  private void inAnyOrder(List<Sent> records, ToIntFunction<String> partition) {
    var straight = results("straight", records, Optional.empty());
    for (int order = 0; order < ORDERS; order++) {
      var shuffled = shuffled(records, partition, new Random(order));
      assertThat(
              Results.differences(results("order " + order, shuffled, Optional.empty()), straight))
          .as("order %d", order)
          .isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void lookedAtAndTakenOverMeanwhile(long seed) {
    var records = Traffic.drawn(seed, JOBS, false);
    var random = new Random(seed);
    var shuffled =
        shuffled(records, node -> Math.floorMod(node.hashCode(), PARTITIONS), new Random(seed));
    var straight = results("straight", records, Optional.empty());
    var looked = results("looked", shuffled, Optional.of(random));
    assertThat(Results.differences(looked, straight)).isEmpty();
  }

  /// Read by turns, some records of a partition at a time.
  private static List<Sent> shuffled(
      List<Sent> records, ToIntFunction<String> partitionOf, Random random) {
    var partitions = new TreeMap<Integer, ArrayDeque<Sent>>();
    records.forEach(
        each ->
            partitions
                .computeIfAbsent(
                    partitionOf.applyAsInt(each.event().node()), _ -> new ArrayDeque<>())
                .add(each));
    var read = new ArrayList<Sent>();
    while (!partitions.isEmpty()) {
      var all = List.copyOf(partitions.keySet());
      int one = all.get(random.nextInt(all.size()));
      var partition = partitions.get(one);
      for (int i = random.nextInt(200); i >= 0 && !partition.isEmpty(); i--) {
        read.add(partition.remove());
      }
      if (partition.isEmpty()) {
        partitions.remove(one);
      }
    }
    return read;
  }

  /// @param looking when jobs are looked at in between, now and then after a long silence or by
  ///   another instance
  private Map<String, String> results(String name, List<Sent> records, Optional<Random> looking) {
    var now = NOW;
    int instances = 0;
    var instance = instance(name + instances, now);
    var newest = new TreeMap<String, String>();
    try {
      for (var record : records) {
        pipe(instance, record.event());
        if (looking.isPresent() && looking.get().nextInt(10) == 0) {
          boolean isLong = looking.get().nextInt(50) == 0;
          var time = isLong ? PACE.idle().plusSeconds(2) : TICK;
          instance.pass(time);
          now = now.plus(time);
          if (looking.get().nextInt(100) == 0) {
            takeAll(instance, newest);
            var next = instance(name + ++instances, now);
            instance.leaveTo(next);
            instance = next;
          }
        }
      }
      for (int second = 0; second < 400; second++) {
        instance.pass(Duration.ofSeconds(1));
      }
      takeAll(instance, newest);
      return newest;
    } finally {
      instance.stop();
    }
  }

  private Instance instance(String name, Instant now) {
    return new Instance(folder.resolve(name), now, PACE);
  }

  private static void takeAll(Instance instance, Map<String, String> newest) {
    instance.findings().forEach(each -> take("findings", each, newest));
    instance.runs().forEach(each -> take("runs", each, newest));
  }

  private static void take(
      String topic, KeyValue<String, ? extends TelemetryEvent> record, Map<String, String> newest) {
    var key = topic + " " + record.key;
    if (record.value == null) {
      newest.remove(key);
    } else {
      newest.put(key, Results.comparable(EventJson.MAPPER.writeValueAsBytes(record.value)));
    }
  }

  private static void pipe(Instance instance, AgentEvent event) {
    var node = event.node();
    switch (event) {
      case LogChunk chunk -> instance.pipe(Topics.LOGS, node, chunk, NOW);
      case GpuSample sample -> instance.pipe(Topics.GPU, node, sample, NOW);
      case NodeTopology topology -> instance.pipe(Topics.TOPOLOGY, node, topology, NOW);
      case NodeReport report -> instance.pipe(Topics.NODE, node, report, NOW);
    }
  }
}
