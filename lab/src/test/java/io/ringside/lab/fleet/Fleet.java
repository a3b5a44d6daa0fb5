package io.ringside.lab.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.serde.EventJson;
import io.ringside.schemas.topic.Topics;
import io.ringside.standalone.pipeline.Drain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Utils;

/// A broker and some instances of the service, each in a process of its own and with a wire of its
/// own to the broker.
final class Fleet implements AutoCloseable {
  private static final String APPLICATION = "ringside-chaos";
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Path folder;
  private final Network network;
  private final BrokerProcess broker;
  private final List<ServiceProcess> instances = new ArrayList<>();

  /// Starts all of them, and waits until they are ready.
  ///
  /// @param places whose clocks the instances have
  Fleet(Path folder, int partitions, Network network, List<Place> places, Disk disk, Path data)
      throws IOException, InterruptedException {
    this.folder = folder;
    this.network = network;
    Files.createDirectories(folder);
    broker =
        new BrokerProcess(
            data, partitions, Collections.nCopies(places.size(), network.uplink()), disk);
    var config = folder.resolve("streams.yaml");
    // minutes of a job pass in a second here
    Files.writeString(config, "processing: {threads: 1, standbyReplicas: 1, keepSamples: 4h}");
    for (int i = 0; i < places.size(); i++) {
      instances.add(
          new ServiceProcess(
              broker.wire(i).address(),
              folder.resolve("instance-" + i),
              List.of("--application-id=" + APPLICATION, "--config=" + config),
              places.get(i)));
    }
    for (var instance : instances) {
      instance.ready();
    }
  }

  BrokerProcess broker() {
    return broker;
  }

  ServiceProcess instance(int number) {
    return instances.get(number);
  }

  /// Something happens, and goes on happening.
  ///
  /// @param victim an instance, where it happens to one
  void strike(Disaster disaster, int victim) throws IOException, InterruptedException {
    switch (disaster) {
      case KILLED -> {
        instances.get(victim).kill();
        Utils.delete(folder.resolve("instance-" + victim).resolve("state").toFile());
      }
      case STOPPED -> assertThat(instances.get(victim).stop()).isIn(0, 143);
      case STANDS_STILL -> instances.get(victim).stand();
      case CUT_OFF -> network.cut(victim, broker.wire(victim));
      case DISK_FULL -> broker.endByAFullDisk();
      case BROKER_SLOW -> slow(Duration.ofMillis(100));
    }
  }

  /// It is over.
  void mend(Disaster disaster, int victim) throws IOException, InterruptedException {
    switch (disaster) {
      case KILLED, STOPPED -> instances.get(victim).startAgain();
      case STANDS_STILL -> instances.get(victim).goOn();
      case CUT_OFF -> network.mend(victim, broker.wire(victim));
      case DISK_FULL -> broker.startAgain();
      case BROKER_SLOW -> slow(Duration.ZERO);
    }
  }

  private void slow(Duration each) {
    for (int i = 0; i < instances.size(); i++) {
      broker.wire(i).delay(each);
    }
  }

  /// Waits until all have their partitions and each, whoever is asked, knows all jobs, and each of
  /// them once.
  void sameAnswersOfAll() throws IOException, InterruptedException {
    for (var instance : instances) {
      instance.ready();
    }
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

  private static String jobsOf(ServiceProcess instance) throws IOException, InterruptedException {
    var answer = instance.get("/api/jobs?limit=1000");
    var body = EventJson.MAPPER.readTree(answer.body());
    if (answer.statusCode() != 200 || !body.get("missing").isEmpty()) {
      return "! " + answer.body();
    }
    var names = body.get("jobs").findValuesAsString("job");
    assertThat(names).doesNotHaveDuplicates();
    return String.join(" ", new TreeSet<>(names));
  }

  /// Waits until all that was sent is judged.
  void drain() throws InterruptedException {
    var inputs = Topics.BY_NODE.stream().map(topic -> topic.name()).toList();
    try (var admin = broker.admin()) {
      new Drain(admin, APPLICATION, inputs).await(PATIENCE, _ -> {});
    }
  }

  /// What the instances said, with what their threads do now.
  Path keepLogs(Path where) throws IOException, InterruptedException {
    Files.createDirectories(where);
    for (int i = 0; i < instances.size(); i++) {
      instances.get(i).keepLog(where.resolve("instance-" + i + ".log"));
    }
    return where.toAbsolutePath();
  }

  @Override
  public void close() throws IOException {
    for (var instance : instances) {
      instance.close();
    }
    broker.close();
  }
}
