package io.ringside.streams.detect.straggler;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Programs that compare their ranks themselves: Megatron-LM's timers of all ranks and its
/// straggler detector, and NVRx.
class ReportedStragglerTest {
  private static final int RANKS = 16;

  @Test
  void blamesTheRankThatComputesForLongestWhileTheOthersWait() {
    var log = new ArrayList<String>();
    for (int report = 0; report < 5; report++) {
      log.addAll(timers(11, 432.9, 858.2, 14.6, ""));
    }

    assertThat(told(log))
        .singleElement()
        .satisfies(
            straggler -> {
              assertThat(straggler.severity()).isEqualTo(Severity.WARNING);
              assertThat(straggler.ranks()).containsExactly(11);
              assertThat(straggler.summary()).contains("5 of 5 reports of Megatron-LM's timers");
              assertThat(straggler.evidence().getLast().text()).contains("rank 11: 432.90");
            });
  }

  @Test
  void blamesNobodyWhoIsNotWaitedFor() {
    var log = new ArrayList<String>();
    for (int report = 0; report < 5; report++) {
      log.addAll(timers(11, 432.9, 858.2, 420.0, ""));
    }

    assertThat(told(log)).isEmpty();
  }

  /// Without a timer of waiting the iteration says whether the others waited.
  @ParameterizedTest
  @CsvSource({"1320, 1", "1290, 0"})
  void asksHowLongTheIterationLastedWhereNoTimerTellsOfWaiting(int iteration, int told) {
    var log = new ArrayList<String>();
    for (int report = 0; report < 6; report++) {
      log.add(
          " [2026-04-23 08:%02d:00] iteration %8d/    5000 | consumed samples: %12d | elapsed time per iteration (ms): %d.0 | global batch size:    64 |"
              .formatted(report, 10 * (report + 1), 640 * (report + 1), iteration));
      log.add("times across ranks (ms):");
      add(log, "forward-compute", 11, 432.9, 290);
      add(log, "backward-compute", 11, 858.2, 573);
    }

    assertThat(told(log))
        .hasSize(told)
        .allSatisfy(straggler -> assertThat(straggler.ranks()).containsExactly(11));
  }

  @Test
  void blamesNoStageOfAPipeline() {
    var log = new ArrayList<String>();
    for (int report = 0; report < 5; report++) {
      log.addAll(timers(11, 432.9, 858.2, 14.6, "forward-recv"));
    }

    assertThat(told(log)).isEmpty();
  }

  @Test
  void blamesNobodyForADifferentRankEachTime() {
    var log = new ArrayList<String>();
    for (int report = 0; report < 12; report++) {
      log.addAll(timers(report % 6, 432.9, 858.2, 14.6, ""));
    }

    assertThat(told(log)).isEmpty();
  }

  @Test
  void takesNvrxAtItsWordWhenItRepeatsIt() {
    var log = new ArrayList<String>();
    for (int report = 0; report < 4; report++) {
      log.addAll(nvrx(report, "0.58"));
      log.add(
          nemo("W", report, 176)
              + "STRAGGLER DETECTION WARNING: Some GPUs have worse relative performance. Affected ranks: {StragglerId(rank=13, node='eos0318')}");
    }

    assertThat(told(log))
        .singleElement()
        .satisfies(
            straggler -> {
              assertThat(straggler.ranks()).containsExactly(13);
              assertThat(straggler.since()).isEqualTo("2026-04-23T08:00:00Z");
              assertThat(straggler.evidence()).hasSize(3);
            });
    log.addAll(nvrx(4, "0.97"));
    assertThat(told(log))
        .singleElement()
        .satisfies(straggler -> assertThat(straggler.state()).isEqualTo(Finding.State.CLEARED));
    for (int report = 5; report < 9; report++) {
      log.addAll(nvrx(report, "0.97"));
    }
    assertThat(told(log)).isEmpty();
  }

  @Test
  void theWorstOfThoseThatAreAllWellIsNoStraggler() {
    var log = new ArrayList<String>();
    for (int report = 0; report < 6; report++) {
      log.addAll(nvrx(report, "0.93"));
    }

    assertThat(told(log)).isEmpty();
  }

  @Test
  void blamesTheRankThatIsSlowestAtTheLowestClockInEachReport() {
    var log = new ArrayList<String>();
    for (int report = 0; report < 10; report++) {
      log.add(
          report < 4 ? detector(report, 1890, 1965, 5, 690) : detector(11, 2900, 1080, 11, 300));
    }

    assertThat(told(log))
        .singleElement()
        .satisfies(
            straggler -> {
              assertThat(straggler.ranks()).containsExactly(11);
              assertThat(straggler.cause()).isEqualTo("gpu-clock");
              assertThat(straggler.summary()).contains("6 of 6 reports of Megatron-LM's straggler");
            });
  }

