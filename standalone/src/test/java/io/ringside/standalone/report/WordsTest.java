package io.ringside.standalone.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordsTest {
  @ParameterizedTest
  @ValueSource(strings = {"82 %", "119 ms", "14.6 s", "43.7 kB", "240 GB/s"})
  void keepANumberAndItsUnitOnOneLine(String figure) {
    assertThat(Words.of(ColouredText.plain("for " + figure + " of")))
        .extracting(ColouredText::text)
        .containsExactly("for", " ", figure, " ", "of");
  }

  @Test
  void breakBehindOtherNumbers() {
    assertThat(Words.of(ColouredText.plain("4 steps, --pid 2400 s/it")))
        .extracting(ColouredText::text)
        .containsExactly("4", " ", "steps,", " ", "--pid", " ", "2400", " ", "s/it");
  }
}
