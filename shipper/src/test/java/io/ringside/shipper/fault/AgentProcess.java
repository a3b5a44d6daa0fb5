package io.ringside.shipper.fault;

import io.ringside.shipper.ShipperMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The agent as it runs on a node: a process of its own that can be killed.
final class AgentProcess {
  /// Heap and compiler of the image.
  private static final Path OPTIONS =
      Path.of("../deploy/docker/options-shipper").toAbsolutePath().normalize();

  private final List<String> command = new ArrayList<>();
  private final Path log;
  private Process process;

  AgentProcess(String broker, String glob, Path state, String... settings) throws IOException {
    log = state.resolveSibling("agent.err");
    Files.createDirectories(state.getParent());
    command.addAll(
        List.of(
            ProcessHandle.current().info().command().orElseThrow(),
            "@" + OPTIONS,
            "-cp",
            System.getProperty("java.class.path"),
            ShipperMain.class.getName(),
            "--node=n1",
            "--bootstrap=" + broker,
            "--logs=" + glob,
            "--checkpoints=" + state,
            "--set=gpu.enabled=false",
            "--set=http.enabled=false"));
    for (String setting : settings) {
      command.add("--set=" + setting);
    }
    process = start();
  }

  private Process start() throws IOException {
    var builder = new ProcessBuilder(command);
    builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    return builder.start();
  }

  /// SIGKILL, and another agent in its place.
  void killAndStart() throws IOException, InterruptedException {
    process.destroyForcibly().waitFor();
    process = start();
  }

  /// SIGTERM.
  int stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
    return process.exitValue();
  }

  /// Sends it a signal by name, such as STOP.
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  /// Whether the kernel has stopped it.
  boolean isStopped() throws IOException {
    return Files.readString(proc().resolve("stat")).contains(") T ");
  }

  /// What the kernel has in memory for it, in KiB.
  long residentKib() throws IOException {
    return Files.readAllLines(proc().resolve("status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", "")))
        .sum();
  }

  long openFiles() throws IOException {
    try (var files = Files.list(proc().resolve("fd"))) {
      return files.count();
    }
  }

  private Path proc() {
    return Path.of("/proc/" + process.pid());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  Path log() {
    return log;
  }
}
