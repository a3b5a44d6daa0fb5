package io.ringside.standalone.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.schemas.event.Severity;
import io.ringside.standalone.input.Inputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Recordings of nvidia-smi of which no log says who holds which GPU: beside a log without NCCL's
/// lines, or alone.
class RecordedGpusTest {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss.SSS", Locale.ROOT);
  private static final LocalDateTime BEGIN = LocalDateTime.parse("2026-11-03T15:00:00");
  private static final int SECONDS = 60;
  private static final int HOT = 2;

  @TempDir Path folder;

  @BeforeEach
  void log() throws IOException {
    Files.write(
        folder.resolve("train.log"),
        IntStream.range(1, 40)
            .mapToObj("  %1$d%%|▏         | %1$d/600 [00:05<10:59,  1.11s/it]"::formatted)
            .toList());
  }

  @ParameterizedTest
  @CsvSource({"16, 100, false", "4, 100, true", "4, 3, false"})
  void tellsOfLanesThatAreMissingWhileAllWork(int lanes, int busy, boolean weak) throws Exception {
    gpus(
        "pcie.link.gen.current, pcie.link.gen.max, pcie.link.width.current, pcie.link.width.max",
        busy,
        (gpu, _) -> "4, 4, %d, 16".formatted(gpu == HOT ? lanes : 16));

    var findings = analyze().findings();

    if (weak) {
      assertThat(findings).singleElement().satisfies(RecordedGpusTest::isOfTheOneGpu);
      assertThat(findings.getFirst().kind()).isEqualTo(FindingKind.GPU_ERROR);
    } else {
      assertThat(findings).isEmpty();
    }
  }

  /// Without the number of lanes that the slots have.
  @ParameterizedTest
  @CsvSource({"16, 8, 100, true", "16, 16, 100, false", "8, 8, 100, false", "16, 8, 3, false"})
  void tellsOfLanesThatGoMissingOnOneGpuAlone(int others, int lanes, int busy, boolean weak)
      throws Exception {
    gpus(
        "pcie.link.gen.current, pcie.link.width.current",
        busy,
        (gpu, second) -> "4, %d".formatted(gpu == HOT && second >= 20 ? lanes : others));

    var findings = analyze().findings();

    if (weak) {
      assertThat(findings).singleElement().satisfies(RecordedGpusTest::isOfTheOneGpu);
      assertThat(findings.getFirst().kind()).isEqualTo(FindingKind.GPU_ERROR);
      assertThat(findings.getFirst().observed()).startsWith("8 lanes");
    } else {
      assertThat(findings).isEmpty();
    }
  }

  /// `nvidia-smi -q`, saved beside the log.
  @ParameterizedTest
  @CsvSource({"Yes, true", "No, false"})
  void tellsOfPagesThatWaitForTheirRetirement(String pending, boolean weak) throws Exception {
    Files.writeString(
        folder.resolve("gpus.txt"),
        """
        ==============NVSMI LOG==============

        Timestamp                                 : Tue Nov  3 15:00:30 2026
        Driver Version                            : 470.82.01

        Attached GPUs                             : 1
        GPU 00000000:9B:00.0
            Product Name                          : Tesla V100-SXM2-32GB
            Retired Pages
                Single Bit ECC                    : 0
                Double Bit ECC                    : 0
                Pending Page Blacklist            : %s
        """
            .formatted(pending));

    var findings = analyze().findings();

    if (weak) {
      assertThat(findings)
          .singleElement()
          .satisfies(
              found -> {
                assertThat(found.kind()).isEqualTo(FindingKind.GPU_ERROR);
                assertThat(found.job()).isEqualTo("train");
              });
    } else {
      assertThat(findings).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"300000, true", "900, false"})
  void tellsOfHeatBetweenTheSamples(int microsEachSecond, boolean hot) throws Exception {
    gpus(
        "clocks_event_reasons_counters.hw_thermal_slowdown [us]",
        100,
        (gpu, second) -> "%d us".formatted(88_123 + (gpu == HOT ? second * microsEachSecond : 0)));

    var findings = analyze().findings();

    if (hot) {
      assertThat(findings).singleElement().satisfies(RecordedGpusTest::isOfTheOneGpu);
      assertThat(findings.getFirst().kind()).isEqualTo(FindingKind.GPU_THROTTLED);
    } else {
      assertThat(findings).isEmpty();
    }
  }

