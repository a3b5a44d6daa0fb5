package io.ringside.lab.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.lab.simulate.GeneratedJob.Sent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Three instances, one of them by a clock that is an hour ahead, hostile jobs beside all others,
/// and one disaster after the other, in an order and with victims that the seed says: the findings
/// and the ledger are those of one instance that nothing happened to, record by record.
///
/// Not in the build, whose machine is too busy for four JVMs beside it: `lab/chaos.sh` plays it,
/// with networks that the kernel keeps apart and a small disk. Without these, wires stand for
/// networks.
@Timeout(7_200)
class ChaosRun {
  private static final long SEED = Long.getLong("ringside.chaos.seed", 1);
  private static final Duration LONG =
      Duration.ofMinutes(Integer.getInteger("ringside.chaos.minutes", 0));
  private static final int JOBS = Integer.getInteger("ringside.chaos.jobs", 4);

  /// Beyond the 6 s after which an instance is given up.
  private static final Duration AWAY =
      Duration.ofSeconds(Integer.getInteger("ringside.chaos.away", 8));

  private static final int MARKERS = Integer.getInteger("ringside.chaos.markers", 20);

  /// How many times as long the slowest of a hundred findings may take beside hostile jobs: 2 is
  /// promised, a busy machine gets more.
  private static final double SLOWER = Integer.getInteger("ringside.chaos.slower", 4);

  /// Which of them, all by default.
  private static final List<Disaster> DISASTERS =
      Arrays.stream(System.getProperty("ringside.chaos.disasters", "").split(","))
          .filter(name -> !name.isEmpty())
          .map(Disaster::valueOf)
          .toList();

  private static final boolean NETWORKS = Boolean.getBoolean("ringside.chaos.networks");
  private static final String DISK = System.getProperty("ringside.chaos.disk", "");

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration BETWEEN = Duration.ofSeconds(2);
  private static final int PARTITIONS = 6;
  private static final int INSTANCES = 3;

  @TempDir private Path folder;

  @Test
  void changesNoResult() throws Exception {
    long until = System.nanoTime() + LONG.toNanos();
    long seed = SEED;
    do {
      play(seed++);
    } while (System.nanoTime() < until);
  }

  private void play(long seed) throws Exception {
    var records = Traffic.drawn(seed, JOBS);
    var undisturbed = undisturbed(seed, records);
    var random = new Random(seed);
    try (var network = NETWORKS ? new Network.Cables(new Switch()) : new Network.Loopback()) {
      var places = new ArrayList<Place>();
      for (int i = 0; i < INSTANCES; i++) {
        places.add(network.place(i));
      }
      if (Clock.canBeFaked()) {
        int ahead = random.nextInt(INSTANCES);
        places.set(ahead, places.get(ahead).by(Clock.off("+1h")));
      } else {
        System.err.println("no libfaketime here: all clocks are right");
      }
      var work = folder.resolve("disturbed-" + seed);
      var data = (DISK.isEmpty() ? work : Path.of(DISK)).resolve("broker-" + seed);
      var disk = DISK.isEmpty() ? new Disk.OfTheMachine() : new Disk.Small(Path.of(DISK));
      try (var fleet = new Fleet(work, PARTITIONS, network, places, disk, data)) {
        System.err.printf(Locale.ROOT, "seed %d:", seed);
        try {
          disturb(fleet, random, records, undisturbed);
        } catch (AssertionError | IllegalStateException e) {
          throw new AssertionError(
              "seed %d, logs in %s".formatted(seed, fleet.keepLogs(Path.of("target/chaos"))), e);
        }
        System.err.println();
      }
      // a small disk has no room for the records of another round
      Utils.delete(data.toFile());
    }
  }

  private Map<String, String> undisturbed(long seed, List<Sent> records) throws Exception {
    var work = folder.resolve("undisturbed-" + seed);
    var here = List.of(Place.HERE);
    var disk = new Disk.OfTheMachine();
    try (var network = new Network.Loopback();
        var fleet = new Fleet(work, PARTITIONS, network, here, disk, work.resolve("broker"));
        var traffic = new Traffic(fleet.broker().bootstrapServers());
        var results = new Results(fleet.broker().bootstrapServers())) {
      traffic.send(records.stream());
      fleet.drain();
      var settled = Map.copyOf(results.settled(PATIENCE));
      assertThat(settled.keySet()).anyMatch(key -> key.contains("findings"));
      assertThat(settled.keySet()).filteredOn(key -> key.contains("runs")).hasSizeGreaterThan(2);
      return settled;
    }
  }

  private static void disturb(
      Fleet fleet, Random random, List<Sent> records, Map<String, String> undisturbed)
      throws Exception {
    var servers = fleet.broker().bootstrapServers();
    try (var traffic = new Traffic(servers);
        var results = new Results(servers)) {
      double alone = p99(0, traffic, results);
      try (var _ =
          new Poison(
              servers,
              random.nextLong(),
              Poison.names(PARTITIONS),
              Duration.ofMillis(250),
              InstantSource.system())) {
        double beside = p99(1, traffic, results);
        System.err.printf(Locale.ROOT, " p99 %.2f s, beside hostile jobs %.2f s;", alone, beside);
        assertThat(beside).isLessThan(SLOWER * alone);

        var disasters =
            new ArrayList<>(DISASTERS.isEmpty() ? Arrays.asList(Disaster.values()) : DISASTERS);
        Collections.shuffle(disasters, random);
        for (int i = 0; i < disasters.size(); i++) {
          var disaster = disasters.get(i);
          int victim = random.nextInt(INSTANCES);
          var part = part(records, i, disasters.size());
          traffic.send(part.subList(0, part.size() / 2), BETWEEN);
          System.err.printf(Locale.ROOT, " %s %d", disaster, victim);
          fleet.strike(disaster, victim);
          long struck = System.nanoTime();
          if (disaster != Disaster.DISK_FULL) { // there is nobody to take them
            traffic.send(part.subList(part.size() / 2, part.size()).stream());
          }
          TimeUnit.NANOSECONDS.sleep(AWAY.toNanos());
          fleet.mend(disaster, victim);
          if (disaster == Disaster.DISK_FULL) {
            traffic.send(part.subList(part.size() / 2, part.size()).stream());
          }
          double seconds =
              Markers.secondsUntilAllPartitionsAnswer(PARTITIONS, 10 + i, struck, traffic, results);
          fleet.sameAnswersOfAll();
          System.err.printf(Locale.ROOT, " %.1f s,", seconds);
        }
      }
      fleet.drain();
      assertThat(results.differencesThatStay(undisturbed, PATIENCE)).isEmpty();
      fleet.sameAnswersOfAll();
    }
  }

  private static double p99(int round, Traffic traffic, Results results) {
    return Answers.p99(
        Answers.secondsOf(round * 100_000, MARKERS, Duration.ofMillis(150), traffic, results));
  }

  private static List<Sent> part(List<Sent> records, int index, int parts) {
    int size = records.size();
    return records.subList(size * index / parts, size * (index + 1) / parts);
  }
}
