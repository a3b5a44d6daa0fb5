package io.ringside.lab.simulate;

import io.ringside.lab.simulate.Noise.Clocks;
import io.ringside.lab.simulate.Noise.Duties;
import io.ringside.lab.simulate.Noise.Pauses;
import io.ringside.lab.simulate.Noise.Unevenness;

/// Draws what makes healthy ranks differ, from what was measured and published.
///
/// Measured on recordings with truth (8 H200; `examples/recordings`): where all batches are of one
/// length, a rank's work spreads by 0.2 to 1 % around its median (ninety-ninth part up to 1.05,
/// largest 1.13) and ranks differ by 1 to 2 %, but the deviation stays: its autocorrelation is 0.2
/// to 0.8 after one step, 0.2 to 0.6 after five and 0.1 to 0.6 after twenty. DeepSpeed's steps:
/// nine tenths within 1.11, one in a hundred above 1.17. With batches of unlike lengths: nine
/// tenths within 1.5 of the median. Published: sequence lengths make a long-tailed step (Wang et
/// al., FlexSP, 2024; WLB-LLM, 2025: up to 1.4 between ranks); Python's collector stops a rank for
/// 0.1 to 1 s at its own time unless collections are planned (Llama 3 and MegaScale papers, both
/// 2024; straggler study of Lin et al., 2025); synchronous checkpoints take seconds to minutes and
/// rank 0 of a small job writes alone (CheckFreq, 2021; Gemini, 2023).
///
/// What stops a program costs a few per cent of its time, whatever the length of its steps, or
/// somebody would have changed it (CheckFreq: checkpoints cost 3 to 12 %; MegaScale: unplanned
/// collections up to a tenth): shares are drawn, and how often it happens follows.
final class NoiseDraw {
  /// Nobody saves or evaluates more often, however long a step is.
  private static final int SELDOM = 12;

  private final double stepSeconds;
  private final int ranks;
  private final Chance chance;

  private NoiseDraw(double stepSeconds, int ranks, Chance chance) {
    this.stepSeconds = stepSeconds;
    this.ranks = ranks;
    this.chance = chance;
  }

  static Noise of(double stepSeconds, int ranks, Chance chance) {
    var draw = new NoiseDraw(stepSeconds, ranks, chance);
    return new Noise(
        draw.unevenness(),
        draw.pauses(),
        draw.duties(),
        draw.clocks(),
        chance.between(0, 1),
        chance.of(0.15) ? 1 + chance.below(3) : 0);
  }

  private Unevenness unevenness() {
    return new Unevenness(
        // batches of one length, packed ones, and those of unlike lengths
        chance.of(0.45)
            ? chance.between(0.002, 0.01)
            : chance.of(0.6) ? chance.between(0.01, 0.06) : chance.between(0.06, 0.25),
        chance.of(0.6) ? chance.between(0, 0.02) : chance.between(0.02, 0.1),
        chance.of(0.6) ? 0 : chance.evenly(0.0005, 0.03),
        chance.evenly(0.05, 0.5),
        chance.between(2, 4),
        chance.of(0.4) ? 0 : chance.evenly(0.0002, 0.005),
        chance.evenly(0.01, 0.08),
        20 + chance.below(180));
  }

  private Pauses pauses() {
    double collecting = chance.evenly(0.02, 0.8);
    double pause = chance.evenly(0.02, 0.2);
    double stall = chance.evenly(0.3, 3);
    return new Pauses(
        chance.of(0.5) ? 0 : every(collecting * Math.sqrt(ranks), chance.evenly(0.005, 0.1), 3),
        collecting,
        chance.of(0.5) ? 0 : Math.min(0.01, perStep(pause * ranks, chance.evenly(0.005, 0.1))),
        pause,
        chance.of(0.7) ? 0 : perStep(stall, chance.evenly(0.002, 0.05)),
        stall);
  }

  private Duties duties() {
    double together = chance.evenly(0.3, 20);
    double alone = chance.of(0.4) ? chance.evenly(1, 45) : chance.between(0, 1);
    double evaluation = chance.evenly(1, 40);
    double evaluatedAlone = chance.of(0.3) ? chance.evenly(2, 40) : 0;
    double logging = chance.evenly(0.001, 0.25);
    return new Duties(
        chance.of(0.35) ? 0 : every(together + alone, chance.evenly(0.03, 0.2), SELDOM),
        together,
        alone,
        chance.of(0.65) ? 0 : every(evaluation + evaluatedAlone, chance.evenly(0.03, 0.2), SELDOM),
        evaluation,
        evaluatedAlone,
        chance.of(0.4) ? 0 : every(logging, chance.evenly(0.001, 0.05), 1),
        logging);
  }

  /// In each how many steps something happens so that it costs this share of the time.
  private int every(double seconds, double share, int least) {
    return (int) Math.clamp(seconds / share / stepSeconds, least, 100_000);
  }

  private double perStep(double seconds, double share) {
    return Math.min(0.05, share * stepSeconds / seconds);
  }

  /// Chrony holds nodes of one cluster within a millisecond, nodes without it drift by 1 to 50 ppm
  /// (its documentation) and are set by tens of milliseconds up to seconds when a daemon starts.
  private Clocks clocks() {
    return new Clocks(
        chance.of(0.4) ? 0.001 : chance.evenly(0.001, 0.2),
        chance.of(0.5) ? 0 : chance.evenly(1e-6, 5e-5),
        chance.of(0.85) ? 0 : 1 + chance.below(2),
        chance.evenly(0.02, 5),
        chance.of(0.95) ? 0 : 1);
  }
}
