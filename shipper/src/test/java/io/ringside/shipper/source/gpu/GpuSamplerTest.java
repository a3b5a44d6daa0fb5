package io.ringside.shipper.source.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.GpuSensor.State;
import io.ringside.shipper.source.gpu.GpuSampler.Timing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class GpuSamplerTest {
  private static final Timing QUICK =
      new Timing(
          Duration.ofMillis(100),
          Duration.ofMillis(400),
          Duration.ofMillis(20),
          Duration.ofMillis(50));

  /// For children that are not meant to be killed.
  private static final Timing PATIENT =
      new Timing(QUICK.interval(), Duration.ofMinutes(1), QUICK.firstRetry(), QUICK.lastRetry());

  /// In one write: rows that come apart are two polls.
  private static final String POLL =
      """
      printf '%s\\n' 'timestamp, index, pci.bus_id, power.draw [W]' \\
        '2026/11/20 20:27:26.054, 0, 00000000:00:06.0, 81.29' \\
        '2026/11/20 20:27:26.068, 1, 00000000:00:07.0, [Unknown Error]'
      """;

  @TempDir private Path folder;
  private final List<GpuSample> samples = new CopyOnWriteArrayList<>();
  private final GpuCounts counts = new GpuCounts();

  @Test
  void givesAPollAsSoonAsItIsWholeAndTheNextOneFromTheSameChild() throws Exception {
    try (var sampler = sampler(POLL + "sleep 0.3\n" + POLL + "exec sleep 60", PATIENT)) {
      await(() -> samples.size() >= 2);
      assertThat(counts.restarts.sum()).isZero();
      assertThat(samples.getFirst().at()).isEqualTo("2026-11-20T20:27:26.054Z");
      assertThat(samples.getFirst().gpus()).hasSize(2);
      assertThat(samples.getFirst().gpus().getLast().error()).contains("Unknown Error");
      assertThat(sampler.lastBeatNanos()).isPositive();
      assertThat(sampler.sensor().state()).isEqualTo(State.OK);
      assertThat(sampler.sensor().ageSeconds()).isNotNegative();
    }
  }

  @Test
  void startsAChildThatEndedAgain() throws Exception {
    try (var _ = sampler(POLL)) {
      await(() -> samples.size() >= 3);
      assertThat(counts.restarts.sum()).isGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void killsAChildThatHangs() throws Exception {
    try (var _ = sampler(POLL + "exec sleep 60")) {
      await(() -> samples.size() >= 2);
      assertThat(counts.stalls.sum()).isPositive();
    }
  }

  @Test
  void saysThatItStallsWhileTheChildIsSilent() throws Exception {
    try (var sampler = sampler("exec sleep 60")) {
      await(() -> sampler.sensor().state() == State.STALLED);
      assertThat(sampler.sensor().ageSeconds()).isNull();
      assertThat(sampler.sensor().reason()).contains("says nothing");
    }
  }

  @Test
  void saysWhatAChildSaidThatFails() throws Exception {
    try (var sampler =
        sampler("echo 'Failed to initialize NVML: Driver/library version mismatch'", PATIENT)) {
      await(() -> sampler.sensor().state() == State.FAILING);
      assertThat(sampler.sensor().reason()).contains("version mismatch");
    }
  }

  @Test
  void takesAnOlderNameWhenTheDriverDoesNotKnowTheNewOne() throws Exception {
    try (var _ =
        sampler(
            """
            case "$*" in
              *clocks_event_reasons*) echo 'Field "clocks_event_reasons.active" is not a valid field to query.'; exit 2;;
              *clocks_throttle_reasons*)
            """
                + POLL
                + ";;\nesac\n")) {
      await(() -> !samples.isEmpty());
      assertThat(samples.getFirst().gpus()).hasSize(2);
    }
  }

  @Test
  void asksOnlyForFieldsThatTheHelpNames() {
    var fields = NvidiaSmi.Fields.of("\"timestamp\"\n\"index\"\n\"power.draw.instant\"\n");
    assertThat(fields.names()).containsExactly("timestamp", "index", "power.draw.instant");
  }

  @Test
  void survivesGarbageAndAMissingProgram() throws Exception {
    try (var _ = sampler("printf 'NVIDIA-SMI has failed because\\n\\377\\376 it could not\\n'")) {
      await(() -> counts.restarts.sum() >= 2);
    }
    var missing =
        new GpuSampler(
            "c",
            "n",
            new NvidiaSmi("/no/such/nvidia-smi"),
            QUICK,
            samples::add,
            counts,
            System::nanoTime);
    missing.start();
    long beat = missing.lastBeatNanos();
    await(() -> missing.lastBeatNanos() > beat);
    await(() -> missing.sensor().state() == State.MISSING);
    assertThat(missing.sensor().reason()).contains("/no/such/nvidia-smi");
    missing.close();
    assertThat(samples).isEmpty();
  }

  private GpuSampler sampler(String body) throws IOException {
    return sampler(body, QUICK);
  }

  private GpuSampler sampler(String body, Timing timing) throws IOException {
    Path script = folder.resolve("nvidia-smi");
    Files.writeString(script, "#!/bin/sh\n[ \"$1\" = --help-query-gpu ] && exit 3\n" + body + "\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    var sampler =
        new GpuSampler(
            "c",
            "n",
            new NvidiaSmi(script.toString()),
            timing,
            samples::add,
            counts,
            System::nanoTime);
    sampler.start();
    return sampler;
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      Thread.sleep(10);
    }
  }
}
