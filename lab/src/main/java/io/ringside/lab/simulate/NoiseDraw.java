package io.ringside.lab.simulate;

/// Draws what makes healthy ranks differ.
final class NoiseDraw {
  private NoiseDraw() {}

  static Noise of(double stepSeconds, Chance chance) {
    boolean checkpoints = chance.of(0.6);
    boolean evaluates = chance.of(0.3);
    return new Noise(
        chance.of(0.4) ? 0.02 : chance.between(0.02, 0.35),
        chance.between(0, 0.02),
        chance.of(0.7) ? 0 : chance.between(0.02, 0.4),
        chance.of(0.6) ? 0 : 10 + chance.below(90),
        chance.between(0.01, 0.15),
        chance.of(0.5) ? 0 : chance.between(0, 0.004),
        chance.of(0.7) ? 0 : 0.002,
        checkpoints ? 20 + chance.below(100) : 0,
        chance.between(0.2, 4) * Math.max(1, stepSeconds),
        chance.between(0, 1.5) * Math.max(1, stepSeconds),
        evaluates ? 40 + chance.below(100) : 0,
        chance.between(1, 10) * Math.max(0.5, stepSeconds),
        chance.of(0.5) ? 0 : chance.between(0.001, 0.03),
        chance.of(0.2) ? 0.002 : 0.05,
        chance.of(0.5) ? 0 : chance.of(0.7) ? 5e-6 : 2e-5,
        chance.between(0, 1),
        chance.of(0.15) ? 1 + chance.below(3) : 0);
  }
}
