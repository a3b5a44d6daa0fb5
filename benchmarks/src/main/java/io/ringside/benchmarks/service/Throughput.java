package io.ringside.benchmarks.service;

import io.ringside.schemas.topic.Topics;
import io.ringside.standalone.pipeline.Drain;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Lines a second and core through the whole service, beside a bare consume loop over the same
/// topic and the engine's own windowed count of the same lines, one record a line. All in one run,
/// one after the other, each on one core; the broker has the other.
final class Throughput {
  /// What comes before is start-up and compiling.
  private static final double WARM = 0.5;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Throughput() {}

  /// One measured process.
  ///
  /// @param steady processor seconds a million lines after the warm part
  record Row(String name, double steady, double whole, long mebibytes) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%-46s %9.0f %10.2f %10.2f %8d",
          name,
          1e6 / steady,
          steady,
          whole,
          mebibytes);
    }
  }

  /// `LINES RECORDINGS [FILE]`: how many lines, the folder of recordings, and a log to take instead
  /// of made-up lines.
  public static void main(String[] args) throws Exception {
    int lines = Integer.parseInt(args[0]);
    @Nullable Path corpus = args.length > 2 ? Path.of(args[2]) : null;
    try (var broker =
            Child.start(
                "1",
                List.of("-Xmx512m", "-XX:TieredStopAtLevel=1"),
                BrokerProcess.class,
                List.of());
        var topics = new BenchTopics(broker.word("broker"))) {
      load(topics, lines, Path.of(args[1]), corpus);
      System.out.printf(
          Locale.ROOT,
          "%,d lines on %d partitions; the measured process on core 0, the broker on core 1%n%n",
          topics.lines(),
          BenchTopics.PARTITIONS);
      System.out.printf(
          "%-46s %9s %10s %10s %8s%n", "", "lines/s", "CPU-s/M", "CPU-s/M", "RSS MiB");
      System.out.printf(
          "%-46s %9s %10s %10s %8s%n", "", "a core", "steady", "with start", "highest");
      var rows = new ArrayList<Row>();
      var bootstrap = topics.bootstrap();
      if (Boolean.getBoolean("bench.service.only")) {
        measureService(topics, bootstrap, 0);
        return;
      }
      rows.add(
          measure(
              "bare consume loop, the same chunks",
              topics,
              Topics.LOGS.name(),
              ConsumeLoop.class,
              List.of(bootstrap, Topics.LOGS.name(), "bench-consume-chunks")));
      rows.add(
          measure(
              "bare consume loop, one record a line",
              topics,
              BenchTopics.LINES,
              ConsumeLoop.class,
              List.of(bootstrap, BenchTopics.LINES, "bench-consume-lines")));
      rows.add(
          measure(
              "the engine's windowed count, one record a line",
              topics,
              BenchTopics.LINES,
              WindowedCount.class,
              List.of(bootstrap, BenchTopics.LINES, "bench-count")));
      rows.add(measureService(topics, bootstrap, 0));
      System.out.printf(
          Locale.ROOT,
          "%nlines a second of the service: %.2f times the windowed count%n",
          rows.get(2).steady() / rows.get(3).steady());
    }
  }

  private static void load(BenchTopics topics, int lines, Path recordings, @Nullable Path corpus)
      throws Exception {
    topics.create();
    try (var source = corpus == null ? new MixedTurns(recordings) : new RecordedTurns(corpus)) {
      new Filling(topics, source, !Boolean.getBoolean("bench.service.only")).fill(lines);
    }
    topics.flush();
  }

  private static Row measure(
      String name, BenchTopics topics, String topic, Class<?> main, List<String> arguments)
      throws Exception {
    try (var child = Child.start("0", List.of("-Xmx1g"), main, arguments)) {
      return row(name, child, topics, topic, arguments.getLast(), Optional.empty());
    }
  }

  private static Row measureService(BenchTopics topics, String bootstrap, int number)
      throws Exception {
    var application = "bench-service-" + number;
    try (var service = Service.start("0", "1g", bootstrap, application)) {
      var drain =
          new Drain(
              topics.admin(),
              application,
              List.of(Topics.LOGS.name(), Topics.GPU.name(), Topics.TOPOLOGY.name()));
      return row(
          "Ringside: parse, join, windows, detectors, exactly once",
          service.process(),
          topics,
          Topics.LOGS.name(),
          application,
          Optional.of(drain));
    }
  }

  private static Row row(
      String name,
      Child child,
      BenchTopics topics,
      String topic,
      String group,
      Optional<Drain> drain)
      throws Exception {
    long warmLines = 0;
    double warmCpu = 0;
    long before = -1;
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      long done = topics.committed(group, topic);
      if (warmLines == 0 && done >= WARM * topics.lines()) {
        warmLines = done;
        warmCpu = child.cpuSeconds();
      }
      if (done >= topics.lines()) {
        break;
      }
      if (done != before) {
        before = done;
        deadline = System.nanoTime() + PATIENCE.toNanos();
      }
      if (!child.isAlive() || System.nanoTime() > deadline) {
        throw new IOException(name + " stands still at line " + done);
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    if (drain.isPresent()) {
      drain.get().await(PATIENCE, backlog -> {});
    }
    double cpu = child.cpuSeconds();
    var row =
        new Row(
            name,
            (cpu - warmCpu) / (topics.lines() - warmLines) * 1e6,
            cpu / topics.lines() * 1e6,
            child.residentMiB("VmHWM"));
    System.out.println(row);
    return row;
  }
}
