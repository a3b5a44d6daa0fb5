package io.ringside.shipper.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.topic.Topics;
import io.ringside.shipper.Shipper;
import io.ringside.shipper.config.ShipperConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

class FaultIT {
  private static final int SCALE = Integer.getInteger("ringside.fault.scale", 1);
  private static final Duration PATIENCE =
      Duration.ofSeconds(Integer.getInteger("ringside.fault.patience", 120));
  @TempDir private Path data;
  @TempDir private Path folder;
  private TestBroker broker;
  private String test;

  @BeforeEach
  void startBroker(TestInfo info) throws Exception {
    test = info.getDisplayName();
    broker = new TestBroker(data);
  }

  @AfterEach
  void stopBroker() {
    broker.close();
  }

  @Test
  void losesNothingWhenKilledDuringRotation() throws Exception {
    var random = new SplittableRandom(11);
    var agent = new AgentProcess(broker.address(), folder + "/*.log", folder.resolve("state/c"));
    try (var writer = new NumberedWriter(folder.resolve("0.log"));
        var audit = new Audit(broker.address())) {
      writer.write(1);
      audit.readUntil(1, PATIENCE);
      for (int kill = 0; kill < 4 * SCALE; kill++) {
        long until = System.nanoTime() + Duration.ofMillis(1200 + random.nextInt(800)).toNanos();
        while (System.nanoTime() < until) {
          writer.write(100 + random.nextInt(400));
          if (random.nextInt(40) == 0) {
            writer.rotate(random.nextInt(200));
          }
          pause(random.nextInt(20));
        }
        agent.killAndStart();
      }
      writer.write(10);
      audit.readUntil(writer.written(), PATIENCE);
      assertThat(agent.stop()).isIn(0, 143);
      assertClean(audit, writer.written());
      assertThat(audit.inOrder()).isTrue();
    }
  }

  @Test
  void losesNothingWhileTheBrokerIsAway() throws Exception {
    var agent = new AgentProcess(broker.address(), folder + "/*.log", folder.resolve("state/c"));
    try (var writer = new NumberedWriter(folder.resolve("0.log"))) {
      writer.write(5_000);
      // a file that is rotated away before an agent has ever seen it is none of its own
      try (var before = new Audit(broker.address()).readUntil(writer.written(), PATIENCE)) {
        assertThat(before.lostOf(writer.written())).isZero();
      }
      broker.goAway();
      for (int i = 0; i < 40 * SCALE; i++) {
        writer.write(2_000);
        pause(100);
        if (i % 15 == 10) {
          writer.rotate(10);
        }
      }
      broker.comeBack();
      writer.write(10);
      try (var audit = new Audit(broker.address()).readUntil(writer.written(), PATIENCE)) {
        assertThat(agent.isAlive()).isTrue();
        assertClean(audit, writer.written());
        assertThat(audit.inOrder()).isTrue();
      }
    } finally {
      agent.stop();
    }
  }

  @Test
  void startsWithoutABrokerAndKeepsNothingBack() throws Exception {
    broker.goAway();
    var agent = new AgentProcess(broker.address(), folder + "/*.log", folder.resolve("state/c"));
    try (var writer = new NumberedWriter(folder.resolve("0.log"))) {
      writer.write(100_000);
      pause(4_000);
      broker.comeBack();
      try (var audit = new Audit(broker.address()).readUntil(writer.written(), PATIENCE)) {
        assertClean(audit, writer.written());
      }
    } finally {
      agent.stop();
    }
  }

  @Test
  void readsTheCopiesOfTruncatedFiles() throws Exception {
    var agent = new AgentProcess(broker.address(), folder + "/*.log", folder.resolve("state/c"));
    try (var writer = new NumberedWriter(folder.resolve("app.log"));
        var audit = new Audit(broker.address())) {
      writer.write(1);
      audit.readUntil(1, PATIENCE);
      for (int i = 0; i < 6 * SCALE; i++) {
        for (int k = 0; k < 10; k++) {
          writer.write(300);
          pause(20);
        }
        writer.copyTruncate();
      }
      writer.write(10);
      audit.readUntil(writer.written(), PATIENCE);
      assertClean(audit, writer.written());
    } finally {
      agent.stop();
    }
  }

