package io.ringside.deploy.image;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A process that runs as in its container, as far as that goes without one: another user, no
/// capability, no new privileges, a working folder that it cannot write. The tests must run as root
/// for that; where they do not, the process runs as whoever runs them and only the folder is out of
/// reach.
final class Sandbox implements AutoCloseable {
  static final boolean ROOT =
      "root".equals(System.getProperty("user.name"))
          && Files.isExecutable(Path.of("/usr/bin/setpriv"));
  static final int USER = 10_001;

  private final Process process;
  private final Path log;

  private Sandbox(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /// @param temporary the one folder for temporary files
  static Sandbox start(
      Path program, Path temporary, Map<String, String> environment, List<String> arguments)
      throws IOException {
    return start(program, 0, temporary, environment, arguments);
  }

  static Sandbox start(
      Path program,
      int group,
      Path temporary,
      Map<String, String> environment,
      List<String> arguments)
      throws IOException {
    var command = new ArrayList<String>();
    if (ROOT) {
      command.addAll(
          List.of(
              "/usr/bin/setpriv",
              "--reuid=" + USER,
              "--regid=" + group,
              "--clear-groups",
              "--no-new-privs",
              "--bounding-set=-all",
              "--inh-caps=-all"));
    }
    command.add(program.toString());
    command.addAll(arguments);
    var log = Files.createTempFile("sandbox", ".log");
    var builder =
        new ProcessBuilder(command)
            .directory(Path.of("/").toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", "/usr/bin:/bin");
    builder.environment().put("RINGSIDE_JAVA_OPTS", "-Djava.io.tmpdir=" + temporary);
    builder.environment().putAll(environment);
    return new Sandbox(builder.start(), log);
  }

  boolean alive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /// Asks it to stop, as a container runtime does.
  int stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    return process.waitFor();
  }

  /// What the kernel says about the process: `Uid`, `CapEff`, `NoNewPrivs`, `VmHWM`.
  String status(String key) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + pid() + "/status")).stream()
        .filter(line -> line.startsWith(key + ":"))
        .map(line -> line.substring(key.length() + 1).strip())
        .findFirst()
        .orElseThrow();
  }

  static int get(HttpClient client, int port, String path) {
    try {
      return client
          .send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
              HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (IOException e) {
      return -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Files.deleteIfExists(log);
  }
}
