package io.ringside.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadConclusionTest {
  @Test
  void saysWhetherItWasGoodAndWhatSoFewProve() {
    assertThat(LoadConclusion.of(0.1, Collections.nCopies(1_000, 0.8), 0))
        .startsWith(
            "Good: sending kept pace, and of 1000 faults 1000 were found within 2 s; between 0.996");
    assertThat(LoadConclusion.of(0.1, Collections.nCopies(50, 0.8), 0))
        .startsWith(
            "Not proven: sending kept pace, and of 50 faults 50 were found within 2 s; so few only tell");
    assertThat(LoadConclusion.of(0.1, Collections.nCopies(50, 4.0), 0))
        .startsWith("Not good: sending kept pace, and of 50 faults 0 were found within 2 s");
  }

  @Test
  void isNotGoodWhereTheLoadWasNotReachedOrAFaultNotFound() {
    assertThat(LoadConclusion.of(3.2, List.of(0.8), 0))
        .startsWith("Not good: sending fell 3.2 s behind");
    assertThat(LoadConclusion.of(0, List.of(0.8), 2))
        .isEqualTo("Not good: 2 of 3 faults were never found.");
    assertThat(LoadConclusion.of(0, List.of(), 0)).startsWith("Not proven: sending kept pace");
  }
}
