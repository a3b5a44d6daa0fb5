package io.ringside.shipper.source.log.chunk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Nanos;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LineDecoderTest {
  private static final ChunkLimits SHORT_LINES = new ChunkLimits(10, 1000, 16);

  @Test
  void splitsAtLfAndCrLfAndKeepsOffsetsOfFirstBytes() {
    var lines = Lines.of("one\ntwo\r\n\nthree\r\r\nfour");
    assertThat(lines.text()).containsExactly("one", "two", "", "three", "four");
    assertThat(lines.offsets()).containsExactly(0L, 4L, 9L, 10L, 18L);
    assertThat(lines.times()).containsOnly(LogChunk.NO_TIME);
  }

  @Test
  void keepsFirstAndLastStateOfAProgressBarAndTheTextAfterIt() {
    var lines = Lines.of("\r 1%|  | 1/99\r 2%|  | 2/99\r 3%|  | 3/99\rdone\nnext\n");
    assertThat(lines.text()).containsExactly(" 1%|  | 1/99", " 3%|  | 3/99", "done", "next");
    assertThat(lines.counts().bars.sum()).isEqualTo(1);
  }

  @Test
  void keepsTheFirstBarOfEachSecondThatItShows() {
    var lines =
        Lines.of(
            "\r 1%|  | 1/99 [00:10<16:20, 10.0s/it]\r 1%|  | 2/99 [00:10<16:20, 10.0s/it]"
                + "\r 2%|  | 3/99 [00:40<32:00, 20.0s/it]\r 3%|  | 4/99 [01:00:10<1:32:00, 20.0s/it]"
                + "\r 3%|  | 5/99 [01:00:10<1:32:00, 20.0s/it]\r{'loss': 2.1}\n");
    assertThat(lines.text())
        .containsExactly(
            " 1%|  | 1/99 [00:10<16:20, 10.0s/it]",
            " 2%|  | 3/99 [00:40<32:00, 20.0s/it]",
            " 3%|  | 4/99 [01:00:10<1:32:00, 20.0s/it]",
            " 3%|  | 5/99 [01:00:10<1:32:00, 20.0s/it]",
            "{'loss': 2.1}");
    assertThat(lines.counts().bars.sum()).isEqualTo(1);
  }

  @Test
  void keepsTheBarsOfRanksThatBeganAtOtherMoments() {
    var text = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      text.append("\r 1%%|  | %d/99 [00:0%d<16:20, 1.0it/s]".formatted(i, i / 10));
      text.append("\r 1%%|  | %d/99 [00:3%d<16:20, 1.0it/s]".formatted(i, i / 10));
    }
    var lines = Lines.of(text + "\rdone\n");
    assertThat(lines.text())
        .containsExactly(
            " 1%|  | 0/99 [00:00<16:20, 1.0it/s]",
            " 1%|  | 0/99 [00:30<16:20, 1.0it/s]",
            " 1%|  | 10/99 [00:01<16:20, 1.0it/s]",
            " 1%|  | 10/99 [00:31<16:20, 1.0it/s]",
            " 1%|  | 19/99 [00:31<16:20, 1.0it/s]",
            "done");
  }

  @Test
  void takesNoOtherBracketForABarsClock() {
    var lines = Lines.of("\r[1/3] 1%|  | 1/9\r[2/3] 2%|  | 2/9\r[12:3] 3%|  | 3/9\r[4] 4%|\rx\n");
    assertThat(lines.text()).containsExactly("[1/3] 1%|  | 1/9", "[4] 4%|", "x");
  }

  @Test
  void keepsTheUnfinishedStateOfABarAtTheEnd() {
    var lines = Lines.of("\r 10%|█ | 1/10\r 20%|██ | 2/10\r 30%|███ | 3/10");
    assertThat(lines.text()).containsExactly(" 10%|█ | 1/10", " 20%|██ | 2/10", " 30%|███ | 3/10");
  }

  @Test
  void neverDropsWhatIsNoBarAlthoughItEndsWithALoneCr() {
    var lines = Lines.of("a\rb\rc\r50% h:1:2 [0] NCCL INFO x\r 2%|\r 3%|\n");
    assertThat(lines.text())
        .containsExactly("a", "b", "c", "50% h:1:2 [0] NCCL INFO x", " 2%|", " 3%|");
  }

  @Test
  void readsTheTimesOfContainerd() {
    var lines =
        Lines.of(
            """
            2026-11-20T20:42:26.942294769Z stdout F llama-c-node-0-0:2676:2676 [0] NCCL INFO cudaDriverVersion 13000
            2026-11-20T21:42:26.9427+01:00 stderr F second
            no stamp
            2026-11-20T20:42:27Z stdout F\s
            """);
    assertThat(lines.text())
        .containsExactly(
            "llama-c-node-0-0:2676:2676 [0] NCCL INFO cudaDriverVersion 13000",
            "second",
            "no stamp",
            "");
    assertThat(lines.times())
        .containsExactly(
            nanos("2026-11-20T20:42:26.942294769Z"),
            nanos("2026-11-20T20:42:26.9427Z"),
            nanos("2026-11-20T20:42:26.9427Z"),
            nanos("2026-11-20T20:42:27Z"));
  }

  @Test
  void joinsPartialLinesOfEachStreamWhileOthersGoOn() {
    String first = "2026-11-20T20:42:26.1Z stdout P one \n";
    String other = "2026-11-20T20:42:26.2Z stderr F other\n";
    var lines =
        Lines.of(
            first
                + other
                + "2026-11-20T20:42:26.3Z stdout P two \n"
                + "2026-11-20T20:42:26.4Z stdout F three\n");
    assertThat(lines.text()).containsExactly("other", "one two three");
    assertThat(lines.offsets().get(1)).isEqualTo(first.length() + other.length() + 37L);
    assertThat(lines.times().get(1)).isEqualTo(nanos("2026-11-20T20:42:26.4Z"));
  }

  @Test
  void givesAPartialLineThatNeverEnds() {
    var lines =
        Lines.of("2026-11-20T20:42:26.1Z stdout F a\n2026-11-20T20:42:26.2Z stdout P the rest\n");
    assertThat(lines.text()).containsExactly("a", "the rest");
  }

  @Test
  void readsAndJoinsDockersLines() {
    var lines =
        Lines.of(
            """
            {"log":"caf\\u00e9 \\"x\\"\\t\\ud83d\\ude00\\n","stream":"stdout","time":"2026-11-20T20:42:26.5Z"}
            {"log":"in two ","stream":"stderr","attrs":{"a":"},{"},"time":"2026-11-20T20:42:26.6Z"}
            {"time":"2026-11-20T20:42:26.7Z","stream":"stderr","log":"parts\\r\\n"}
            """);
    assertThat(lines.text()).containsExactly("café \"x\"\t😀", "in two parts");
    assertThat(lines.times())
        .containsExactly(nanos("2026-11-20T20:42:26.5Z"), nanos("2026-11-20T20:42:26.7Z"));
  }

  @Test
  void readsTheTimesOfKubectlLogs() {
    var lines = Lines.of("\n2026-11-20T20:42:26.5Z step 1\n2026-11-20T20:42:26.6Z\n");
    assertThat(lines.text()).containsExactly("", "step 1", "");
    assertThat(lines.times().get(1)).isEqualTo(nanos("2026-11-20T20:42:26.5Z"));
  }

  @Test
  void splitsProgressBarsInsideAContainersLine() {
    var lines =
        Lines.of(
            "2026-11-20T20:42:26.5Z stderr F \r 1%|\r 2%|\r 3%|\n2026-11-20T20:42:27Z stderr F x\n");
    assertThat(lines.text()).containsExactly(" 1%|", " 3%|", "x");
    assertThat(lines.offsets()).containsExactly(0L, 0L, 48L);
  }

  @Test
  void cutsALongLineAtACharacterAndCountsTheRest() {
    var lines = Lines.of("0123456789abcdé0123\nnext\n".getBytes(UTF_8), SHORT_LINES);
    assertThat(lines.text()).containsExactly("0123456789abcdé", "next");
    assertThat(lines.cut()).containsExactly(0);
    assertThat(lines.counts().cutBytes.sum()).isEqualTo(4);
    assertThat(lines.offsets()).containsExactly(0L, 21L);
  }

  @Test
  void cutsALongContainerLineAndALongJoinedOne() {
    var lines =
        Lines.of(
            ("2026-11-20T20:42:26.1Z stdout F "
                    + "y".repeat(5000)
                    + "\n"
                    + "2026-11-20T20:42:26.2Z stdout P 0123456789\n"
                    + "2026-11-20T20:42:26.3Z stdout P 0123456789\n"
                    + "2026-11-20T20:42:26.4Z stdout F end\n"
                    + "2026-11-20T20:42:26.5Z stdout F z\n")
                .getBytes(UTF_8),
            SHORT_LINES);
    assertThat(lines.text()).containsExactly("y".repeat(16), "0123456789012345", "z");
    assertThat(lines.cut()).containsExactly(0, 1);
    assertThat(lines.counts().cutBytes.sum()).isEqualTo(5000 - 16 + 4 + 3);
  }

  @Test
  void replacesAndCountsWhatIsNoUtf8() {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes("ok \ufffd ".getBytes(UTF_8));
    bytes.write(0xff);
    bytes.write('\n');
    var lines = Lines.of(bytes.toByteArray(), ChunkLimits.DEFAULT);
    assertThat(lines.text()).containsExactly("ok \ufffd \ufffd");
    assertThat(lines.counts().invalid.sum()).isEqualTo(1);
  }

  @Test
  void skipsNulsWhereALineBeginsAndKeepsThemWithin() {
    var lines = Lines.of("\0\0\0one\ntw\0o\n");
    assertThat(lines.text()).containsExactly("one", "tw\0o");
    assertThat(lines.offsets()).containsExactly(3L, 7L);
    assertThat(lines.counts().nulBytes.sum()).isEqualTo(3);
  }

  private static long nanos(String time) {
    return Nanos.of(Instant.parse(time));
  }
}
