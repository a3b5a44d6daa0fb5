package io.ringside.lab.fleet;

import io.ringside.schemas.topic.Topics;
import io.ringside.standalone.broker.EmbeddedBroker;
import io.ringside.standalone.broker.KeptFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/// A broker in a process of its own, so that it may end by a full disk. It has a listener for each
/// wire, whose address it gives to whoever comes over it.
final class BrokerProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Path folder;
  private final int port = ServiceProcess.freePort();
  private final List<Wire> wires = new ArrayList<>();
  private final Disk disk;
  private Process process;

  /// Starts it with Ringside's topics.
  ///
  /// @param near where instances find their wires, one for each
  /// @param disk where the folder is
  BrokerProcess(Path folder, int partitions, List<InetAddress> near, Disk disk)
      throws IOException, InterruptedException {
    this.folder = folder;
    this.disk = disk;
    // it is formatted, and has its topics, by the time that the process has it
    try (var first = EmbeddedBroker.in(KeptFolder.take(folder).orElseThrow())) {
      first.createTopics(Topics.ALL, partitions, Map.of());
    }
    var ports = new ArrayList<Integer>();
    for (var address : near) {
      int listener = ServiceProcess.freePort();
      ports.add(listener);
      wires.add(new Wire(address, listener));
    }
    try (OutputStream out = Files.newOutputStream(folder.resolve("server.properties"))) {
      settings(ports).store(out, null);
    }
    process = start();
    awaitUp();
  }

  private Properties settings(List<Integer> ports) throws IOException {
    int controller = ServiceProcess.freePort();
    var listeners = new StringBuilder("PLAINTEXT://127.0.0.1:" + port);
    var advertised = new StringBuilder(listeners);
    var protocols = new StringBuilder("PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    for (int i = 0; i < ports.size(); i++) {
      listeners.append(",WIRE").append(i).append("://127.0.0.1:").append(ports.get(i));
      advertised.append(",WIRE").append(i).append("://").append(wires.get(i).address());
      protocols.append(",WIRE").append(i).append(":PLAINTEXT");
    }
    var settings = new Properties();
    settings.putAll(
        Map.of(
            "process.roles",
            "broker,controller",
            "node.id",
            "1",
            "controller.listener.names",
            "CONTROLLER",
            "controller.quorum.voters",
            "1@127.0.0.1:" + controller,
            "listeners",
            listeners + ",CONTROLLER://127.0.0.1:" + controller,
            "advertised.listeners",
            advertised.toString(),
            "listener.security.protocol.map",
            protocols.toString(),
            "inter.broker.listener.name",
            "PLAINTEXT",
            "log.dirs",
            folder.resolve("data").toString(),
            "message.max.bytes",
            Integer.toString(5 << 20)));
    settings.putAll(
        Map.of(
            "offsets.topic.replication.factor", "1",
            "offsets.topic.num.partitions", "1",
            "transaction.state.log.replication.factor", "1",
            "transaction.state.log.num.partitions", "1",
            "transaction.state.log.min.isr", "1",
            "group.initial.rebalance.delay.ms", "0",
            "auto.create.topics.enable", "false",
            "log.index.size.max.bytes", Integer.toString(1 << 20),
            "log.cleaner.dedupe.buffer.size", Integer.toString(2 << 20),
            "metric.reporters", ""));
    return settings;
  }

  private Process start() throws IOException {
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "-Xmx320m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            "kafka.Kafka",
            folder.resolve("server.properties").toString())
        .redirectErrorStream(true)
        // not in its folder, whose disk may be full
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private void awaitUp() throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try (var admin = admin()) {
      while (true) {
        try {
          admin.describeCluster().nodes().get(2, TimeUnit.SECONDS);
          return;
        } catch (ExecutionException | TimeoutException e) {
          if (!process.isAlive() || System.nanoTime() > deadline) {
            throw new IllegalStateException("the broker does not start", e);
          }
        }
      }
    }
  }

  /// For those who are never cut off.
  String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  Wire wire(int instance) {
    return wires.get(instance);
  }

  Admin admin() {
    return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers()));
  }

  /// Lets its disk be full until it ends by that.
  void endByAFullDisk() throws IOException, InterruptedException {
    disk.fill(process);
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("the broker lives on a full disk");
    }
  }

  /// Makes room, and starts it again.
  void startAgain() throws IOException, InterruptedException {
    disk.free();
    process = start();
    awaitUp();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    for (var wire : wires) {
      wire.close();
    }
  }
}
