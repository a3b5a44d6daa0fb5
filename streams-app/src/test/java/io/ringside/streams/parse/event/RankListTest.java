package io.ringside.streams.parse.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RankListTest {

  @Test
  void isTheListOfWhatStandsInTheText() {
    assertThat(ranks("0 1 2 3"))
        .isEqualTo(List.of(0, 1, 2, 3))
        .hasSameHashCodeAs(ranks("0  1 2 3"));
    assertThat(ranks(" 12   7 1023 ")).containsExactly(12, 7, 1023);
    assertThat(ranks("5")).containsExactly(5);
    assertThat(ranks("  ")).isEmpty();
  }

  @Test
  void holdsWhatIsNegativeOrNoInt() {
    assertThat(ranks("-1 3")).containsExactly(-1, 3);
    assertThat(ranks("2147483647 2147483648 99999999999999999999 -2147483648 -9999999999"))
        .containsExactly(
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MIN_VALUE,
            Integer.MIN_VALUE);
  }

  @Test
  void takesItsRangeOnly() {
    var text = "1 2 3 4".getBytes(StandardCharsets.UTF_8);
    var ranks = new RankList(text, 2, 5);
    text[2] = '9';
    assertThat(ranks).containsExactly(2, 3);
  }

  private static RankList ranks(String text) {
    return new RankList(text.getBytes(StandardCharsets.UTF_8), 0, text.length());
  }
}
