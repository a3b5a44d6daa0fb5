package io.ringside.streams.detect.straggler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class UnevennessTest {
  @Test
  void believesASmallLossOnceItHasLasted() {
    assertThat(Unevenness.lasted(300, 0.05)).isTrue();
    assertThat(Unevenness.lasted(60, 0.10)).isTrue();
  }

  @Test
  void takesASmallLossOverFewStepsForData() {
    assertThat(Unevenness.lasted(60, 0.04)).isFalse();
    assertThat(Unevenness.lasted(200, 0.03)).isFalse();
  }

  /// Shards of one size are rare: whoever has the largest is late for the whole run.
  @Test
  void takesASmallLossForTheWorkHoweverLongItLasts() {
    assertThat(Unevenness.beyond(List.of(), 2_000, 0.09)).isFalse();
    assertThat(Unevenness.beyond(List.of(), 2_000, 0.11)).isTrue();
  }

  @Test
  void believesALargeLossAtOnce() {
    assertThat(Unevenness.beyond(List.of(), 6, 0.5)).isTrue();
  }
}
