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

/// Programs that compare their ranks themselves: Megatron-LM's timers of all ranks, and NVRx.
class ComparedTest {
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