  @Test
  void shipsOnWhileTheDiskOfTheCheckpointsIsFull() throws Exception {
    Path state = folder.resolve("state/c");
    var agent = new AgentProcess(broker.address(), folder + "/*.log", state);
    try (var writer = new NumberedWriter(folder.resolve("0.log"));
        var audit = new Audit(broker.address())) {
      writer.write(1_000);
      audit.readUntil(1_000, PATIENCE);
      writer.rotate(50);
      writer.write(1_000);
      audit.readUntil(writer.written(), PATIENCE);
      until(() -> Files.exists(state));
      // whatever is written to this device fails with ENOSPC
      Path fresh = folder.resolve("state/c.new");
      until(() -> placed(fresh, Path.of("/dev/full"), agent));
      for (int i = 0; i < 20; i++) {
        writer.write(500);
        pause(100);
      }
      audit.readUntil(writer.written(), PATIENCE);
      until(() -> Files.readString(agent.log()).contains("No space left on device"));
      long repeatedBefore = audit.repeatedRaw;
      agent.killAndStart();
      writer.write(500);
      audit.readUntil(writer.written(), PATIENCE);
      assertThat(repeatedBefore).isZero();
      assertClean(audit, writer.written());
      Files.delete(fresh);
      var before = Files.getLastModifiedTime(state);
      writer.write(500);
      audit.readUntil(writer.written(), PATIENCE);
      until(() -> Files.getLastModifiedTime(state).compareTo(before) > 0);
      assertThat(agent.isAlive()).isTrue();
      assertClean(audit, writer.written());
    } finally {
      agent.stop();
    }
  }

  @Test
  void aClockThatJumpsBackAnHourLosesNothing() throws Exception {
    var jump = new AtomicReference<>(Duration.ZERO);
    InstantSource clock = () -> InstantSource.system().instant().plus(jump.get());
    var config =
        ShipperConfig.read(
            null,
            Map.of(
                "node",
                "n1",
                "kafka.bootstrap.servers",
                broker.address(),
                "logs.globs",
                folder + "/*.log",
                "logs.checkpoints",
                folder + "/state/c",
                "gpu.enabled",
                "false",
                "http.enabled",
                "false"),
            name -> null);
    try (var writer = new NumberedWriter(folder.resolve("0.log"));
        var audit = new Audit(broker.address())) {
      for (int start = 0; start < 2; start++) {
        try (var _ = Shipper.start(config, clock, System::nanoTime)) {
          writer.write(2_000);
          audit.readUntil(writer.written(), PATIENCE);
          jump.set(jump.get().minus(Duration.ofHours(1)));
          writer.write(2_000);
          writer.rotate(100);
          writer.write(2_000);
          audit.readUntil(writer.written(), PATIENCE);
        }
        writer.write(500);
        jump.set(jump.get().minus(Duration.ofHours(1)));
      }
      try (var _ = Shipper.start(config, clock, System::nanoTime)) {
        writer.rotate(100);
        writer.write(500);
        audit.readUntil(writer.written(), PATIENCE);
      }
      assertClean(audit, writer.written());
      assertThat(audit.inOrder()).isTrue();
      assertThat(audit.epochsRise()).isTrue();
    }
  }

  @Test
  void aShortSoakIsFlatInMemoryAndDescriptors() throws Exception {
    var agent = new AgentProcess(broker.address(), folder + "/*.log", folder.resolve("state/c"));
    try (var writer = new NumberedWriter(folder.resolve("0.log"));
        var audit = new Audit(broker.address())) {
      writer.write(1);
      audit.readUntil(1, PATIENCE);
      long memory = 0;
      long descriptors = 0;
      int rounds = 90 * SCALE;
      for (int i = 0; i < rounds; i++) {
        writer.write(500);
        pause(100);
        if (i % 30 == 29) {
          writer.rotate(20);
        }
        if (i == rounds / 2) {
          memory = agent.residentKib();
          descriptors = agent.openFiles();
        }
      }
      audit.readUntil(writer.written(), PATIENCE);
      assertClean(audit, writer.written());
      assertThat(agent.openFiles()).isLessThanOrEqualTo(descriptors + 8);
      assertThat(agent.residentKib()).isLessThan(memory + (24 << 10));
    } finally {
      agent.stop();
    }
  }

