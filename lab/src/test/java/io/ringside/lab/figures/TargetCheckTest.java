package io.ringside.lab.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TargetCheckTest {
  @Test
  void isOpenWhereTheAimLiesWithinWhatIsLikely() {
    assertThat(TargetCheck.atMost(5, new Interval(1, 4))).isEqualTo(TargetCheck.YES);
    assertThat(TargetCheck.atMost(5, new Interval(1, 6))).isEqualTo(TargetCheck.OPEN);
    assertThat(TargetCheck.atMost(5, new Interval(6, 7))).isEqualTo(TargetCheck.NO);
    assertThat(TargetCheck.atLeast(0.9, new Interval(0.95, 1))).isEqualTo(TargetCheck.YES);
    assertThat(TargetCheck.atLeast(0.9, new Interval(0.8, 1))).isEqualTo(TargetCheck.OPEN);
    assertThat(TargetCheck.atLeast(0.9, new Interval(0.1, 0.2))).isEqualTo(TargetCheck.NO);
  }

  @Test
  void isAsGoodAsTheWorst() {
    assertThat(TargetCheck.all(List.of(TargetCheck.YES, TargetCheck.YES)))
        .isEqualTo(TargetCheck.YES);
    assertThat(TargetCheck.all(List.of(TargetCheck.YES, TargetCheck.OPEN)))
        .isEqualTo(TargetCheck.OPEN);
    assertThat(TargetCheck.all(List.of(TargetCheck.NO, TargetCheck.OPEN)))
        .isEqualTo(TargetCheck.NO);
    assertThat(TargetCheck.all(List.of())).isEqualTo(TargetCheck.OPEN);
  }
}
