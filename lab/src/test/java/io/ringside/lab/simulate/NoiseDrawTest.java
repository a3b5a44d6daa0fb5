package io.ringside.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NoiseDrawTest {

  /// Nobody keeps a checkpoint that costs a third of the time.
  @Test
  void letsDutiesCostAFewPerCentOfTheTime() {
    for (double stepSeconds : new double[] {0.06, 1, 20}) {
      assertThat(IntStream.range(0, 300).mapToObj(seed -> noise(stepSeconds, seed).duties()))
          .allSatisfy(
              duties -> {
                if (duties.checkpointEvery() > 1) {
                  double cost =
                      (duties.checkpointSeconds() + duties.checkpointAlone())
                          / (duties.checkpointEvery() * stepSeconds);
                  assertThat(cost).isLessThan(0.4);
                }
              });
    }
  }

  @Test
  void drawsHeldJitterImbalanceAndClocksThatAreSet() {
    var drawn = IntStream.range(0, 300).mapToObj(seed -> noise(1, seed)).toList();
    assertThat(drawn).anyMatch(noise -> noise.unevenness().held() > 0);
    assertThat(drawn).anyMatch(noise -> noise.unevenness().imbalance() > 0.08);
    assertThat(drawn).noneMatch(noise -> noise.unevenness().imbalance() > 0.1);
    assertThat(drawn).anyMatch(noise -> noise.clocks().steps() > 0);
    assertThat(drawn).anyMatch(noise -> noise.duties().checkpointAlone() > 20);
  }

  private static Noise noise(double stepSeconds, int seed) {
    return NoiseDraw.of(stepSeconds, 8, new Chance(seed));
  }
}
