package io.ringside.schemas.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Text;
import io.ringside.schemas.serde.EventJson;
import io.ringside.schemas.topic.Topics;
import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ChunkJsonTest {
  private static final LogSource SOURCE =
      new LogSource("c", "n", "ns", "p \"q\"", "u", "t", "j", "/var/log/é\\x.log");

  @Test
  void writesTheSameBytesAsTheGeneralWriter() {
    var text = new StringBuilder();
    for (char c = 0; c < 0x180; c++) {
      text.append(c).append(c % 7 == 0 ? "plain text" : "");
    }
    text.append("progress 10%|█▏ | 😀 \u2028\ufffd");
    same(chunk(text.toString(), new int[] {0, 5, 1 << 30}, 12, new long[] {0, -5, 99}));
  }

  @Test
  void writesChunksOfAnyShape() {
    same(chunk("", new int[0], 0, new long[0]));
    same(chunk("", new int[] {0}, Long.MIN_VALUE, new long[] {Long.MAX_VALUE}));
    same(chunk("\"", new int[] {7}, Long.MAX_VALUE, new long[] {Long.MIN_VALUE}));
    var random = new SplittableRandom(5);
    for (int i = 0; i < 500; i++) {
      var text = new StringBuilder();
      for (int k = random.nextInt(400); k > 0; k--) {
        text.appendCodePoint("ab\"\\\n\r\t\0\u001f é█😀".codePointAt(2 * random.nextInt(6)));
      }
      same(chunk(text.toString(), new int[] {random.nextInt(1 << 30)}, i, new long[0]));
    }
  }

  private static LogChunk chunk(String text, int[] offsets, long base, long[] nanos) {
    return new LogChunk(
        SOURCE,
        1795207347000L,
        17,
        123,
        1L << 40,
        Instant.parse("2026-11-20T20:42:27.043000001Z"),
        text.isEmpty(),
        !text.isEmpty(),
        Text.of(text),
        offsets,
        base,
        nanos,
        offsets.length == 3 ? new int[] {1, 2} : new int[0]);
  }

  private static void same(LogChunk chunk) {
    var written = Topics.LOGS.valueSerde().serializer().serialize(Topics.LOGS.name(), chunk);

    assertThat(new String(written, UTF_8))
        .isEqualTo(new String(EventJson.MAPPER.writeValueAsBytes(chunk), UTF_8));
  }
}
