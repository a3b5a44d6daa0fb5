package io.ringside.benchmarks.service;

import io.ringside.schemas.topic.Topics;
import io.ringside.standalone.RingsideMain;
import io.ringside.streams.StreamsAppMain;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;

/// A fleet in steady training, live: each node sends its ranks' collective lines, chatter and GPU samples while the service judges them.
/// Shows what the service needs for that and how long it takes from line to finding.
final class FleetRun {
  /// Start-up and compiling; not counted. Ten thousand GPUs print ten million lines when they start.
  private static final int WARM_SECONDS = Integer.getInteger("bench.service.warm", 30);

  private FleetRun() {}

  /// `NODES GPUS JOBS LINES SECONDS [EVERY]`, several times over for several fleets after another: the collective lines a second of each
  /// rank, and every how many seconds to print a line of memory.
  public static void main(String[] args) throws Exception {
    int every = args.length % 5 == 1 ? Integer.parseInt(args[args.length - 1]) : 0;
    System.out.printf(
        "%8s %6s %10s %8s %10s %8s %8s %8s %8s %7s %9s%n",
        "GPUs",
        "jobs",
        "lines/s",
        "cores",
        "µs/line",
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
      var state = Files.createTempDirectory("ringside-bench");
      var config = state.resolve("streams.yaml");
      Files.writeString(config, "processing: {threads: 1}\ntopics: {create: false}\n");
      var options =
          new ArrayList<>(List.of("-Xmx" + System.getProperty("bench.service.heap", "2g")));
      options.addAll(List.of(System.getProperty("bench.service.options", "").split(" ")));
      options.removeIf(String::isEmpty);
      createTopics(bootstrap);
      int port = freePort();
      try (var service =
              Child.start(
                  "0",
                  options,
                  StreamsAppMain.class,
                  List.of(
                      "--config=" + config,
                      "--bootstrap-servers=" + bootstrap,
                      "--application-id=bench-fleet",
                      "--state-dir=" + state,
                      "--http-port=" + port));
          var load = load(port, bootstrap, nodes, gpus, jobs, linesPerRank, seconds)) {
        var row = watched(service, seconds, every);
        // "N lines in N records, S s: N lines/s; sending was S s behind in the end"
        var sent = load.first("lines in").split(" ");
        double rate = Double.parseDouble(sent[7]);
        var probe = load.first("proving line").split(" ");
        System.out.printf(
            Locale.ROOT,
            "%8d %6d %10.0f %8.2f %10.2f %8d %8d %8s %8s %7s %9s%n",
            nodes * gpus,
            jobs,
            rate,
            row.cores(),
            row.cores() / rate * 1e6,
            row.resident(),
            service.residentMiB("VmHWM"),
            probe[7],
            probe[10],
            probe[15],
            sent[11]);
      }
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void awaitReady(int port) throws Exception {
    try (var client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz")).build();
      for (int attempt = 0; attempt < 600; attempt++) {
        try {
          if (client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) {
            return;
          }
        } catch (IOException e) {
          // not listening yet
        }
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
    throw new IOException("the service did not get ready");
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
      int port, String bootstrap, int nodes, int gpus, int jobs, double linesPerRank, int seconds)
      throws Exception {
    awaitReady(port);
    return Child.start(
        "1",
        List.of("-Xmx2g"),
        RingsideMain.class,
        List.of(
            "simulate",
            "--bootstrap=" + bootstrap,
            "--nodes=" + nodes,
            "--gpus=" + gpus,
            "--jobs=" + jobs,
            "--collectives-per-second=" + linesPerRank,
            "--warm-up=PT" + WARM_SECONDS + "S",
            "--duration=PT" + seconds + "S"));
  }

  /// What the service used while it was watched.
  private record Watched(double cores, long resident) {}

  private static Watched watched(Child service, int seconds, int every) throws Exception {
    TimeUnit.SECONDS.sleep(WARM_SECONDS);
    double cpu = service.cpuSeconds();
    long begin = System.nanoTime();
    var resident = new ArrayList<Long>();
    for (int second = WARM_SECONDS; second < seconds; second++) {
      TimeUnit.SECONDS.sleep(1);
      resident.add(service.residentMiB("VmRSS"));
      if (every > 0 && second % every == 0) {
        System.out.printf(
            Locale.ROOT,
            "%6d s  %6d MiB resident, %6.2f cores so far%n",
            second,
            resident.getLast(),
            (service.cpuSeconds() - cpu) / ((System.nanoTime() - begin) / 1e9));
      }
    }
    return new Watched(
        (service.cpuSeconds() - cpu) / ((System.nanoTime() - begin) / 1e9), resident.getLast());
  }
}