  @Test
  void takesOverOtherGlobsWhileItRuns() throws Exception {
    Path file = folder.resolve("shipper.yaml");
    Files.writeString(file, "logs: {globs: ['%s/a*.log']}".formatted(folder));
    Map<String, String> flags =
        Map.of(
            "node", "n1",
            "kafka.bootstrap.servers", broker.address(),
            "logs.checkpoints", folder + "/state/c",
            "gpu.enabled", "false",
            "http.enabled", "false");
    Supplier<ShipperConfig> reading = () -> ShipperConfig.read(file, flags, name -> null);
    line(folder.resolve("a.log"), 0);
    line(folder.resolve("b.log"), 1);
    try (var audit = new Audit(broker.address());
        var _ = Shipper.start(reading.get(), file, reading)) {
      audit.readUntil(1, PATIENCE);
      replace(file, "logs: {globs: ['%s/b*.log'}".formatted(folder));
      line(folder.resolve("a.log"), 2);
      audit.readUntil(2, PATIENCE);
      replace(file, "logs: {globs: ['%s/b*.log']}".formatted(folder));
      audit.readUntil(3, PATIENCE);
      line(folder.resolve("b.log"), 3);
      audit.readUntil(4, PATIENCE);
      assertClean(audit, 4);
    }
  }

  @Test
  void followsTwoThousandFiles() throws Exception {
    int files = 2_000;
    for (int i = 0; i < files; i++) {
      Path pod = folder.resolve("ns_pod-%d_uid/trainer".formatted(i));
      Files.createDirectories(pod);
      line(pod.resolve("0.log"), i);
    }
    var agent =
        new AgentProcess(broker.address(), folder + "/*/*/*.log", folder.resolve("state/c"));
    try (var audit = new Audit(broker.address())) {
      audit.readUntil(files, PATIENCE);
      for (int i = 0; i < files; i++) {
        line(folder.resolve("ns_pod-%d_uid/trainer/0.log".formatted(i)), files + i);
      }
      audit.readUntil(2 * files, PATIENCE);
      assertClean(audit, 2 * files);
    } finally {
      agent.stop();
    }
  }

  @Test
  void aLineOfTwoHundredMegabytesStopsNothing() throws Exception {
    Path log = folder.resolve("0.log");
    line(log, 0);
    try (var out = Files.newOutputStream(log, StandardOpenOption.APPEND)) {
      byte[] piece = "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < 200; i++) {
        out.write(piece);
      }
      out.write('\n');
    }
    line(log, 1);
    var agent = new AgentProcess(broker.address(), log.toString(), folder.resolve("state/c"));
    try (var audit = new Audit(broker.address()).readUntil(2, PATIENCE)) {
      assertClean(audit, 2);
      var chunks =
          Audit.records(
              broker.address(),
              Topics.LOGS,
              all -> all.stream().anyMatch(chunk -> chunk.cut().length == 1),
              PATIENCE);
      assertThat(chunks).anyMatch(chunk -> chunk.cut().length == 1);
    } finally {
      agent.stop();
    }
  }

  /// Puts a link in the place of a file that the agent writes, unless it is writing it.
  private static boolean placed(Path link, Path target, AgentProcess agent) throws Exception {
    agent.signal("STOP");
    try {
      until(agent::isStopped);
      if (Files.exists(link)) {
        return false;
      }
      Files.createSymbolicLink(link, target);
      return true;
    } finally {
      agent.signal("CONT");
    }
  }

  /// As an editor does it, so that nobody reads half of it.
  private static void replace(Path file, String text) throws IOException {
    var next = Files.writeString(file.resolveSibling("next"), text);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private void assertClean(Audit audit, int written) {
    System.err.println(test + ": " + audit.report(written));
    String report = audit.report(written) + "\n" + agentLog();
    assertThat(audit.lostOf(written)).as(report).isZero();
    assertThat(audit.repeatedAfterOffsets).as(report).isZero();
    assertThat(audit.gaps).as(report).isZero();
  }

  private String agentLog() {
    try {
      return Files.readString(folder.resolve("state/agent.err"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static void line(Path file, int number) throws IOException {
    Files.writeString(
        file, "#" + number + " line\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static void until(Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      Thread.sleep(20);
    }
  }

  /// Time that belongs to the scenario; nothing waits for its end.
  private static void pause(long millis) throws InterruptedException {
    Thread.sleep(millis);
  }
}
