package io.ringside.benchmarks.service;

import io.ringside.schemas.topic.Topics;
import io.ringside.standalone.pipeline.Drain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/// A fleet that starts all at once: 1,000 lines of every rank, which agents would send within a
/// minute, lie ready, and the service reads them on two cores from a cold start. If that takes less
/// than 90 s, its lag is gone 30 s after such a minute.
final class Burst {
  private static final int NODES_OF_A_JOB = 8;
  private static final int LINES = 1_000;
  private static final long STEP = 6_000;

  private Burst() {}

  /// `NODES RECORDINGS HEAP`
  public static void main(String[] args) throws Exception {
    int jobs = Math.max(1, Integer.parseInt(args[0]) / NODES_OF_A_JOB);
    var nodes = new int[jobs];
    Arrays.fill(nodes, NODES_OF_A_JOB);
    var names = IntStream.range(0, jobs).mapToObj("load-%d"::formatted).toList();
    try (var broker =
            Child.start(
                "0,1",
                List.of("-Xmx512m", "-XX:TieredStopAtLevel=1"),
                BrokerProcess.class,
                List.of());
        var topics = new BenchTopics(broker.word("broker"));
        var turns = new MixedTurns(Path.of(args[1]), names, nodes)) {
      topics.create();
      var files = new HashMap<String, Chunker>();
      long[] at = {1_764_000_000_000_000_000L};
      turns
          .start(LINES)
          .forEach(
              turn -> {
                var file =
                    files.computeIfAbsent(
                        turn.pod(), _ -> new Chunker(turn.host(), turn.job(), turn.pod()));
                for (var line : turn.lines()) {
                  file.add(line, at[0] += STEP).ifPresent(chunk -> topics.send(chunk, false));
                }
              });
      files.values().forEach(file -> topics.send(file.take(), false));
      topics.flush();
      read(topics, jobs, args[2]);
    }
  }

  private static void read(BenchTopics topics, int jobs, String heap) throws Exception {
    long begin = System.nanoTime();
    try (var service = Service.start("0,1", heap, topics.bootstrap(), "bench-burst")) {
      while (topics.committed("bench-burst", Topics.LOGS.name()) < topics.lines()) {
        Thread.sleep(200);
      }
      var inputs = Topics.BY_NODE.stream().map(topic -> topic.name()).toList();
      new Drain(topics.admin(), "bench-burst", inputs).await(Duration.ofMinutes(2), backlog -> {});
      System.out.printf(
          Locale.ROOT,
          "%,d lines of %,d ranks in %d jobs: judged after %.0f s with start-up, %.1f CPU-s, %d MiB at most; allowed are 90 s%n",
          topics.lines(),
          jobs * NODES_OF_A_JOB * 8,
          jobs,
          (System.nanoTime() - begin) / 1e9,
          service.process().cpuSeconds(),
          service.process().residentMiB("VmHWM"));
    }
  }
}
