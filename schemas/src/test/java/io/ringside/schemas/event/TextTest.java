package io.ringside.schemas.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class TextTest {

  private final RandomGenerator random =
      RandomGeneratorFactory.of("L64X128MixRandom").create(20261121);

  /// A text of few chars, so that all of them are found often.
  private String few(int length) {
    var text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append("ABCL\r".charAt(random.nextInt(5)));
    }
    return text.toString();
  }

  @Test
  void findsCharsPairsAndLiteralsWhereAStringDoes() {
    for (int i = 0; i < 20_000; i++) {
      var string = few(random.nextInt(40));
      var text = Text.of(string);
      int from = random.nextInt(string.length() + 1);
      int to = random.nextInt(from, string.length() + 1);
      var range = string.substring(from, to);
      assertThat(text.indexOf('L', from, to)).isEqualTo(in(range.indexOf('L'), from));
      assertThat(text.indexOfPair('B', 'A', from, to)).isEqualTo(in(range.indexOf("BA"), from));
      assertThat(text.indexOf("CAB", from, to)).isEqualTo(in(range.indexOf("CAB"), from));
      assertThat(text.indexOf("\r", from, to)).isEqualTo(in(range.indexOf('\r'), from));
    }
  }

  private static int in(int found, int from) {
    return found < 0 ? -1 : from + found;
  }

  @Test
  void comparesRangesOfAnyLengthUpToTheLastByte() {
    for (int i = 0; i < 20_000; i++) {
      var one = few(random.nextInt(1, 30));
      var other = random.nextBoolean() ? one : few(one.length());
      int from = random.nextInt(one.length() + 1);
      int to = random.nextInt(from, one.length() + 1);
      assertThat(Text.of(one).same(from, Text.of(other), from, to - from))
          .isEqualTo(one.substring(from, to).equals(other.substring(from, to)));
    }
  }

  @Test
  void hasZerosInAWordBehindItsEnd() {
    var text = Text.of("abcdefghij");

    assertThat(text.word(2)).isEqualTo(0x6a69_6867_6665_6463L);
    assertThat(text.word(8)).isEqualTo(0x6a69L);
    assertThat(text.word(10)).isZero();
  }
}
