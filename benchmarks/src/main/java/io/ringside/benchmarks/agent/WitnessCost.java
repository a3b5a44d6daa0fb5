package io.ringside.benchmarks.agent;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What the witnesses cost: agents with none, each and all of them on, side by side on a node of 8
/// GPUs and 32 ports whose job of 256 ranks is silent, so that they ask as often as they do.
final class WitnessCost {
  private static final int GPUS = 8;
  private static final int PORTS = 32;
  private static final int RANKS = 256;

  private final Rig rig;
  private final Path node;

  WitnessCost(Rig rig) throws IOException {
    this.rig = rig;
    this.node = Files.createDirectory(rig.scratch().resolve("node"));
  }

  void measure(Duration warm, Duration measured) throws IOException, InterruptedException {
    Path log = Files.createFile(node.resolve("job.log"));
    ports();
    dumps();
    var smi = "--set=gpu.command=" + nvidiaSmi();
    try (var ras = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> answer(ras));
      var api = api();
      var agents = new LinkedHashMap<String, Process>();
      var all = new ArrayList<String>();
      try {
        agents.put("none", rig.agent(Rig.ONE_CORE, log, smi));
        for (var witness : witnesses(ras.getLocalPort(), api).entrySet()) {
          agents.put(witness.getKey(), rig.agent(Rig.ONE_CORE, log, with(smi, witness.getValue())));
          all.addAll(witness.getValue());
        }
        agents.put("all", rig.agent(Rig.ONE_CORE, log, with(smi, all)));
        Thread.sleep(warm);
        var before = new HashMap<String, Double>();
        agents.forEach((witness, agent) -> before.put(witness, cpu(agent)));
        Thread.sleep(measured);
        agents.forEach(
            (witness, agent) ->
                report(witness, agent, Objects.requireNonNull(before.get(witness)), measured));
      } finally {
        for (var agent : agents.values()) {
          Rig.stop(agent);
        }
        api.stop(0);
      }
    }
  }

  private static double cpu(Process agent) {
    return new ProcessUsage(agent.pid()).cpuSeconds();
  }

  private static void report(String what, Process agent, double before, Duration measured) {
    var kernel = new ProcessUsage(agent.pid());
    System.out.printf(
        "%-10s %.2f %% of a core over %d s, RSS %.0f MiB%n",
        what,
        100 * (kernel.cpuSeconds() - before) / measured.toSeconds(),
        measured.toSeconds(),
        kernel.residentMiB());
  }

  private String[] with(String smi, List<String> witnesses) {
    return Stream.concat(
            Stream.of(smi, "--set=report.sysfs=" + node.resolve("sys")),
            witnesses.stream().map(setting -> "--set=witnesses." + setting))
        .toArray(String[]::new);
  }

  private Map<String, List<String>> witnesses(int ras, HttpServer api) throws IOException {
    var witnesses = new LinkedHashMap<String, List<String>>();
    witnesses.put("kernel", List.of("kernel.enabled=true"));
    witnesses.put("ras", List.of("ras.enabled=true", "ras.addresses=localhost:" + ras));
    witnesses.put("counters", List.of("counters.enabled=true", "counters.snmp=/proc/net/snmp"));
    witnesses.put(
        "dumps",
        List.of(
            "dumps.enabled=true",
            "dumps.globs=" + node + "/dumps/*/*_trace_rank_*",
            "dumps.ask=true",
            "dumps.pipes=" + node + "/dumps/*/*.pipe"));
    witnesses.put(
        "inspector",
        List.of("inspector.enabled=true", "inspector.globs=" + node + "/inspector/*/*.log"));
    witnesses.put(
        "kubernetes",
        List.of(
            "kubernetes.enabled=true",
            "kubernetes.server=http://localhost:" + api.getAddress().getPort(),
            "kubernetes.token=" + Files.writeString(node.resolve("token"), "t0ken")));
    return witnesses;
  }

  private void ports() throws IOException {
    for (int port = 0; port < PORTS; port++) {
      var folder =
          node.resolve("sys/class/infiniband/rdmap%ds0/ports/1/hw_counters".formatted(port));
      Files.createDirectories(folder);
      for (var counter : List.of("tx_pkts", "rx_pkts", "rx_drops", "retrans_pkts")) {
        Files.writeString(folder.resolve(counter), "12345678\n");
      }
    }
  }

  private void dumps() throws IOException, InterruptedException {
    var folder = Files.createDirectories(node.resolve("dumps/ml_job-0_16a1bf63"));
    for (int rank = 0; rank < GPUS; rank++) {
      Files.writeString(
          folder.resolve("nccl_trace_rank_" + rank),
          "{\"version\": \"2.10\", \"entries\": [%s]}"
              .formatted("{\"profiling_name\": \"nccl:all_reduce\"},".repeat(20_000)));
      new ProcessBuilder("mkfifo", folder.resolve(rank + ".pipe").toString()).start().waitFor();
    }
  }

  /// What a driver says of 8 GPUs; their samples are a recording's.
  private Path nvidiaSmi() throws IOException {
    var root = Path.of("").toAbsolutePath();
    var script =
        Files.writeString(
            node.resolve("nvidia-smi"),
            """
            #!/bin/sh
            case "$*" in
              *-lms*) RINGSIDE_DEMO_SAMPLES=%1$s/examples/recordings/healthy/nvidia-smi.csv.gz exec %1$s/deploy/docker/nvidia-smi "$@" ;;
              nvlink*) for gpu in 0 1 2 3 4 5 6 7; do
                echo "GPU $gpu: NVIDIA H200 (UUID: GPU-$gpu)"
                for link in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do
                  case "$*" in
                    *-s) echo "	 Link $link: 26.562 GB/s" ;;
                    *) echo "	 Link $link: Replay Errors: 0"; echo "	 Link $link: CRC Errors: 0" ;;
                  esac
                done
              done ;;
              *tlimit*) for gpu in 0 1 2 3 4 5 6 7; do echo "GPU-$gpu, 00000000:0$gpu:00.0, 97, 5, 5, 16, 16, 0, No, No, 24"; done ;;
              *) exit 1 ;;
            esac
            """
                .formatted(root));
    if (!script.toFile().setExecutable(true)) {
      throw new IOException(script + " cannot be made executable");
    }
    return script;
  }

  /// RAS, as NCCL 2.28 speaks: a greeting, a word on each command, the answer.
  private static void answer(ServerSocket ras) {
    var answer =
        "OK\nOK\n{\"nccl_version\": \"2.28.9\", \"communicators_count\": 1, \"communicators\": [{\"hash\": \"0xaa\", \"ranks\": [%s]}]}"
            .formatted(
                IntStream.range(0, RANKS)
                    .mapToObj(
                        rank ->
                            "{\"rank\": %d, \"host\": \"127.0.0.1\", \"pid\": 1%03d, \"counts\": {\"AllReduce\": 4242}}"
                                .formatted(rank, rank))
                    .collect(Collectors.joining(",\n")));
    while (true) {
      try (var socket = ras.accept()) {
        var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
        var out = socket.getOutputStream();
        in.readLine();
        out.write("SERVER PROTOCOL 2\n".getBytes(US_ASCII));
        while (!"VERBOSE STATUS".equals(in.readLine())) {
          // what it is asked for before
        }
        out.write(answer.getBytes(US_ASCII));
      } catch (IOException e) {
        if (ras.isClosed()) {
          return;
        }
      }
    }
  }

  /// Kubernetes, where one of the node's pods changes each second.
  private static HttpServer api() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", WitnessCost::pods);
    server.start();
    return server;
  }

  private static void pods(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    try (var out = exchange.getResponseBody()) {
      for (int version = 1; ; version++) {
        out.write(
            "{\"type\": \"MODIFIED\", \"object\": {\"metadata\": {\"name\": \"job-0\", \"namespace\": \"ml\", \"uid\": \"16a1bf63\", \"resourceVersion\": \"%d\"}, \"spec\": {\"nodeName\": \"n1\", \"env\": \"%s\"}, \"status\": {\"phase\": \"Running\"}}}%n"
                .formatted(version, "x".repeat(8_000))
                .getBytes(US_ASCII));
        out.flush();
        Thread.sleep(Duration.ofSeconds(1));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
