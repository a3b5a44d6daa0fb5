package io.ringside.shipper.source.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.PcieLink;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NvidiaSmiCsvTest {
  private static final String HEADER =
      "timestamp, index, uuid, pci.bus_id, name, utilization.gpu [%], utilization.memory [%],"
          + " memory.used [MiB], memory.total [MiB], power.draw [W], enforced.power.limit [W],"
          + " temperature.gpu, temperature.memory, clocks.current.sm [MHz],"
          + " clocks.current.memory [MHz], clocks.max.sm [MHz], clocks_event_reasons.active,"
          + " ecc.errors.uncorrected.volatile.total, pcie.link.gen.current,"
          + " pcie.link.width.current, pstate";

  @Test
  void aPcieLinkIsToldWithoutTheGenerationThatItCanHave() {
    var samples =
        read(
            "timestamp, index, pci.bus_id, utilization.gpu [%], pcie.link.gen.current,"
                + " pcie.link.width.current, pcie.link.width.max",
            "2026/11/05 09:01:40.586, 2, 00000000:52:00.0, 100 %, 5, 4, 16");
    assertThat(samples.getFirst().gpus().getFirst().pcie()).isEqualTo(new PcieLink(5, 5, 4, 16));
  }

  @Test
  void aPcieLinkIsToldWithoutWhatItCanHave() {
    var samples =
        read(
            "timestamp, index, pci.bus_id, utilization.gpu [%], pcie.link.gen.current,"
                + " pcie.link.width.current",
            "2026/11/05 09:01:40.586, 2, 00000000:52:00.0, 100 %, 1, 4");
    assertThat(samples.getFirst().gpus().getFirst().pcie()).isEqualTo(new PcieLink(1, 1, 4, 0));
  }

  @Test
  void aGpuThatCannotBeReachedIsARowWithAnError() {
    var samples =
        read(
            "timestamp, index, uuid, pci.bus_id, name, utilization.gpu [%]",
            "2026/11/05 09:01:40.586, 2, GPU-c2, 00000000:52:00.0, NVIDIA H100 80GB HBM3, 100",
            "2026/11/05 09:01:40.591, 3, GPU-c3, 00000000:61:00.0, NVIDIA H100 80GB HBM3, 100",
            "2026/11/05 09:01:41.586, 2, GPU-c2, 00000000:52:00.0, NVIDIA H100 80GB HBM3, 100",
            "Unable to determine the device handle for GPU3: 0000:61:00.0: Unknown Error",
            "2026/11/05 09:01:42.586, 2, GPU-c2, 00000000:52:00.0, NVIDIA H100 80GB HBM3, 0",
            "Unable to determine the device handle for GPU 0000:61:00.0: GPU is lost.  Reboot the"
                + " system to recover this GPU");
    assertThat(samples).hasSize(3);
    assertThat(samples.get(0).gpus()).extracting(GpuReading::error).containsOnlyNulls();
    assertThat(samples.get(1).gpus())
        .extracting(GpuReading::busId)
        .containsExactly("0000:52:00.0", "0000:61:00.0");
    assertThat(samples.get(1).gpus().getLast().index()).isEqualTo(3);
    assertThat(samples.get(1).gpus().getLast().error())
        .isEqualTo("nvidia-smi cannot reach it: Unknown Error");
    assertThat(samples.get(2).gpus().getLast().error())
        .startsWith("nvidia-smi cannot reach it: GPU is lost.");
  }

  @Test
  void keepsOneRowOfPollsThatReachNoGpu() {
    var lost = "Unable to determine the device handle for GPU 0000:61:00.0: Unknown Error";
    var samples =
        read(
            "timestamp, index, uuid, pci.bus_id",
            lost,
            lost,
            lost,
            "2026/11/05 09:01:40.586, 2, GPU-c2, 00000000:52:00.0");
    assertThat(samples).singleElement().satisfies(sample -> assertThat(sample.gpus()).hasSize(2));
  }

  @Test
  void readsARecordingOfH200s() {
    var samples =
        read(
            HEADER,
            "2026/11/20 20:27:26.054, 0, GPU-af452540-dc2b-93eb-4f3e-609895baa287,"
                + " 00000000:00:06.0, NVIDIA H200, 0, 0, 0, 143771, 81.29, 700.00, 37, 37, 345,"
                + " 3201, 1980, 0x0000000000000001, 0, 5, 16, P0",
            "2026/11/20 20:27:26.068, 1, GPU-51663807-4735-994d-9287-a1acfad22009,"
                + " 00000000:00:07.0, NVIDIA H200, 0, 0, 0, 143771, 82.43, 700.00, 34, 37, 345,"
                + " 3201, 1980, 0x0000000000000001, 0, 5, 16, P0",
            "2026/11/20 20:27:26.610, 0, GPU-af452540-dc2b-93eb-4f3e-609895baa287,"
                + " 00000000:00:06.0, NVIDIA H200, 99, 0, 0, 143771, 561.30, 700.00, 37, 37, 1980,"
                + " 3201, 1980, 0x0000000000000000, 0, 5, 16, P0");
    assertThat(samples).hasSize(2);
    assertThat(samples.getFirst().at()).isEqualTo(Instant.parse("2026-11-20T20:27:26.054Z"));
    assertThat(samples.getFirst().gpus()).hasSize(2);
    assertThat(samples.getFirst().gpus().getFirst())
        .isEqualTo(
            new GpuReading(
                0,
                "0000:00:06.0",
                "GPU-af452540-dc2b-93eb-4f3e-609895baa287",
                "NVIDIA H200",
                0.0,
                0.0,
                143771.0,
                81.29,
                700.0,
                37.0,
                345.0,
                1980.0,
                1L,
                0L,
                null,
                new PcieLink(5, 5, 16, 0)));
    assertThat(samples.getLast().gpus().getFirst().powerWatts()).isEqualTo(561.3);
  }

  @Test
  void takesOtherOrdersOldNamesAndUnitsInCells() {
    var samples =
        read(
            "pci.bus_id, clocks_throttle_reasons.active, timestamp, power.draw, index",
            "00010000:0B:00.0, 0x0000000000000004, 2026/11/20 20:27:26.054, 81.29 W, 3");
    var gpu = samples.getFirst().gpus().getFirst();
    assertThat(gpu.busId()).isEqualTo("00010000:0b:00.0");
    assertThat(gpu.throttleReasons()).isEqualTo(4);
    assertThat(gpu.powerWatts()).isEqualTo(81.29);
    assertThat(gpu.index()).isEqualTo(3);
    assertThat(gpu.utilizationPercent()).isNull();
  }

  /// Each reason may have a column of its own, as `nvidia-smi --query-gpu` of driver 470 was asked
  /// by many.
  @Test
  void readsReasonsThatHaveColumnsOfTheirOwn() {
    var samples =
        read(
            "timestamp, index, clocks_throttle_reasons.sw_power_cap,"
                + " clocks_throttle_reasons.hw_slowdown, clocks_throttle_reasons.hw_thermal_slowdown",
            "2026/01/22 06:00:00.000, 0, Not Active, Not Active, Not Active",
            "2026/01/22 06:00:00.006, 1, Active, Not Active, Active");
    assertThat(samples.getFirst().gpus())
        .extracting(GpuReading::throttleReasons)
        .containsExactly(0L, 0x44L);
  }

  @Test
  void absentIsNullAndBrokenIsNullWithAName() {
    var samples =
        read(
            "timestamp, index, utilization.gpu [%], power.draw [W], temperature.gpu,"
                + " ecc.errors.uncorrected.volatile.total",
            "2026/11/20 20:27:26.054, 0, [N/A], [Not Supported], ERR!, [Unknown Error]");
    var gpu = samples.getFirst().gpus().getFirst();
    assertThat(gpu.utilizationPercent()).isNull();
    assertThat(gpu.powerWatts()).isNull();
    assertThat(gpu.temperatureCelsius()).isNull();
    assertThat(gpu.error())
        .isEqualTo("temperature.gpu ERR!; ecc.errors.uncorrected.volatile.total [Unknown Error]");
  }

  @Test
  void aGpuMayVanishAndComeBack() {
    var samples =
        read(
            "timestamp, index",
            "2026/11/20 20:27:26.000, 0",
            "2026/11/20 20:27:26.001, 1",
            "2026/11/20 20:27:27.000, 1",
            "Unable to determine the device handle for GPU0000:00:06.0: Unknown Error",
            "2026/11/20 20:27:28.000, 0",
            "2026/11/20 20:27:28.001, 1");
    assertThat(samples)
        .extracting(sample -> sample.gpus().stream().map(GpuReading::index).toList())
        .containsExactly(List.of(0, 1), List.of(1, 0), List.of(1));
  }

  @Test
  void readsNumbersAsTheJdkDoes() {
    var random = new SplittableRandom(3);
    var texts =
        new ArrayList<>(List.of("0", "-5", "1.", ".5", "1e3", "007.10", "123456789012345678.9"));
    for (int i = 0; i < 10_000; i++) {
      texts.add(String.format(Locale.ROOT, "%." + random.nextInt(9) + "f", random.nextDouble(1e6)));
    }
    var lines = new ArrayList<>(List.of("timestamp, index, power.draw [W]"));
    texts.forEach(text -> lines.add("2026/11/20 20:27:26.054, 0, " + text + " W"));
    assertThat(read(lines.toArray(String[]::new)))
        .extracting(sample -> sample.gpus().getFirst().powerWatts())
        .isEqualTo(texts.stream().map(Double::valueOf).toList());
  }

  @Test
  void rowsWithoutATimeOrWithCellsMissingDoNoHarm() {
    var samples =
        read(
            "index, timestamp, power.draw [W], uuid",
            "",
            ",",
            "0,   , 5",
            "0, 2026/11/20 20:27:26:054, 5",
            "0, 2026/02/30 20:27:26.054, 5",
            "1, 2026/11/20 20:27:27.000");
    assertThat(samples)
        .extracting(GpuSample::at)
        .containsExactly(Instant.parse("2026-02-28T20:27:26.054Z"));
    assertThat(samples.getLast().gpus()).extracting(GpuReading::index).containsExactly(0, 1);
    assertThat(samples.getLast().gpus().getLast().powerWatts()).isNull();
    assertThat(samples.getLast().gpus().getLast().uuid()).isEmpty();
  }

  @Test
  void timesAreInTheNodesZone() {
    var csv = new NvidiaSmiCsv("", "n", ZoneId.of("America/New_York"));
    csv.line("timestamp, index");
    csv.line("2026/11/20 15:27:26.054, 0");
    assertThat(csv.finish().orElseThrow().at()).isEqualTo("2026-11-20T20:27:26.054Z");
  }

  @Test
  void recognisesItsHeaderAndNothingElse() {
    assertThat(NvidiaSmiCsv.recognises(HEADER)).isTrue();
    assertThat(NvidiaSmiCsv.recognises("timestamp, power.draw [W]")).isFalse();
    assertThat(NvidiaSmiCsv.recognises("step,start,coll,end,slow")).isFalse();
  }

  private static List<GpuSample> read(String... lines) {
    var csv = new NvidiaSmiCsv("c", "n", ZoneOffset.UTC);
    var samples = new ArrayList<GpuSample>();
    for (String line : lines) {
      csv.line(line).ifPresent(samples::add);
    }
    csv.finish().ifPresent(samples::add);
    return samples;
  }
}
