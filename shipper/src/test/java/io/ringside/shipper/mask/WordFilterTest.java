package io.ringside.shipper.mask;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class WordFilterTest {
  private static final List<String> WORDS =
      List.of("KEY", "TOKEN", "password", "://", "hf_", "sk-", "ab", "ü=");

  @Test
  void findsAWordWhereverItStands() {
    for (String word : WORDS) {
      for (int before = 0; before < 5; before++) {
        for (int after = 0; after < 5; after++) {
          String text = ".".repeat(before) + word + ".".repeat(after);
          assertThat(found(text)).as(text).isEqualTo(places(text)).isNotEmpty();
          String almost = text.replace(word.charAt(word.length() - 1), '!');
          assertThat(found(almost)).as(almost).isEmpty();
        }
      }
    }
  }

  @Test
  void agreesWithContainsOnRandomText() {
    var random = new SplittableRandom(7);
    String letters = "KEYTOpasword:/hf_sk-ab";
    for (int i = 0; i < 20_000; i++) {
      var text = new StringBuilder();
      for (int k = random.nextInt(12); k > 0; k--) {
        text.append(letters.charAt(random.nextInt(letters.length())));
      }
      assertThat(found(text.toString())).as(text.toString()).isEqualTo(places(text.toString()));
    }
  }

  @Test
  void nothingOccursInNothing() {
    assertThat(found("")).isEmpty();
    new WordFilter(List.of()).find(bytes("KEY"), (index, _) -> fail(index));
  }

  private static void fail(int index) {
    throw new AssertionError("word " + index);
  }

  /// Each word with each of its places.
  private static Set<String> found(String text) {
    var found = new TreeSet<String>();
    new WordFilter(WORDS)
        .find(bytes(text), (index, at) -> found.add(WORDS.get(index) + " at " + at));
    return found;
  }

  private static Set<String> places(String text) {
    var places = new TreeSet<String>();
    for (var word : WORDS) {
      for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        places.add(word + " at " + bytes(text.substring(0, at)).length);
      }
    }
    return places;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
