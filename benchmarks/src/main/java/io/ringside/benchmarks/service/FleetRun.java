package io.ringside.benchmarks.service;

import io.ringside.lab.LabMain;
import io.ringside.schemas.topic.Topics;
import io.ringside.standalone.pipeline.Backlog;
import io.ringside.standalone.pipeline.Drain;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;

/// A fleet in steady training, live: each node sends its ranks' collective lines, chatter and GPU
/// samples while the service judges them. Shows what the service needs for that and how long it
/// takes from line to finding.
final class FleetRun {
  private static final String APPLICATION = "bench-fleet";

  /// Jobs start one after the other within this time: ten thousand GPUs print ten million lines
  /// when they start.
  private static final int START_SECONDS = Integer.getInteger("bench.service.start", 0);

  /// Start-up and compiling; not counted. Nor is what follows until the service has read all there
  /// is.
  private static final int WARM_SECONDS = Integer.getInteger("bench.service.warm", 30);

  /// Whether a small job a second falls back to sockets and is timed. Each stays in the ledger, so
  /// memory grows.
  private static final boolean PROBES =
      Boolean.parseBoolean(System.getProperty("bench.service.probes", "true"));

  /// Whether agents ask all their witnesses.
  private static final boolean WITNESSES = Boolean.getBoolean("bench.service.witnesses");

  /// Who judges what was sent so long ago is not behind.
  private static final int BEHIND_SECONDS = 3;

  private FleetRun() {}

  /// `NODES GPUS JOBS LINES SECONDS [EVERY]`, several times over for several fleets after another:
  /// the collective lines a second of each rank, how long the load lasts, and every how many
  /// seconds to print a line of memory.
  public static void main(String[] args) throws Exception {
    int every = args.length % 5 == 1 ? Integer.parseInt(args[args.length - 1]) : 0;
    System.out.printf(
        "%8s %6s %10s %8s %8s %10s %8s %8s %8s %8s %8s %7s %9s%n",
        "GPUs",
        "jobs",
        "lines/s",
        "watched",
        "cores",
        "µs/line",
        "live MiB",
        "RSS MiB",
        "highest",
        "p50 s",
        "p99 s",
        "never",
        "behind s");
    for (int i = 0; i + 5 <= args.length; i += 5) {
      fleet(
          Integer.parseInt(args[i]),
          Integer.parseInt(args[i + 1]),
          Integer.parseInt(args[i + 2]),
          Double.parseDouble(args[i + 3]),
          Integer.parseInt(args[i + 4]),
          every);
    }
  }

  private static void fleet(
      int nodes, int gpus, int jobs, double linesPerRank, int seconds, int every) throws Exception {
    try (var broker =
        Child.start(
            "1", List.of("-Xmx512m", "-XX:TieredStopAtLevel=1"), BrokerProcess.class, List.of())) {
      var bootstrap = broker.word("broker");
      createTopics(bootstrap);
      try (var service =
              Service.start(
                  "0", System.getProperty("bench.service.heap", "2g"), bootstrap, APPLICATION);
          var load = load(service, bootstrap, nodes, gpus, jobs, linesPerRank, seconds)) {
        var process = service.process();
        var row = watched(process, bootstrap, seconds, every);
        // "N lines in N records, S s: N lines/s; sending was S s behind in the end"
        var sent = load.first("lines in").split(" ");
        double rate = Double.parseDouble(sent[7]);
        var probe = PROBES ? load.first("proving line").split(" ") : new String[16];
        System.out.printf(
            Locale.ROOT,
            "%8d %6d %10.0f %7ds %8.2f %10.2f %8d %8d %8d %8s %8s %7s %9s%n",
            nodes * gpus,
            jobs,
            rate,
            row.seconds(),
            row.cores(),
            row.cores() / rate * 1e6,
            row.live(),
            row.resident(),
            row.highest(),
            probe[7],
            probe[10],
            probe[15],
            sent[11]);
      }
    }
  }

  private static void createTopics(String bootstrap) throws Exception {
    try (var admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      admin
          .createTopics(Topics.ALL.stream().map(topic -> topic.toNewTopic(4, (short) 1)).toList())
          .all()
          .get();
    }
  }

  private static Child load(
      Service service,
      String bootstrap,
      int nodes,
      int gpus,
      int jobs,
      double linesPerRank,
      int seconds)
      throws Exception {
    service.awaitReady();
    return Child.start(
        "1",
        List.of("-Xmx" + System.getProperty("bench.load.heap", "2g")),
        LabMain.class,
        Stream.of(
                "simulate",
                "--bootstrap=" + bootstrap,
                "--nodes=" + nodes,
                "--gpus=" + gpus,
                "--jobs=" + jobs,
                "--collectives-per-second=" + linesPerRank,
                "--start-over=PT" + START_SECONDS + "S",
                "--warm-up=PT" + WARM_SECONDS + "S",
                "--duration=PT" + seconds + "S",
                PROBES ? "--probe" : "--no-probe",
                WITNESSES ? "--witnesses" : "")
            .filter(argument -> !argument.isEmpty())
            .toList());
  }

  /// What the service used while it was watched.
  ///
  /// @param live MiB of its heap that are in use after a collection at the end
  /// @param resident MiB before that
  private record Watched(int seconds, double cores, long live, long resident, long highest) {}

  private static Watched watched(Child service, String bootstrap, int seconds, int every)
      throws Exception {
    long begin = System.nanoTime();
    TimeUnit.SECONDS.sleep(WARM_SECONDS);
    awaitCaughtUp(bootstrap, seconds / 2);
    int warm = (int) ((System.nanoTime() - begin) / 1_000_000_000L);
    double cpu = service.cpuSeconds();
    long counted = System.nanoTime();
    for (int second = warm + 1; second < seconds; second++) {
      TimeUnit.SECONDS.sleep(1);
      if (every > 0 && second % every == 0) {
        System.out.printf(
            Locale.ROOT,
            "%6d s  %6d MiB live, %6d MiB resident, %4d threads, %4d descriptors, %6.2f cores so far%n",
            second,
            service.liveMiB(),
            service.residentMiB("VmRSS"),
            service.threads(),
            service.descriptors(),
            (service.cpuSeconds() - cpu) / ((System.nanoTime() - counted) / 1e9));
      }
    }
    double cores = (service.cpuSeconds() - cpu) / ((System.nanoTime() - counted) / 1e9);
    long resident = service.residentMiB("VmRSS");
    long highest = service.residentMiB("VmHWM");
    return new Watched(seconds - warm, cores, service.liveMiB(), resident, highest);
  }

  /// Returns once the service has judged what was there a few seconds before.
  ///
  /// @param patience seconds after which it is watched as it is
  private static void awaitCaughtUp(String bootstrap, int patience)
      throws IOException, InterruptedException {
    try (var admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      var drain =
          new Drain(
              admin, APPLICATION, Topics.BY_NODE.stream().map(topic -> topic.name()).toList());
      var then = drain.look();
      for (int second = 0; second < patience; second += BEHIND_SECONDS) {
        TimeUnit.SECONDS.sleep(BEHIND_SECONDS);
        var now = drain.look();
        if (reached(then, now)) {
          return;
        }
        then = now;
      }
      System.out.printf("still %,d records behind%n", then.behind());
    }
  }

  private static boolean reached(Backlog then, Backlog now) {
    return then.ends().entrySet().stream()
        .allMatch(end -> now.committed().getOrDefault(end.getKey(), 0L) >= end.getValue());
  }
}
