package io.ringside.benchmarks.agent;

import io.ringside.schemas.topic.Topics;
import io.ringside.standalone.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A broker in this JVM, a scratch folder, and agents as processes of their own.
///
/// @param home a folder made by `deploy/docker/assemble shipper`
record Rig(Path home, Path scratch, EmbeddedBroker broker) implements AutoCloseable {
  /// The core that is measured; this JVM and its broker run on the other.
  static final String ONE_CORE = "0";

  static final String ALL_CORES = "0-" + (cores() - 1);

  static Rig start(Path home) throws IOException {
    var broker = EmbeddedBroker.start();
    broker.createTopics(Topics.ALL, 4, Map.of());
    return new Rig(home.toAbsolutePath(), Files.createTempDirectory("ringside-bench-"), broker);
  }

  /// An agent with its defaults and a page on some port; its state is new.
  ///
  /// @param cores as taskset wants them
  Process agent(String cores, Path log, String... more) throws IOException {
    Path state = Files.createTempDirectory(scratch, "state");
    var command =
        new ArrayList<>(
            List.of(
                "taskset",
                "-c",
                cores,
                home.resolve("bin/ringside-shipper").toString(),
                "--node=n1",
                "--bootstrap=" + broker.bootstrapServers(),
                "--logs=" + log,
                "--checkpoints=" + state.resolve("checkpoints.json"),
                "--set=http.host=127.0.0.1",
                "--set=http.port=0"));
    command.addAll(List.of(more));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(scratch.resolve("agent.log").toFile())
        .start();
  }

  /// SIGTERM, as a node ends it.
  static void stop(Process process) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }

  private static int cores() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return Math.toIntExact(lines.filter(line -> line.startsWith("processor")).count());
    } catch (IOException e) {
      return 1;
    }
  }

  @Override
  public void close() throws IOException {
    broker.close();
    if (System.getenv("SHOW_LOG") != null) {
      System.out.print(Files.readString(scratch.resolve("agent.log")));
    }
    try (var files = Files.walk(scratch)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
