package io.ringside.benchmarks.service;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.serde.ChunkSerde;
import io.ringside.shipper.config.Identity;
import io.ringside.shipper.config.JobPattern;
import io.ringside.shipper.source.log.recorded.RecordedLog;
import io.ringside.shipper.source.log.recorded.Recording;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.JobJoin;
import io.ringside.streams.job.JobState;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.node.KeptSamples;
import io.ringside.streams.node.NodeJoin;
import io.ringside.streams.node.NodeState;
import io.ringside.streams.node.SourceState;
import io.ringside.streams.state.PackedInput;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// What a line costs the service without Kafka, on one thread and warm: decode its chunk, parse,
/// join with the node, write and read the facts, join with the job, judge each job once. Prints
/// nanoseconds of processor time a line, of the best pass.
final class Stages {
  private static final int PASSES = 6;
  private static final int KEPT_SAMPLES = 120;

  private final List<byte[]> chunks = new ArrayList<>();
  private long lines;

  private Stages() {}

  /// @param args `NODE=FOLDER` of each node, whose logs are read
  public static void main(String[] args) throws IOException {
    var stages = new Stages();
    stages.load(args);
    var thread = ManagementFactory.getThreadMXBean();
    long best = Long.MAX_VALUE;
    for (int pass = 0; pass < PASSES; pass++) {
      long begun = thread.getCurrentThreadCpuTime();
      stages.pass();
      best = Math.min(best, thread.getCurrentThreadCpuTime() - begun);
    }
    System.out.printf("%.1f%n", (double) best / stages.lines);
  }

  private void load(String[] nodes) throws IOException {
    var logs = new ArrayList<RecordedLog>();
    for (var node : nodes) {
      var name = node.substring(0, node.indexOf('='));
      try (var files = Files.walk(Path.of(node.substring(name.length() + 1)))) {
        for (var file : files.filter(path -> path.toString().endsWith(".log")).sorted().toList()) {
          logs.add(
              new RecordedLog(
                  file, new Identity("", name, "", "", JobPattern.DEFAULTS).sourceOf(file)));
        }
      }
    }
    var serializer = new ChunkSerde().serializer();
    Recording.ship(
        logs,
        chunk -> {
          lines += chunk.lines();
          chunks.add(serializer.serialize("", chunk));
        },
        _ -> {});
  }

  private void pass() {
    var decoder = new ChunkSerde().deserializer();
    var join = new NodeJoin();
    var samples = new KeptSamples(KEPT_SAMPLES);
    var sources = new HashMap<String, SourceState>();
    var nodes = new HashMap<String, NodeState>();
    var jobs = new HashMap<String, JobState>();
    for (var bytes : chunks) {
      LogChunk chunk = decoder.deserialize("", bytes);
      var routed =
          join.chunk(
              chunk,
              sources.computeIfAbsent(chunk.source().id(), _ -> new SourceState()),
              nodes.computeIfAbsent(chunk.node(), _ -> new NodeState()),
              samples);
      for (var to : routed) {
        JobJoin.apply(
            PackedInput.unpack(PackedInput.of(to.input()).bytes()),
            jobs.computeIfAbsent(to.job(), _ -> new JobState()));
      }
    }
    var judge = new Judge(Expectations.builtIn());
    jobs.values().forEach(job -> judge.judge(job, Instant.EPOCH));
  }
}
