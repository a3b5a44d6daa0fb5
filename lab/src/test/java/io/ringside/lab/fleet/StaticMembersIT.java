package io.ringside.lab.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.topic.Topics;
import io.ringside.standalone.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Static members of the group
/// (`main.consumer.group.instance.id`), as the component `static-membership` makes them.
///
/// Patient with a busy machine; `-Dringside.fleet.takeover=15` makes it strict.
@Timeout(600)
class StaticMembersIT {
  private static final Duration TAKEOVER =
      Duration.ofSeconds(Integer.getInteger("ringside.fleet.takeover", 600));
  private static final int PARTITIONS = 6;

  /// So long that nobody is given up while these tests run.
  private static final Duration LONG = Duration.ofMinutes(5);

  private static final Duration SERVICES_OWN = Duration.ofSeconds(6);

  @TempDir private Path folder;

  @Test
  void keepTheirPartitionsWhileTheyAreAwayForAMomentAndGiveThemUpForGood() throws Exception {
    try (var broker = broker();
        var first = instance(broker, "first", LONG);
        var second = instance(broker, "second", SERVICES_OWN);
        var traffic = new Traffic(broker.bootstrapServers());
        var results = new Results(broker.bootstrapServers())) {
      first.ready();
      second.ready();
      secondsToAnswer(0, traffic, results);
      backInTime(first, second, traffic, results);
      stoppedInOrder(first, second, traffic, results);
      first.startAgain();
      first.ready();
      secondsToAnswer(3, traffic, results);
      deadForGood(second, first, traffic, results);
    }
  }

  private static void backInTime(
      ServiceProcess first, ServiceProcess second, Traffic traffic, Results results)
      throws Exception {
    long rebalances = rebalances(second);
    first.kill();
    first.startAgain();
    double seconds = secondsToAnswer(1, traffic, results);

    System.err.println("a static member killed and started again answers after, s: " + seconds);
    assertThat(rebalances(second)).as("the other keeps out of it").isEqualTo(rebalances);
    // nobody else could have answered for its partitions: it is not given up for minutes
    assertThat(seconds).isLessThan(LONG.toSeconds());
    first.ready();
  }

  private static void stoppedInOrder(
      ServiceProcess first, ServiceProcess second, Traffic traffic, Results results)
      throws Exception {
    assertThat(first.stop()).isIn(0, 143);
    double seconds = secondsToAnswer(2, traffic, results);

    System.err.println("takeover of a static member after SIGTERM, s: " + seconds);
    assertThat(seconds).isLessThan(TAKEOVER.toSeconds());
    assertThat(second.get("/readyz").statusCode()).isEqualTo(200);
  }

  private static void deadForGood(
      ServiceProcess dead, ServiceProcess other, Traffic traffic, Results results)
      throws Exception {
    dead.kill();
    double seconds = secondsToAnswer(4, traffic, results);

    System.err.println("takeover of a static member after SIGKILL, s: " + seconds);
    assertThat(seconds).isLessThan(TAKEOVER.toSeconds());
    assertThat(other.get("/readyz").statusCode()).isEqualTo(200);
  }

  private static double secondsToAnswer(int round, Traffic traffic, Results results) {
    return Markers.secondsUntilAllPartitionsAnswer(
        PARTITIONS, round, System.nanoTime(), traffic, results);
  }

  private static long rebalances(ServiceProcess instance) throws IOException {
    return instance.log().lines().filter(line -> line.contains("state=\"REBALANCING\"")).count();
  }

  private static EmbeddedBroker broker() {
    var broker = EmbeddedBroker.start();
    broker.createTopics(Topics.ALL, PARTITIONS, Map.of());
    return broker;
  }

  private ServiceProcess instance(EmbeddedBroker broker, String name, Duration session)
      throws IOException {
    var config = folder.resolve("streams.yaml");
    Files.writeString(config, "processing: {standbyReplicas: 1}");
    return new ServiceProcess(
        broker.bootstrapServers(),
        folder.resolve(name),
        List.of(
            "--config=" + config,
            "--kafka=main.consumer.group.instance.id=" + name,
            "--kafka=main.consumer.session.timeout.ms=" + session.toMillis()));
  }
}
