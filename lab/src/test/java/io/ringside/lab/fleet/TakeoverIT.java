package io.ringside.lab.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.lab.simulate.GeneratedJob.Sent;
import io.ringside.schemas.serde.EventJson;
import io.ringside.schemas.topic.Topics;
import io.ringside.standalone.broker.EmbeddedBroker;
import io.ringside.standalone.pipeline.Drain;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Whatever happens to the instances and the broker while jobs run: the findings and the ledger are
/// those of an undisturbed run, record by record.
///
/// Small in the build, where nothing is asked of how long a takeover lasts: a busy machine decides
/// that. `-Dringside.fleet.kills=20 -Dringside.fleet.jobs=24 -Dringside.fleet.takeover=15` makes it
/// large and strict.
@Timeout(1_200)
class TakeoverIT {
  private static final int KILLS = Integer.getInteger("ringside.fleet.kills", 1);
  private static final int JOBS = Integer.getInteger("ringside.fleet.jobs", 4);
  private static final Duration TAKEOVER =
      Duration.ofSeconds(Integer.getInteger("ringside.fleet.takeover", 1_200));
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration BETWEEN = Duration.ofSeconds(3);
  private static final int PARTITIONS = 6;
  private static final String APPLICATION = "ringside-fleet";

  @TempDir private static Path folder;
  private static List<Sent> records;
  private static Map<String, String> undisturbed;

  @BeforeAll
  static void runUndisturbed() throws Exception {
    records = Traffic.drawn(5, JOBS);
    try (var broker = broker();
        var alone = instance(broker, "alone").ready();
        var traffic = new Traffic(broker.bootstrapServers());
        var results = new Results(broker.bootstrapServers())) {
      traffic.send(records.stream());
      drain(broker);
      undisturbed = Map.copyOf(results.settled(PATIENCE));
      assertThat(alone.stop()).isIn(0, 143);
    }
    assertThat(undisturbed.keySet()).filteredOn(key -> key.contains("findings")).isNotEmpty();
    assertThat(undisturbed.keySet())
        .filteredOn(key -> key.contains("runs"))
        .hasSizeGreaterThanOrEqualTo(JOBS);
  }

  @Test
  void killingInstancesUnderLoadChangesNothing() throws Exception {
    try (var broker = broker();
        var first = instance(broker, "1").ready();
        var second = instance(broker, "2").ready();
        var third = instance(broker, "3").ready();
        var traffic = new Traffic(broker.bootstrapServers());
        var results = new Results(broker.bootstrapServers())) {
      var instances = List.of(first, second, third);
      var takeovers = new ArrayList<Double>();
      for (int kill = 0; kill < KILLS; kill++) {
        var parts = part(kill, KILLS);
        traffic.send(parts.subList(0, parts.size() / 2), BETWEEN);
        var victim = instances.get(kill % instances.size());
        victim.kill();
        long killed = System.nanoTime();
        traffic.send(parts.subList(parts.size() / 2, parts.size()).stream());
        takeovers.add(
            Markers.secondsUntilAllPartitionsAnswer(PARTITIONS, kill, killed, traffic, results));
        sameAnswersOfAll(instances.stream().filter(instance -> instance != victim).toList());
        victim.startAgain();
        victim.ready();
      }
      drain(broker);

      System.err.println("takeover after SIGKILL, s: " + takeovers);
      assertThat(results.differencesThatStay(undisturbed, PATIENCE)).isEmpty();
      sameAnswersOfAll(instances);
      assertThat(takeovers).allMatch(seconds -> seconds <= TAKEOVER.toSeconds());
    }
  }

