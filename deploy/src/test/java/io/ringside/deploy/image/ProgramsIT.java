package io.ringside.deploy.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.ringside.deploy.Recordings;
import io.ringside.deploy.Repository;
import io.ringside.standalone.broker.EmbeddedBroker;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Both images' content, started with their arguments, as their user, without any capability.
@Timeout(300)
class ProgramsIT {
  private static Path folder;
  private static Path shipper;
  private static Path streams;
  private static EmbeddedBroker broker;
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @BeforeAll
  static void assemble() throws Exception {
    folder = Files.createTempDirectory("ringside-images-");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    shipper = ImageFolder.assemble("shipper", "shipper", folder.resolve("shipper"));
    streams = ImageFolder.assemble("streams", "streams-app", folder.resolve("streams"));
    broker = EmbeddedBroker.start();
  }

  @AfterAll
  static void remove() throws IOException {
    if (broker != null) {
      broker.close();
    }
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void watchAJobTogether() throws Exception {
    var logs = Files.createDirectory(folder.resolve("logs"));
    Recordings.unpack("slowcoll", logs);
    asTheKubeletLeavesThem(logs);
    var state = writable("state");
    var temporary = writable("tmp");
    int page;
    int metrics;
    // open together, so that they differ
    try (var first = new ServerSocket(0);
        var second = new ServerSocket(0)) {
      page = first.getLocalPort();
      metrics = second.getLocalPort();
    }
    var before = files(shipper, streams);

    try (var service =
            Sandbox.start(
                streams.resolve("bin/ringside-streams"),
                temporary,
                Map.of(
                    "RINGSIDE_STATE_DIR", state.resolve("streams").toString(),
                    "POD_IP", "127.0.0.1",
                    "LOG_FORMAT", "json"),
                List.of(
                    "--config="
                        + Repository.path("deploy/kubernetes/overlays/development/streams.yaml"),
                    "--state-dir=" + state.resolve("streams"),
                    "--bootstrap-servers=" + broker.bootstrapServers(),
                    "--http-host=127.0.0.1",
                    "--http-port=" + page));
        var agent =
            Sandbox.start(
                shipper.resolve("bin/ringside-shipper"),
                temporary,
                Map.of(
                    "NODE_NAME", "node-1",
                    "POD_IP", "127.0.0.1",
                    "RINGSIDE_BOOTSTRAP", broker.bootstrapServers(),
                    "LOG_FORMAT", "json"),
                List.of(
                    "--config=" + Repository.path("deploy/kubernetes/base/agent/shipper.yaml"),
                    "--logs=" + logs + "/pods/*/*/*.log",
                    "--checkpoints=" + state.resolve("shipper/checkpoints.json"),
                    "--set=http.port=" + metrics,
                    "--set=gpu.enabled=false"))) {
      try {
        Recordings.await(
            Duration.ofSeconds(90),
            () ->
                Sandbox.get(HTTP, page, "/readyz") == 200
                    && Sandbox.get(HTTP, metrics, "/readyz") == 200
                    && body(page, "/api/findings?kind=straggler").contains("\"ranks\":[6]"));
        assertThat(health(streams, page)).isZero();
        assertThat(health(shipper, metrics)).isZero();
        assertThat(health(shipper, freePort())).isNotZero();
        for (var program : List.of(service, agent)) {
          if (Sandbox.ROOT) {
            assertThat(program.status("Uid")).startsWith(Sandbox.USER + "\t");
            assertThat(program.status("CapEff")).isEqualTo("0000000000000000");
            assertThat(program.status("CapBnd")).isEqualTo("0000000000000000");
            assertThat(program.status("NoNewPrivs")).isEqualTo("1");
          }
          System.out.println(
              "resident at most " + program.status("VmHWM") + ", now " + program.status("VmRSS"));
        }
      } catch (AssertionError e) {
        throw new AssertionError(
            e.getMessage() + "\nservice: " + service.log() + "\nagent: " + agent.log(), e);
      }
      assertThat(agent.stop()).isIn(0, 143);
      assertThat(service.stop()).isIn(0, 143);
      assertThat(agent.log() + service.log())
          .doesNotContain("\"level\":\"ERROR\"")
          .doesNotContain("OutOfMemory");
    }
    assertThat(state.resolve("shipper/checkpoints.json")).exists();
    assertThat(files(shipper, streams)).as("a read-only root").isEqualTo(before);
  }

  /// Group 0 is what lets the agent read logs: without it there is nothing that it may see.
  @Test
  void cannotReadRootsLogsInAnotherGroup() throws Exception {
    assumeThat(Sandbox.ROOT).as("the tests run as root").isTrue();
    var logs = Files.createDirectory(folder.resolve("hidden"));
    Recordings.unpack("slowcoll", logs);
    asTheKubeletLeavesThem(logs);
    int metrics = freePort();

    try (var agent =
        Sandbox.start(
            shipper.resolve("bin/ringside-shipper"),
            Sandbox.USER,
            writable("tmp2"),
            Map.of(),
            List.of(
                "--node=node-1",
                "--bootstrap=" + broker.bootstrapServers(),
                "--logs=" + logs + "/pods/*/*/*.log",
                "--checkpoints=" + writable("state2").resolve("c.json"),
                "--set=http.host=127.0.0.1",
                "--set=http.port=" + metrics,
                "--set=gpu.enabled=false"))) {
      Recordings.await(
          Duration.ofSeconds(60), () -> count(metrics, "ringside_shipper_read_failures_total") > 0);

      assertThat(count(metrics, "ringside_shipper_lines_total")).isZero();
      assertThat(agent.alive()).isTrue();
    }
  }

  /// Plain processes with a class path, nothing of the images' but the jars.
  @Test
  void startFromTheirJarsAlone() throws Exception {
    for (var program :
        Map.of(
                shipper,
                "io.ringside.shipper.ShipperMain",
                streams,
                "io.ringside.streams.StreamsAppMain")
            .entrySet()) {
      var process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  program.getKey().resolve("lib") + "/*",
                  program.getValue(),
                  "--help")
              .redirectErrorStream(true)
              .start();
      assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
          .contains("Usage: ringside-");
      assertThat(process.waitFor()).isZero();
    }
  }