  /// As core 0.7 wrote it: power in milliwatts, hardly a decimal.
  @Test
  void readsTheFirstDetectorsReports() {
    var line =
        "0: INFO:megatron.core.utils:[2024-03-14 23:07:56] | MnRtt/Rnk: 3453.08ms/8 | MxRtt/Rnk: 5468.20ms/2 | MnPwr/Rnk: 301796W/2 | MxPwr/Rnk: 683801W/18 | MnTmp/Rnk: 52C/0 | MxTmp/Rnk: 89C/2 | MnUtl/Rnk: 97%/8 | MxUtl/Rnk: 100%/6 | MnClk/Rnk: 1050MHz/2 | MxClk/Rnk: 1980MHz/0 | MnDRtt/Rnk: 14.27ms/23 | MxDRtt/Rnk: 34.65ms/3 | MnEtpt/Rnk: 196.02TF/2 | MxEtpt/Rnk: 297.32TF/8";

    assertThat(told(List.of(line, line, line)))
        .singleElement()
        .satisfies(straggler -> assertThat(straggler.ranks()).containsExactly(2));
  }

  /// The last stage of a pipeline, or an expert that is asked for: slow in each report, and its GPU
  /// works harder.
  @Test
  void blamesNobodyForMoreWork() {
    var log = new ArrayList<String>();
    for (int report = 0; report < 10; report++) {
      log.add(detector(15, 2900, 1620, 3, 650));
    }
    assertThat(told(log)).isEmpty();
    log.clear();
    for (int report = 0; report < 10; report++) {
      log.add(detector(15, 2900, 1950, 15, 480));
    }
    assertThat(told(log)).isEmpty();
  }

  @Test
  void blamesNobodyForTheExtremesOfRanksThatAreAlike() {
    var log = new ArrayList<String>();
    for (int report = 0; report < 10; report++) {
      log.add(detector(9, 1860, 1650, 9, 300));
    }

    assertThat(told(log)).isEmpty();
  }

  /// @param slow the slowest rank, whose clock is the lowest
  /// @param cold the rank that draws least
  private static String detector(int slow, int millis, int clock, int cold, int watts) {
    return "[2026-05-02 10:00:00] | MnRtt/Rnk: 1810.45ms/6 | MxRtt/Rnk: %2$d.00ms/%1$d | MnPwr/Rnk: %5$d.10W/%4$d | MxPwr/Rnk: 705.52W/7 | MnTmp/Rnk: 45.26C/2 | MxTmp/Rnk: 87.69C/%1$d | MnUtl/Rnk: 99.00%%/1 | MxUtl/Rnk: 100.00%%/9 | MnClk/Rnk: %3$d.00MHz/%1$d | MxClk/Rnk: 1980.00MHz/4 | MnDRtt/Rnk: 0.50ms/3 | MxDRtt/Rnk: 1.32ms/6 | MnEtpt/Rnk: 239.96TF/%1$d | MxEtpt/Rnk: 412.30TF/6"
        .formatted(slow, millis, clock, cold, watts);
  }

  private static List<String> nvrx(int report, String score) {
    return List.of(
        nemo("I", report, 141) + "GPU relative performance:",
        " Worst performing 3/32 ranks:",
        "  Rank=13 Node=eos0318 Score=" + score,
        "Training epoch 0, iteration %d/9999 | lr: 0.0001 | global_step: %d | reduced_train_loss: 2.3 | train_step_timing in s: 3.5"
            .formatted(70 * report, 70 * report));
  }

  private static String nemo(String level, int report, int line) {
    return "[NeMo %s 2026-04-23 08:%02d:00 straggler_det_callback:%d] "
        .formatted(level, 5 * report, line);
  }

  private static List<String> timers(
      int slow, double forward, double backward, double sync, String more) {
    var lines = new ArrayList<String>();
    lines.add("times across ranks (ms):");
    add(lines, "forward-compute", slow, forward, 290);
    add(lines, "backward-compute", slow, backward, 573);
    if (!more.isEmpty()) {
      add(lines, more, slow, 30, 30);
    }
    add(lines, "all-grads-sync", slow, sync, 420);
    add(lines, "optimizer", slow, 20, 20);
    return lines;
  }

  private static void add(
      List<String> lines, String timer, int slow, double ofSlow, double ofOthers) {
    lines.add("  " + timer + ":");
    for (int rank = 0; rank < RANKS; rank++) {
      double millis = rank == slow ? ofSlow : ofOthers + rank % 3;
      lines.add("     rank %2d: %s".formatted(rank, String.format(Locale.ROOT, "%.2f", millis)));
    }
  }

  private static List<Finding> told(List<String> log) {
    return Recorded.of(Map.of("slurm.out", log)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.STRAGGLER)
        .toList();
  }
}
