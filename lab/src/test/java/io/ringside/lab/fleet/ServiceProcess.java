package io.ringside.lab.fleet;

import io.ringside.streams.StreamsAppMain;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// An instance of the service in a process of its own.
public final class ServiceProcess implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final List<String> PROGRAM = List.of(StreamsAppMain.class.getName());

  private final Place place;
  private final List<String> command = new ArrayList<>();
  private final Path log;
  private final int port;
  private Process process;

  /// Starts it; it is not ready yet.
  ///
  /// @param folder for its state and its log
  public ServiceProcess(String broker, Path folder, List<String> arguments) throws IOException {
    this(broker, folder, arguments, Place.HERE);
  }

  /// The same elsewhere.
  ServiceProcess(String broker, Path folder, List<String> arguments, Place place)
      throws IOException {
    this(broker, folder, arguments, place, PROGRAM);
  }

  /// The same of another main class.
  ///
  /// @param program its name, behind options of the JVM
  public ServiceProcess(String broker, Path folder, List<String> arguments, List<String> program)
      throws IOException {
    this(broker, folder, arguments, Place.HERE, program);
  }

  private ServiceProcess(
      String broker, Path folder, List<String> arguments, Place place, List<String> program)
      throws IOException {
    this.place = place;
    Files.createDirectories(folder);
    log = folder.resolve("log");
    port = freePort();
    command.addAll(
        List.of(
            ProcessHandle.current().info().command().orElseThrow(),
            "-Xmx320m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED",
            "-Dlogback.configurationFile=io/ringside/streams/logback-streams.xml",
            "-cp",
            System.getProperty("java.class.path")));
    command.addAll(program);
    command.addAll(
        List.of(
            "--bootstrap-servers=" + broker,
            "--state-dir=" + folder.resolve("state"),
            "--http-host=" + place.host(),
            "--http-port=" + port));
    command.addAll(arguments);
    process = start();
  }

  private Process start() throws IOException {
    var builder = new ProcessBuilder(place.command(command));
    builder.environment().put("MALLOC_ARENA_MAX", "2"); // as deploy/docker/launcher
    builder.environment().putAll(place.environment());
    return builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  /// Waits until it has its partitions.
  public ServiceProcess ready() throws InterruptedException, IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!answersReady()) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new IllegalStateException("not ready:\n" + Files.readString(log));
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return this;
  }

  private boolean answersReady() throws InterruptedException {
    try {
      return get("/readyz").statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  public HttpResponse<String> get(String path) throws IOException, InterruptedException {
    var uri = URI.create("http://" + place.host() + ":" + port + path);
    return HTTP.send(
        HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /// Where it answers, on loopback.
  public int port() {
    return port;
  }

  /// SIGKILL.
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /// SIGSTOP: it is there and does nothing.
  void stand() throws IOException, InterruptedException {
    Signals.send("STOP", process);
  }

  /// SIGCONT: it goes on as if no time had passed.
  void goOn() throws IOException, InterruptedException {
    Signals.send("CONT", process);
  }

  /// Whether it has ended by itself.
  boolean hasEnded() {
    return !process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  /// SIGTERM.
  int stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(40, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
    return process.exitValue();
  }

  /// Another one in its place.
  public void startAgain() throws IOException {
    process = start();
  }

  /// Its log, with what its threads do, as the JVM says on SIGQUIT.
  void keepLog(Path where) throws IOException, InterruptedException {
    if (process.isAlive()) {
      Signals.send("CONT", process);
      Signals.send("QUIT", process);
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (!Files.readString(log).contains("Full thread dump") && System.nanoTime() < deadline) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
      TimeUnit.SECONDS.sleep(1); // the rest of it
    }
    Files.copy(log, where, StandardCopyOption.REPLACE_EXISTING);
  }

  String log() throws IOException {
    return Files.readString(log);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
