package io.ringside.streams.examine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationWordsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 s",
    "0.0002, < 1 ms",
    "0.8204, 820 ms",
    "0.9996, 1 s",
    "2.443, 2.44 s",
    "2.5, 2.5 s",
    "9.997, 10 s",
    "15.5, 15.5 s",
    "41, 41 s",
    "99.97, 1 min 40 s",
    "600, 10 min",
    "3599.9, 1 h",
    "7500, 2 h 5 min",
    "86390, 23 h 59 min",
    "273600, 3 d 4 h",
  })
  void saysTimesAsPeopleDo(double seconds, String words) {
    assertThat(DurationWords.time(seconds)).isEqualTo(words);
  }

  @Test
  void saysWhoDoesWhat() {
    assertThat(RankText.clause(List.of(3, 3), "waits", "wait")).isEqualTo("rank 3 waits");
    assertThat(RankText.clause(List.of(0, 2), "waits", "wait")).isEqualTo("ranks 0, 2 wait");
    assertThat(RankText.clause(List.of(-1), "waits", "wait")).isEqualTo("some ranks wait");
  }
}
