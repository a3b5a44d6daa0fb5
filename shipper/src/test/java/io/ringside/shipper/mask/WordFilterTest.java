package io.ringside.shipper.mask;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WordFilterTest {
  private static final List<String> WORDS =
      List.of("KEY", "TOKEN", "password", "://", "hf_", "sk-", "ab", "ü=");

  @Test
  void findsAWordWhereverItStands() {
    var filter = new WordFilter(WORDS);
    for (String word : WORDS) {
      for (int before = 0; before < 5; before++) {
        for (int after = 0; after < 5; after++) {
          String text = ".".repeat(before) + word + ".".repeat(after);
          assertThat(filter.occurIn(bytes(text))).as(text).isTrue();
          String almost = text.replace(word.charAt(word.length() - 1), '!');
          assertThat(filter.occurIn(bytes(almost))).as(almost).isFalse();
        }
      }
    }
  }

  @Test
  void agreesWithContainsOnRandomText() {
    var filter = new WordFilter(WORDS);
    var random = new SplittableRandom(7);
    String letters = "KEYTOpasword:/hf_sk-ab";
    for (int i = 0; i < 20_000; i++) {
      var text = new StringBuilder();
      for (int k = random.nextInt(12); k > 0; k--) {
        text.append(letters.charAt(random.nextInt(letters.length())));
      }
      assertThat(filter.occurIn(bytes(text.toString())))
          .as(text.toString())
          .isEqualTo(WORDS.stream().anyMatch(text.toString()::contains));
    }
  }

  @Test
  void nothingOccursInNothing() {
    assertThat(new WordFilter(WORDS).occurIn(new byte[0])).isFalse();
    assertThat(new WordFilter(List.of()).occurIn(bytes("KEY"))).isFalse();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