  /// As the images for MSK's IAM login have it: the class cache is used all the same.
  @Test
  void keepTheirClassCacheWithAJarMore() throws Exception {
    var extra = Files.createDirectory(shipper.resolve("extra")).resolve("login.jar");
    var lib = shipper.resolve("lib/a-before-all.jar");
    var any = Repository.files(shipper.resolve("lib"), ".jar").getFirst();
    try {
      Files.copy(any, extra);
      assertThat(startsFromItsCache(shipper)).isTrue();
      // in front of the others it would be another class path
      Files.copy(any, lib);
      assertThat(startsFromItsCache(shipper)).isFalse();
    } finally {
      Files.deleteIfExists(extra);
      Files.deleteIfExists(lib);
      Files.delete(extra.getParent());
    }
  }

  private static boolean startsFromItsCache(Path program) throws Exception {
    var builder =
        new ProcessBuilder(program.resolve("bin/ringside-shipper").toString(), "--help")
            .redirectErrorStream(true);
    builder.environment().put("RINGSIDE_JAVA_OPTS", "-XX:AOTMode=on");
    var process = builder.start();
    var said = new String(process.getInputStream().readAllBytes(), UTF_8);
    return process.waitFor() == 0 && said.contains("Usage: ringside-");
  }

  @Test
  void holdWhatTheyNeedAndNoMore() throws IOException {
    for (var program : List.of(shipper, streams)) {
      assertThat(program.resolve("cache/classes.aot")).isNotEmptyFile();
      assertThat(program.resolve("runtime/bin/jshell")).doesNotExist();
      assertThat(size(program)).isLessThan(200L << 20);
    }
    assertThat(Repository.files(streams.resolve("lib"), ".jar"))
        .noneMatch(jar -> jar.getFileName().toString().startsWith("kafka_2.13"));
    for (var program : List.of(shipper, streams)) {
      // what dependencies bring and no class of it is ever loaded
      assertThat(Repository.files(program.resolve("lib"), ".jar"))
          .extracting(jar -> jar.getFileName().toString())
          .noneMatch(
              jar ->
                  jar.matches(
                      "(rocksdbjni|HdrHistogram|jackson-(core|databind)-2|prometheus-metrics-(core|tracer)).*"));
    }
  }

  /// root:root, files 0640, folders 0755.
  private static void asTheKubeletLeavesThem(Path logs) throws IOException {
    for (var file : Repository.files(logs, ".log")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    }
  }

  private static Path writable(String name) throws IOException {
    var made = Files.createDirectory(folder.resolve(name));
    if (Sandbox.ROOT) {
      Files.setAttribute(made, "unix:uid", Sandbox.USER, LinkOption.NOFOLLOW_LINKS);
    }
    return made;
  }

  private static int health(Path program, int port) throws Exception {
    return new ProcessBuilder(program.resolve("bin/healthcheck").toString(), Integer.toString(port))
        .start()
        .waitFor();
  }

  private static String body(int port, String path) {
    try {
      return HTTP.send(
              java.net.http.HttpRequest.newBuilder(
                      java.net.URI.create("http://127.0.0.1:" + port + path))
                  .build(),
              java.net.http.HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  private static double count(int port, String metric) {
    return body(port, "/metrics")
        .lines()
        .filter(line -> line.startsWith(metric + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElse(-1);
  }

  private static TreeSet<String> files(Path... folders) throws IOException {
    var all = new TreeSet<String>();
    for (var one : folders) {
      try (var files = Files.walk(one)) {
        files.forEach(file -> all.add(file.toString()));
      }
    }
    return all;
  }

  private static long size(Path program) throws IOException {
    long size = 0;
    for (var file : Repository.files(program, "")) {
      size += Files.size(file);
    }
    return size;
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
