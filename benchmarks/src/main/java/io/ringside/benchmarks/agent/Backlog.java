package io.ringside.benchmarks.agent;

import io.ringside.benchmarks.parse.Corpus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/// Two files of 2 and 8 million lines that lie there when the agent starts: what a million lines
/// cost once start and compilation are paid, and the same of a bare client. Runs alternate, so that
/// a busy machine hurts all alike.
record Backlog(Rig rig, int runs, boolean besideBare) {
  private static final int SMALL = 2_000_000;
  private static final int TIMES = 4;
  private static final double MILLIONS_BETWEEN = (TIMES - 1) * SMALL / 1e6;
  private static final String BARE = "bare-client";

  private record Run(double cpu, double seconds, double peakMiB) {}

  /// @param given a file of lines, or empty for made-up ones
  void measure(String given) throws IOException, InterruptedException {
    Path small = rig.scratch().resolve("small.log");
    if (given.isEmpty()) {
      Corpus.write(small, SMALL);
    } else {
      Files.copy(Path.of(given), small, StandardCopyOption.REPLACE_EXISTING);
    }
    Path large = rig.scratch().resolve("large.log");
    for (int i = 0; i < TIMES; i++) {
      try (var out =
          Files.newOutputStream(
              large,
              java.nio.file.StandardOpenOption.CREATE,
              java.nio.file.StandardOpenOption.APPEND)) {
        Files.copy(small, out);
      }
    }
    try (var admin =
        Admin.create(java.util.Map.of("bootstrap.servers", rig.broker().bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(BARE, 4, (short) 1)));
    }
    var agentSmall = new ArrayList<Run>();
    var agentLarge = new ArrayList<Run>();
    var bareSmall = new ArrayList<Run>();
    var bareLarge = new ArrayList<Run>();
    for (int i = 0; i < runs; i++) {
      agentSmall.add(agent(small, i == 0));
      agentLarge.add(agent(large, false));
      if (besideBare) {
        bareSmall.add(bare(small));
        bareLarge.add(bare(large));
      }
    }
    report("agent", agentSmall, agentLarge);
    if (!besideBare) {
      return;
    }
    report("bare client", bareSmall, bareLarge);
    System.out.printf(
        "ratio of marginal CPU, agent to bare client: %.2f%n",
        marginal(agentSmall, agentLarge) / marginal(bareSmall, bareLarge));
  }

  private Run agent(Path log, boolean compare) throws IOException, InterruptedException {
    long size = Files.size(log);
    try (var arrivals = new Arrivals(rig.broker().bootstrapServers())) {
      long start = System.nanoTime();
      Process agent = rig.agent(Rig.ONE_CORE, log);
      try {
        arrivals.await(log, size);
        double seconds = (System.nanoTime() - start) / 1e9;
        var kernel = new ProcessUsage(agent.pid());
        var run = new Run(kernel.cpuSeconds(), seconds, kernel.peakMiB());
        if (compare) {
          String difference = arrivals.compare(log, size);
          System.out.println(
              "read back and compared with the file: "
                  + (difference.isEmpty() ? "equal" : difference));
        }
        return run;
      } finally {
        Rig.stop(agent);
      }
    }
  }

  private Run bare(Path log) throws IOException, InterruptedException {
    long start = System.nanoTime();
    Process client =
        new ProcessBuilder(
                "taskset",
                "-c",
                Rig.ONE_CORE,
                ProcessHandle.current().info().command().orElseThrow(),
                "-Dringside.log=agent",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-XX:+UseCompactObjectHeaders",
                "-cp",
                System.getProperty("java.class.path"),
                BareClient.class.getName(),
                rig.broker().bootstrapServers(),
                BARE,
                log.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String printed = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    client.waitFor();
    return new Run(Double.parseDouble(printed.strip()), (System.nanoTime() - start) / 1e9, 0);
  }

  private static void report(String who, List<Run> small, List<Run> large) {
    System.out.printf(
        "%s: CPU-s/M lines 2M %.3f, 8M %.3f, marginal %.3f; k lines/s marginal %.0f by wall, %.0f by CPU; peak RSS MiB 2M %.0f, 8M %.0f%n",
        who,
        median(small.stream().map(Run::cpu).toList()) / (SMALL / 1e6),
        median(large.stream().map(Run::cpu).toList()) / (TIMES * SMALL / 1e6),
        marginal(small, large),
        1e3
            * MILLIONS_BETWEEN
            / (median(large.stream().map(Run::seconds).toList())
                - median(small.stream().map(Run::seconds).toList())),
        1e3 / marginal(small, large),
        small.stream().mapToDouble(Run::peakMiB).max().orElse(0),
        large.stream().mapToDouble(Run::peakMiB).max().orElse(0));
  }

  private static double marginal(List<Run> small, List<Run> large) {
    return (median(large.stream().map(Run::cpu).toList())
            - median(small.stream().map(Run::cpu).toList()))
        / MILLIONS_BETWEEN;
  }

  static double median(List<Double> values) {
    var sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }
}
