package io.ringside.lab.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.lab.simulate.GeneratedJob.Sent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Utils;

/// Three instances, one of them by a clock that is an hour ahead, hostile jobs beside all others,
/// and one disaster after the other, in an order and with victims that the seed says: the findings
/// and the ledger are those of one instance that nothing happened to, record by record, and each
/// record that is none is one dead letter.
///
/// @param folder for the logs and state of all
/// @param disasters of a round
/// @param jobs that are drawn
/// @param ending whether only jobs whose logs end are drawn
/// @param away how long a disaster takes, beyond the 6 s after which an instance is given up
/// @param takeover how long partitions may go without an answer after an instance is gone
/// @param markers small jobs whose findings are timed before and beside the hostile ones, 0 for
///   none
/// @param slower how many times as long the slowest of a hundred may take beside them
/// @param networks whether the kernel keeps networks apart; wires stand for them otherwise
/// @param disk a small file system for the broker, empty for none
record Chaos(
    Path folder,
    List<Disaster> disasters,
    int jobs,
    boolean ending,
    Duration away,
    Duration takeover,
    int markers,
    double slower,
    boolean networks,
    String disk) {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration BETWEEN = Duration.ofSeconds(2);
  private static final int PARTITIONS = 6;
  private static final int INSTANCES = 3;

  Chaos {
    disasters = List.copyOf(disasters);
  }

  /// One round.
  void play(long seed) throws Exception {
    long begun = System.nanoTime();
    var records = Traffic.drawn(seed, jobs, ending);
    var undisturbed = undisturbed(seed, records);
    double alone = secondsSince(begun);
    long starting = System.nanoTime();
    var random = new Random(seed);
    try (var network = networks ? new Network.Cables(new Switch()) : new Network.Loopback()) {
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
      var data = (disk.isEmpty() ? work : Path.of(disk)).resolve("broker-" + seed);
      var its = disk.isEmpty() ? new Disk.OfTheMachine() : new Disk.Small(Path.of(disk));
      try (var fleet = new Fleet(work, PARTITIONS, network, places, its, data)) {
        System.err.printf(
            Locale.ROOT,
            "seed %d: undisturbed %.1f s, all up %.1f s;",
            seed,
            alone,
            secondsSince(starting));
        try {
          disturb(fleet, random, records, undisturbed);
        } catch (AssertionError | IllegalStateException e) {
          throw new AssertionError(
              "seed %d, logs in %s".formatted(seed, fleet.keepLogs(Path.of("target/chaos"))), e);
        }
        System.err.printf(Locale.ROOT, " %.1f s in all%n", secondsSince(begun));
      }
      // a small disk has no room for the records of another round
      Utils.delete(data.toFile());
    }
  }

  private static double secondsSince(long nanoTime) {
    return (System.nanoTime() - nanoTime) / 1e9;
  }

  private Map<String, String> undisturbed(long seed, List<Sent> records) throws Exception {
    var work = folder.resolve("undisturbed-" + seed);
    var here = List.of(Place.HERE);
    var its = new Disk.OfTheMachine();
    try (var network = new Network.Loopback();
        var fleet = new Fleet(work, PARTITIONS, network, here, its, work.resolve("broker"));
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

  private void disturb(
      Fleet fleet, Random random, List<Sent> records, Map<String, String> undisturbed)
      throws Exception {
    var servers = fleet.broker().bootstrapServers();
    try (var traffic = new Traffic(servers);
        var results = new Results(servers)) {
      double alone = markers == 0 ? 0 : p99(0, traffic, results);
      var poison =
          new Poison(
              servers,
              random.nextLong(),
              Poison.names(PARTITIONS),
              Duration.ofMillis(250),
              InstantSource.system());
      try (poison) {
        if (markers > 0) {
          double beside = p99(1, traffic, results);
          System.err.printf(Locale.ROOT, " p99 %.2f s, beside hostile jobs %.2f s;", alone, beside);
          assertThat(beside).isLessThan(slower * alone);
        }
        var order = new ArrayList<>(disasters);
        Collections.shuffle(order, random);
        for (int i = 0; i < order.size(); i++) {
          int victim = random.nextInt(INSTANCES);
          System.err.printf(Locale.ROOT, " %s %d", order.get(i), victim);
          double seconds =
              suffer(
                  fleet, order.get(i), victim, i, part(records, i, order.size()), traffic, results);
          System.err.printf(Locale.ROOT, " %.1f s,", seconds);
        }
      }
      fleet.drain();
      assertThat(results.differencesThatStay(undisturbed, PATIENCE)).isEmpty();
      fleet.sameAnswersOfAll();
      assertThat(Poison.deadLetters(servers)).isEqualTo(Poison.noRecords(servers)).isNotEmpty();
    }
  }

  /// @return seconds from its beginning until each partition has somebody who answers: while the
  ///   victim is away, where the others can
  private double suffer(
      Fleet fleet,
      Disaster disaster,
      int victim,
      int number,
      List<Sent> part,
      Traffic traffic,
      Results results)
      throws Exception {
    traffic.send(part.subList(0, part.size() / 2), BETWEEN);
    fleet.strike(disaster, victim);
    long struck = System.nanoTime();
    double seconds = 0;
    if (disaster != Disaster.DISK_FULL) { // there is nobody to take them
      traffic.send(part.subList(part.size() / 2, part.size()).stream());
      seconds = answered(number, struck, traffic, results);
    }
    long left = away.toNanos() - (System.nanoTime() - struck);
    TimeUnit.NANOSECONDS.sleep(left);
    fleet.mend(disaster, victim);
    if (disaster == Disaster.DISK_FULL) {
      traffic.send(part.subList(part.size() / 2, part.size()).stream());
      seconds = answered(number, struck, traffic, results);
    } else if (disaster == Disaster.KILLED || disaster == Disaster.STOPPED) {
      assertThat(seconds).isLessThanOrEqualTo(takeover.toSeconds());
    }
    fleet.sameAnswersOfAll();
    return seconds;
  }

  private static double answered(int number, long since, Traffic traffic, Results results) {
    return Markers.secondsUntilAllPartitionsAnswer(
        PARTITIONS, 10 + number, since, traffic, results);
  }

  private double p99(int round, Traffic traffic, Results results) {
    return Answers.p99(
        Answers.secondsOf(round * 100_000, markers, Duration.ofMillis(150), traffic, results));
  }

  private static List<Sent> part(List<Sent> records, int index, int parts) {
    int size = records.size();
    return records.subList(size * index / parts, size * (index + 1) / parts);
  }
}
