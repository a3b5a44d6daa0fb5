package io.ringside.deploy.observe;

import io.ringside.deploy.Recordings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;

/// `ringside demo` as a process of its own, as a user has it.
final class RunningDemo implements AutoCloseable {
  private static final Pattern UP = Pattern.compile("Everything is up: http://127.0.0.1:(\\d+)/");

  private final Process process;
  private final Path printed;

  private RunningDemo(Process process, Path printed) {
    this.process = process;
    this.printed = printed;
  }

  static RunningDemo start(Path scratch) throws IOException {
    var printed = scratch.resolve("demo.txt");
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.ringside.standalone.RingsideMain",
                "demo")
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    return new RunningDemo(process, printed);
  }

  /// Waits until it has printed this.
  void await(String text) throws InterruptedException {
    Recordings.await(Duration.ofMinutes(3), () -> !process.isAlive() || printed().contains(text));
    if (!process.isAlive()) {
      throw new AssertionError("the demo ended: " + printed());
    }
  }

  /// Everything so far.
  String printed() {
    try {
      // the end may be half a character
      return new String(Files.readAllBytes(printed), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Of the page, the API and the metrics.
  int port() throws InterruptedException {
    await("Everything is up");
    var address = UP.matcher(printed());
    if (!address.find()) {
      throw new AssertionError("no address: " + printed());
    }
    return Integer.parseInt(address.group(1));
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
