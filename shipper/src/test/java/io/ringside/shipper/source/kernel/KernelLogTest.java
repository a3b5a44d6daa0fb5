package io.ringside.shipper.source.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.UnreachedWitness;
import io.ringside.shipper.source.WitnessReachability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class KernelLogTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  private static final Duration UPTIME = Duration.ofHours(1);
  private static final String XID =
      "NVRM: Xid (PCI:0000:9b:00): 79, pid=2024, name=python3, GPU has fallen off the bus.";

  private final KernelCounts counts = new KernelCounts();
  private final WitnessReachability reachability = new WitnessReachability(() -> NOW);
  private final BlockingQueue<LogChunk> sent = new LinkedBlockingQueue<>();

  @Test
  void handsOnTheDriversLinesAndNoOthers() throws Exception {
    follow(
        record(6, 10, 3_590, "systemd[1]: password is hunter2"),
        record(3, 11, 3_595, XID),
        record(12, 12, 3_596, XID), // a program that writes to the device
        record(4, 13, 3_597, "nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 20034, Fatal, Link 28"),
        record(4, 14, 3_598, "nvidia: loading out-of-tree module taints kernel."),
        record(4, 15, 3_599, "NVRM: knvlinkUpdateLink: NVLink 3 is down\n SUBSYSTEM=pci"));

    assertThat(sent)
        .extracting(chunk -> chunk.text().toString())
        .containsExactly(
            "[ 3595.000000] " + XID,
            "[ 3597.000000] nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 20034, Fatal, Link 28",
            "[ 3599.000000] NVRM: knvlinkUpdateLink: NVLink 3 is down");
    assertThat(sent)
        .first()
        .satisfies(
            chunk -> {
              assertThat(chunk.source().speaksOfNode()).isTrue();
              assertThat(chunk.timeNanos(0)).isEqualTo(Nanos.of(NOW.minusSeconds(5)));
              assertThat(chunk.offset(0)).isEqualTo(11);
            });
  }

  @Test
  void leavesOutWhatIsLongPast() throws Exception {
    follow(record(3, 11, 100, XID), record(3, 12, 3_500, XID));

    assertThat(sent).extracting(chunk -> chunk.offset(0)).containsExactly(12L);
  }

  @Test
  void goesOnBehindAnOverrunAndCountsIt() throws Exception {
    follow(
        record(3, 11, 3_595, XID),
        "", // EPIPE
        record(3, 111, 3_596, XID));

    assertThat(sent).extracting(chunk -> chunk.offset(0)).containsExactly(11L, 111L);
    assertThat(counts.overrun.sum()).isEqualTo(99);
    assertThat(counts.failures.sum()).isZero();
  }

  @Test
  void dropsAndCountsWhatIsTooMuch() throws Exception {
    var records = new ArrayList<String>();
    for (int i = 0; i < 1_000; i++) {
      records.add(record(3, 11 + i, 3_595, XID));
    }
    follow(records.toArray(String[]::new));

    assertThat(sent).hasSize(240);
    assertThat(counts.dropped.sum()).isEqualTo(760);
  }

  @Test
  void survivesGarbage() throws Exception {
    var random = new Random(7);
    var records = new ArrayList<String>();
    for (int i = 0; i < 500; i++) {
      var bytes = new byte[1 + random.nextInt(9_000)];
      random.nextBytes(bytes);
      records.add("3," + new String(bytes, UTF_8));
    }
    records.add("999999999999,1,2,-;" + XID);
    records.add("3,99999999999999999999,2,-;" + XID);
    records.add(record(3, 12, 3_595, XID + "\u0007\u001b[31m" + "x".repeat(5_000)));
    follow(records.toArray(String[]::new));

    assertThat(sent)
        .singleElement()
        .satisfies(
            chunk ->
                assertThat(chunk.text().toString())
                    .hasSizeLessThanOrEqualTo(1_024)
                    .doesNotContain("\u001b"));
  }

  @Test
  void refusesALink(@TempDir Path folder) throws IOException {
    var secret = Files.writeString(folder.resolve("secret"), record(3, 1, 1, XID));
    var link = Files.createSymbolicLink(folder.resolve("kmsg"), secret);

    assertThatThrownBy(() -> KernelDevice.open(link)).isInstanceOf(IOException.class);
  }

  @Test
  void countsADeviceThatIsNotThereAndStops(@TempDir Path folder) throws Exception {
    var tried = new CountDownLatch(1);
    var log =
        log(
            () -> {
              tried.countDown();
              return KernelDevice.open(folder.resolve("none"));
            });
    log.start();
    assertThat(tried.await(10, TimeUnit.SECONDS)).isTrue();
    log.close();

    assertThat(counts.failures.sum()).isEqualTo(1);
  }

  /// A pod without the right to open the device, and one that may open it and not read it.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void tellsADeviceThatItMayNotReadUntilItMay(boolean opens) throws Exception {
    var tries = new AtomicInteger();
    var asked = new AtomicReference<@Nullable List<UnreachedWitness>>();
    var log =
        log(
            () -> {
              if (!opens && tries.get() < 2) {
                tries.incrementAndGet();
                throw new AccessDeniedException("/dev/kmsg");
              }
              return new KernelDevice() {
                @Override
                public int read(ByteBuffer into) throws IOException {
                  // three in a row are one failure
                  if (opens && tries.get() < 6) {
                    tries.incrementAndGet();
                    throw new IOException("Operation not permitted");
                  }
                  if (asked.compareAndSet(null, reachability.unreached())) {
                    into.put(record(3, 11, 3_595, XID).getBytes(UTF_8));
                    return into.position();
                  }
                  await();
                  return 0;
                }

                @Override
                public void close() {}
              };
            },
            new KernelLog.Limits(Duration.ofMillis(1), Duration.ofMinutes(10), 240));
    log.start();
    sent.take();
    log.close();

    assertThat(asked.get())
        .containsExactly(
            new UnreachedWitness("kernel log", "may not read /dev/kmsg", false, 2, NOW, NOW));
    assertThat(reachability.unreached()).isEmpty();
  }

  /// Plays the records, waits until the device is asked for one more, looks whether that wait
  /// counts as life, and closes.
  private void follow(String... records) throws Exception {
    var left = new LinkedBlockingQueue<>(List.of(records));
    var exhausted = new CountDownLatch(1);
    var log =
        log(
            () ->
                new KernelDevice() {
                  @Override
                  public int read(ByteBuffer into) throws IOException {
                    var record = left.poll();
                    if (record == null) {
                      exhausted.countDown();
                      await();
                    }
                    if (record == null || record.isEmpty()) {
                      throw new IOException("Broken pipe");
                    }
                    into.put(record.getBytes(UTF_8), 0, Math.min(8_192, record.length()));
                    return into.position();
                  }

                  @Override
                  public void close() {}
                });
    log.start();
    assertThat(exhausted.await(20, TimeUnit.SECONDS)).isTrue();
    log.close();
  }

  private static void await() throws IOException {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      throw new ClosedByInterruptException();
    }
  }

  private KernelLog log(KernelDevice.Opening device) {
    return log(device, KernelLog.Limits.USUAL);
  }

  private KernelLog log(KernelDevice.Opening device, KernelLog.Limits limits) {
    return new KernelLog(
        "east",
        "n1",
        device,
        UPTIME,
        limits,
        sent::add,
        counts,
        reachability.contact(UnreachedWitness.KERNEL_LOG),
        () -> NOW,
        () -> 0); // no read takes long
  }

  private static String record(int priority, long sequence, long seconds, String text) {
    return "%d,%d,%d,-;%s\n".formatted(priority, sequence, seconds * 1_000_000, text);
  }
}
