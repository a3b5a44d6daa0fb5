package io.ringside.standalone.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyWordsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "h:1:2 [0] NCCL INFO Using network Socket | Using network Socket",
        "h:1:2 [0] NCCL INFO AllReduce: opCount 7a | AllReduce",
        "h:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 4[4] [send] via NET/Socket/0 | via NET/Socket/0",
        "RuntimeError: CUDA out of memory | RuntimeError/out of memory",
        "nothing of note | ''",
      })
  void marksWhatALineIsShownFor(String line, String marked) {
    assertThat(
            KeyWords.marked(line).stream()
                .filter(piece -> piece.ink() == AnsiColour.STRONG)
                .map(ColouredText::text)
                .collect(Collectors.joining("/")))
        .isEqualTo(marked);
  }

  @Test
  void areThoseOfThePage() throws IOException {
    var words =
        Pattern.compile("^  /(.*)/,$", Pattern.MULTILINE)
            .matcher(resource("keywords.js"))
            .results()
            .map(line -> line.group(1))
            .collect(Collectors.joining("|"));
    assertThat(words).isEqualTo(KeyWords.pattern());
  }

  /// Another closed set that the page has words for.
  @Test
  void causesAreThoseOfThePage() throws IOException {
    var causes =
        Pattern.compile("^  \"([a-z-]+)\": \"(.*)\",$", Pattern.MULTILINE)
            .matcher(resource("told.js"))
            .results()
            .collect(Collectors.toMap(line -> line.group(1), line -> line.group(2)));
    assertThat(causes).isEqualTo(FindingSection.causes());
  }

  private static String resource(String name) throws IOException {
    try (var in = KeyWordsTest.class.getResourceAsStream("/web/" + name)) {
      return new String(requireNonNull(in, name).readAllBytes(), UTF_8);
    }
  }

  @Test
  void losesNothing() {
    var line = "x Error y failed z via NET/Socket";
    assertThat(KeyWords.marked(line).stream().map(ColouredText::text).collect(Collectors.joining()))
        .isEqualTo(line);
    assertThat(KeyWords.marked("")).hasSize(1);
  }
}