  @Test
  void judgesARecordingAlone() throws Exception {
    Files.delete(folder.resolve("train.log"));
    gpus(
        "clocks_event_reasons.active",
        100,
        (gpu, _) -> gpu == HOT ? "0x0000000000000040" : "0x0000000000000000");

    var analysis = analyze();

    assertThat(analysis.findings()).singleElement().satisfies(RecordedGpusTest::isOfTheOneGpu);
    assertThat(analysis.runs())
        .singleElement()
        .satisfies(
            run ->
                assertThat(run.notJudged())
                    .extracting(NotJudged::what)
                    .contains("transport", "waits", "steps", "gpus by rank"));
  }

  @Test
  void namesTheRankWhereNcclsLinesHaveNoTimes() throws Exception {
    Files.write(folder.resolve("train.log"), untimedInits(100));
    gpus(
        "clocks_event_reasons.active",
        100,
        (gpu, _) -> gpu == HOT ? "0x0000000000000040" : "0x0000000000000000");

    var analysis = analyze();

    assertThat(analysis.findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(FindingKind.GPU_THROTTLED);
              assertThat(finding.ranks()).containsExactly(HOT);
            });
    assertThat(analysis.runs().getFirst().notJudged())
        .extracting(NotJudged::what)
        .contains("gpus over time");
  }

  @Test
  void leavesGpusToNobodyThatTwoAttemptsWithoutTimesName() throws Exception {
    Files.write(folder.resolve("first.log"), untimedInits(100));
    Files.write(folder.resolve("second.log"), untimedInits(200));
    gpus("clocks_event_reasons.active", 100, (_, _) -> "0x0000000000000040");

    assertThat(analyze().findings()).isEmpty();
  }

  @Test
  void missesNoGpuBesideAWatchdogWithoutNcclsTimes() throws Exception {
    var lines = new ArrayList<>(untimedInits(100));
    lines.add(
        "[rank0]:[E1127 21:22:37.836079655 ProcessGroupNCCL.cpp:689] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=9, OpType=ALLREDUCE, NumelIn=4096, NumelOut=4096, Timeout(ms)=30000) ran for 30001 milliseconds before timing out.");
    Files.write(folder.resolve("train.log"), lines);
    gpus("clocks_event_reasons.active", 100, (_, _) -> "0x0000000000000000");

    var analysis = analyze();

    assertThat(analysis.findings()).extracting(Finding::kind).containsExactly(FindingKind.HANG);
    assertThat(analysis.runs().getFirst().notJudged())
        .extracting(NotJudged::because)
        .noneMatch(because -> because.contains("internal error"));
  }

  /// How far its samples are apart is not known, nor when they were taken.
  @ParameterizedTest
  @CsvSource({"12, false, true", "8, false, false", "40, true, false"})
  void tellsOfHeatInARecordingWithoutTimes(int hotFor, boolean nowAndThen, boolean told)
      throws Exception {
    var lines = new ArrayList<String>();
    lines.add("index, pci.bus_id, temperature.gpu, clocks_throttle_reasons.hw_thermal_slowdown");
    for (int poll = 0; poll < SECONDS; poll++) {
      for (int gpu = 0; gpu < 4; gpu++) {
        boolean hot = gpu == HOT && poll < hotFor && (!nowAndThen || poll % 3 == 0);
        lines.add(
            "%d, 00000000:%s:00.0, %d, %s"
                .formatted(
                    gpu,
                    List.of("16", "2A", "3C", "4E").get(gpu),
                    hot ? 91 : 60,
                    hot ? "Active" : "Not Active"));
      }
    }
    Files.write(folder.resolve("smi.csv"), lines);

    var findings = analyze().findings();

    assertThat(findings).hasSize(told ? 1 : 0);
    assertThat(findings).allSatisfy(RecordedGpusTest::isOfTheOneGpu);
    assertThat(findings)
        .allSatisfy(
            it -> {
              assertThat(it.kind()).isEqualTo(FindingKind.GPU_THROTTLED);
              assertThat(it.summary()).endsWith("in 12 samples");
              assertThat(it.since()).isNull();
              assertThat(it.evidence()).allMatch(line -> line.time() == null);
            });
  }

  /// Samples each 3 s while steps of 2 s go on for 10 minutes.
  @ParameterizedTest
  @CsvSource({
    "0-240 500-600, WARNING", // for longer than the pause in all
    "0-600,",
    "0-240, INFO", // it began with the job
    "0-450,", // it ended with the job, or nearly
    "0-120,", // somebody looked for a while
    "90-290,", // somebody looked for a while
    "100-220,", // somebody looked for a while
    "0-120 480-600,", // somebody looked twice
    "0-100 200-300 400-600,",
    "0-300 306-600," // two polls are missing
  })
  void tellsOfAPauseOfARecordingThatWasToLast(String sampled, @Nullable Severity stalled)
      throws Exception {
    var steps = new ArrayList<String>();
    for (int step = 1; step <= 300; step++) {
      steps.add(
          "%s | step=%d step_time=2.0s loss=2.5"
              .formatted(
                  DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS", Locale.ROOT)
                      .format(BEGIN.plusSeconds(2L * step)),
                  step));
    }
    Files.write(folder.resolve("train.log"), steps);
    var samples = new ArrayList<String>();
    samples.add("timestamp, index, pci.bus_id, utilization.gpu [%], power.draw [W]");
    for (var span : sampled.split(" ")) {
      int from = Integer.parseInt(span.substring(0, span.indexOf('-')));
      int to = Integer.parseInt(span.substring(span.indexOf('-') + 1));
      for (int second = from; second < to; second += 3) {
        samples.add(
            "%s, 0, 00000000:16:00.0, 99 %%, 280 W"
                .formatted(STAMP.format(BEGIN.plusSeconds(second))));
      }
    }
    Files.write(folder.resolve("nvidia-smi.csv"), samples);

    var findings = analyze().findings();

    assertThat(findings).hasSize(stalled == null ? 0 : 1);
    assertThat(findings)
        .allSatisfy(
            it -> {
              assertThat(it.kind()).isEqualTo(FindingKind.SENSOR_STALLED);
              assertThat(it.severity()).isEqualTo(stalled);
            });
  }

  /// Steps of 2 s for 5 minutes, then none; the sensor goes on for 45 more.
  @ParameterizedTest
  @CsvSource({
    "100, 125, nvidia-smi.csv, true",
    "100, 430, nvidia-smi.csv, false",
    "0, 75, nvidia-smi.csv, false",
    "100, 125, train.log, true",
    "100, 430, train.log, false"
  })
  void tellsOfAHangByGpusThatAllWait(int busy, int watts, String sampler, boolean hangs)
      throws Exception {
    var steps = new ArrayList<String>();
    var samples = sampler.equals("train.log") ? steps : new ArrayList<String>();
    samples.add(
        "timestamp, index, pci.bus_id, utilization.gpu [%], power.draw [W], enforced.power.limit [W]");
    for (int second = 0; second < 3_000; second += 2) {
      boolean trains = second < 300;
      if (trains) {
        steps.add(
            "%s | step=%d loss=2.5"
                .formatted(
                    DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS", Locale.ROOT)
                        .format(BEGIN.plusSeconds(second)),
                    second / 2));
      }
      for (int gpu = 0; gpu < 2 && second % 20 == 0; gpu++) {
        samples.add(
            "%s, %d, 00000000:%s:00.0, %d %%, %d W, 700.00 W"
                .formatted(
                    STAMP.format(BEGIN.plusSeconds(second)),
                    gpu,
                    List.of("16", "2A").get(gpu),
                    trains ? 99 : busy,
                    trains ? 610 : watts));
      }
    }
    Files.write(folder.resolve(sampler), samples);
    Files.write(folder.resolve("train.log"), steps);

    var findings = analyze().findings();

    assertThat(findings).hasSize(hangs ? 1 : 0);
    assertThat(findings)
        .allSatisfy(
            it -> {
              assertThat(it.kind()).isEqualTo(FindingKind.HANG);
              assertThat(it.severity()).isEqualTo(Severity.CRITICAL);
            });
  }

  /// A bar without times: steps of 1 s, and of 2 s from second 100 on, 300 s in all. The samples
  /// last 4 s longer.
  @ParameterizedTest
  @CsvSource({"100, true", "0, false", "240, false", "1000, false"})
  void blamesTheGpuThatIdledForAsLongAsStepsWereSlow(int idleSince, boolean late) throws Exception {
    var straggler = stragglers(300, idleSince);

    assertThat(straggler).hasSize(late ? 1 : 0);
    assertThat(straggler).allSatisfy(it -> assertThat(it.ranks()).containsExactly(HOT));
    assertThat(straggler).allSatisfy(it -> assertThat(it.cause()).isEqualTo("host"));
  }

  @Test
  void blamesNobodyBySamplesThatWereTakenForLongerThanTheStepsLasted() throws Exception {
    assertThat(stragglers(500, 100)).isEmpty();
  }

  private List<Finding> stragglers(int seconds, int idleSince) throws Exception {
    var lines = new ArrayList<>(untimedInits(100));
    for (int at = 0; at <= 300; at += 4) {
      int step = at <= 100 ? at : 100 + (at - 100) / 2;
      lines.add(
          " %d%%|▏         | %d/200 [%02d:%02d<10:59,  1.11s/it]"
              .formatted(step / 2, step, at / 60, at % 60));
    }
    Files.write(folder.resolve("train.log"), lines);
    var samples = new ArrayList<String>();
    samples.add("timestamp, index, pci.bus_id, name, utilization.gpu [%], power.draw [W]");
    for (int second = -2; second < seconds + 2; second += 2) {
      boolean works = second >= 0 && second < seconds;
      for (int gpu = 0; gpu < 4; gpu++) {
        boolean idles = gpu == HOT && second >= idleSince;
        samples.add(
            "%s, %d, 00000000:%s:00.0, NVIDIA L40S, %d %%, %d W"
                .formatted(
                    STAMP.format(BEGIN.plusSeconds(second)),
                    gpu,
                    List.of("16", "2A", "3C", "4E").get(gpu),
                    works ? idles ? 35 : 99 : 0,
                    works ? idles ? 120 : 280 : 40));
      }
    }
    Files.write(folder.resolve("nvidia-smi.csv"), samples);
    return analyze().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.STRAGGLER)
        .toList();
  }

  /// Four ranks of a host come up; no line has a time.
  private static List<String> untimedInits(int firstPid) {
    return IntStream.range(0, 4)
        .mapToObj(
            gpu ->
                "h:%1$d:9 [%2$d] NCCL INFO ncclCommInitRank comm 0x5%2$d rank %2$d nranks 4 cudaDev %2$d nvmlDev %2$d busId %3$s000 commId 0x%4$x - Init COMPLETE"
                    .formatted(
                        firstPid + gpu, gpu, List.of("16", "2a", "3c", "4e").get(gpu), firstPid))
        .toList();
  }

  @Test
  void leavesGpusToNobodyWhereTwoJobsMayHoldThem() throws Exception {
    Files.writeString(folder.resolve("other.log"), "step 1 loss 2.5\nstep 2 loss 2.4\n");
    gpus(
        "clocks_event_reasons.active",
        100,
        (gpu, _) -> gpu == HOT ? "0x0000000000000040" : "0x0000000000000000");

    assertThat(analyze().findings()).isEmpty();
  }

  private static void isOfTheOneGpu(Finding finding) {
    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    assertThat(finding.gpus()).containsExactly("0000:3c:00.0");
    assertThat(finding.ranks()).isEmpty();
    assertThat(finding.summary()).contains("GPU 0000:3c:00.0").doesNotContain("rank");
  }

  @FunctionalInterface
  private interface Cells {
    String of(int gpu, int second);
  }

  private void gpus(String columns, int busy, Cells cells) throws IOException {
    var lines = new ArrayList<String>();
    lines.add("timestamp, index, pci.bus_id, name, utilization.gpu [%], " + columns);
    for (int second = 0; second < SECONDS; second++) {
      for (int gpu = 0; gpu < 4; gpu++) {
        lines.add(
            "%s, %d, 00000000:%s:00.0, NVIDIA L40S, %d %%, %s"
                .formatted(
                    STAMP.format(BEGIN.plusSeconds(second)),
                    gpu,
                    List.of("16", "2A", "3C", "4E").get(gpu),
                    busy,
                    cells.of(gpu, second)));
      }
    }
    Files.write(folder.resolve("nvidia-smi.csv"), lines);
  }

  private Analysis analyze() throws Exception {
    return new DirectAnalyzer(InstantSource.fixed(Instant.EPOCH), 2)
        .analyze(
            Inputs.of(List.of(folder.toString())),
            new Labels("", "", ZoneOffset.UTC, null),
            new NoProgress());
  }
}
