package io.ringside.benchmarks.service;

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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The streams service as a process of its own, with a state folder and a port of its own.
final class Service implements AutoCloseable {
  private final Child process;
  private final int port;

  private Service(Child process, int port) {
    this.process = process;
    this.port = port;
  }

  /// Starts it over topics that are there, with the options of its image where
  /// `-Dbench.service.image` names their file.
  ///
  /// @param cpus as `taskset -c` takes them, one for each stream thread
  /// @param heap as `-Xmx` takes it; options of `-Dbench.service.options` come after
  static Service start(String cpus, String heap, String bootstrap, String application)
      throws IOException {
    var state = Files.createTempDirectory("ringside-bench");
    var config = state.resolve("streams.yaml");
    int threads = cpus.split(",", -1).length;
    Files.writeString(
        config, "processing: {threads: %d}\ntopics: {create: false}\n".formatted(threads));
    var options = new ArrayList<>(ofImage());
    options.add("-Xmx" + heap);
    options.addAll(List.of(System.getProperty("bench.service.options", "").split(" ")));
    options.removeIf(String::isEmpty);
    int port = freePort();
    return new Service(
        Child.start(
            cpus,
            options,
            StreamsAppMain.class,
            List.of(
                "--config=" + config,
                "--bootstrap-servers=" + bootstrap,
                "--application-id=" + application,
                "--state-dir=" + state,
                "--http-port=" + port)),
        port);
  }

  private static List<String> ofImage() throws IOException {
    var file = System.getProperty("bench.service.image", "");
    if (file.isEmpty()) {
      return List.of();
    }
    var options = new ArrayList<>(List.of("-XX:-UseSerialGC"));
    Files.readAllLines(Path.of(file)).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .forEach(options::add);
    return options;
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  Child process() {
    return process;
  }

  /// Returns once it has its partitions.
  void awaitReady() throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz")).build();
      for (int attempt = 0; attempt < 600; attempt++) {
        try {
          if (client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) {
            return;
          }
        } catch (IOException e) {
          // not listening yet
        }
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
    throw new IOException("the service did not get ready");
  }

  @Override
  public void close() {
    process.close();
  }
}
