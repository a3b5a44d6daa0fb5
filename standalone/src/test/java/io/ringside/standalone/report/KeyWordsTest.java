package io.ringside.standalone.report;

import static org.assertj.core.api.Assertions.assertThat;

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
                .filter(piece -> piece.ink() == Ink.STRONG)
                .map(Span::text)
                .collect(Collectors.joining("/")))
        .isEqualTo(marked);
  }

  @Test
  void losesNothing() {
    var line = "x Error y failed z via NET/Socket";
    assertThat(KeyWords.marked(line).stream().map(Span::text).collect(Collectors.joining()))
        .isEqualTo(line);
    assertThat(KeyWords.marked("")).hasSize(1);
  }
}
