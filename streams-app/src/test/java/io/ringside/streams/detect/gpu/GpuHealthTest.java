package io.ringside.streams.detect.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GpuHealthTest {
  private static final double[] MEGAHERTZ = {1_330, 1_650, 1_680, 1_700, 1_740};

  @Test
  void takesGpusAtTheirPowerLimitForWellUsed() {
    assertThat(GpuHealth.farBelow(MEGAHERTZ, 1_650)).isFalse();
    assertThat(GpuHealth.farBelow(new double[] {1_330}, 1_330)).isFalse();
    assertThat(GpuHealth.farBelow(MEGAHERTZ, Double.NaN)).isFalse();
  }

  @Test
  void noticesTheOneThatItHoldsFarBelowTheOthers() {
    assertThat(GpuHealth.farBelow(MEGAHERTZ, 1_330)).isTrue();
  }
}