  @Test
  void stoppingInOrderHandsOverAtOnce() throws Exception {
    try (var broker = broker();
        var first = instance(broker, "4").ready();
        var second = instance(broker, "5").ready();
        var traffic = new Traffic(broker.bootstrapServers());
        var results = new Results(broker.bootstrapServers())) {
      traffic.send(records.subList(0, records.size() / 2), BETWEEN);
      assertThat(first.stop()).isIn(0, 143);
      long stopped = System.nanoTime();
      traffic.send(records.subList(records.size() / 2, records.size()).stream());
      double seconds =
          Markers.secondsUntilAllPartitionsAnswer(PARTITIONS, 90, stopped, traffic, results);
      drain(broker);

      System.err.println("takeover after SIGTERM, s: " + seconds);
      assertThat(results.differencesThatStay(undisturbed, PATIENCE)).isEmpty();
      assertThat(seconds).isLessThan(TAKEOVER.toSeconds());
      assertThat(second.get("/readyz").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void losesNothingWhenBrokerStateFolderOrSingleRecordsAreLost() throws Exception {
    try (var broker = broker();
        var instance = instance(broker, "6").ready();
        var traffic = new Traffic(broker.bootstrapServers());
        var results = new Results(broker.bootstrapServers())) {
      int third = records.size() / 3;
      traffic.send(records.subList(0, third), BETWEEN);
      broker.restart();
      traffic.send(records.subList(third, third + 20).stream());

      poison(traffic);
      traffic.send(records.subList(third + 20, 2 * third), BETWEEN);

      instance.kill();
      delete(folder.resolve("6/state"));
      instance.startAgain();
      instance.ready();
      traffic.send(records.subList(2 * third, records.size()), BETWEEN);
      drain(broker);

      assertThat(results.differencesThatStay(undisturbed, PATIENCE)).isEmpty();
      assertThat(deadLetters(broker)).isEqualTo(2);
    }
  }

  /// No JSON at all, and JSON that is no chunk.
  private static void poison(Traffic traffic) {
    for (var bytes : List.of("\u0000\u0001 no json", "{\"source\": 7, \"lines\": \"?\"}")) {
      traffic
          .producer()
          .send(
              new ProducerRecord<>(
                  Topics.LOGS.name(), "node-x", bytes.getBytes(StandardCharsets.UTF_8)));
    }
    traffic.producer().flush();
  }

  private static long deadLetters(EmbeddedBroker broker) {
    return Ends.of(broker, Topics.DEAD_LETTER.name());
  }

  /// Whoever is asked knows all jobs, and each of them once.
  private static void sameAnswersOfAll(List<ServiceProcess> instances) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      var answers = new TreeSet<String>();
      for (var instance : instances) {
        answers.add(jobsOf(instance));
      }
      if (answers.size() == 1 && !answers.first().startsWith("!")) {
        return;
      }
      assertThat(System.nanoTime()).as("%s", answers).isLessThan(deadline);
    }
  }

  private static String jobsOf(ServiceProcess instance) throws Exception {
    var answer = instance.get("/api/jobs");
    var body = EventJson.MAPPER.readTree(answer.body());
    if (answer.statusCode() != 200 || !body.get("missing").isEmpty()) {
      return "! " + answer.body();
    }
    var names = body.get("jobs").findValuesAsString("job");
    assertThat(names).doesNotHaveDuplicates();
    return String.join(" ", new TreeSet<>(names));
  }

  private static List<Sent> part(int index, int parts) {
    int size = records.size();
    return records.subList(size * index / parts, size * (index + 1) / parts);
  }

  private static EmbeddedBroker broker() {
    var broker = EmbeddedBroker.start();
    broker.createTopics(Topics.ALL, PARTITIONS, Map.of());
    return broker;
  }

  private static ServiceProcess instance(EmbeddedBroker broker, String name) throws IOException {
    var config = folder.resolve("streams.yaml");
    // minutes of a job pass in a second here
    Files.writeString(config, "processing: {standbyReplicas: 1, keepSamples: 4h}");
    return new ServiceProcess(
        broker.bootstrapServers(),
        folder.resolve(name),
        List.of("--application-id=" + APPLICATION, "--config=" + config));
  }

  private static void drain(EmbeddedBroker broker) throws InterruptedException {
    var inputs = Topics.BY_NODE.stream().map(topic -> topic.name()).toList();
    try (var admin = broker.admin()) {
      new Drain(admin, APPLICATION, inputs).await(PATIENCE, backlog -> {});
    }
  }

  /// As the stores are in memory there may be nothing in it, and no folder at all.
  private static void delete(Path tree) throws IOException {
    if (!Files.exists(tree)) {
      return;
    }
    try (var files = Files.walk(tree)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
