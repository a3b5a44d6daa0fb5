package io.ringside.schemas.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Text;
import io.ringside.schemas.serde.ChunkSerde;
import io.ringside.schemas.serde.EventSerde;
import io.ringside.schemas.serde.UndecodableEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The quick way of reading chunks gives what the general way gives.
class ChunkReaderTest {
  private static final EventSerde<LogChunk> GENERAL = new EventSerde<>(LogChunk.class);

  private final ChunkSerde quick = new ChunkSerde();

  @Test
  void readsWhateverTheGeneralWriterWrites() {
    var random = new SplittableRandom(3);
    for (int i = 0; i < 2_000; i++) {
      var chunk = chunk(random);
      var bytes = GENERAL.serializer().serialize("t", chunk);

      assertThat(quick.deserializer().deserialize("t", bytes)).isEqualTo(chunk);
    }
  }

  @Test
  void agreesWithTheGeneralReaderOnDamagedChunks() {
    var random = new SplittableRandom(4);
    for (int i = 0; i < 5_000; i++) {
      var bytes = GENERAL.serializer().serialize("t", chunk(random));
      for (int k = random.nextInt(3); k >= 0; k--) {
        int at = random.nextInt(bytes.length);
        // bytes of longer characters stay: the quick way does not mind broken ones
        bytes[at] = bytes[at] < 0 ? bytes[at] : (byte) random.nextInt(32, 127);
      }

      assertThat(outcome(quick, bytes)).isEqualTo(outcome(GENERAL, bytes));
    }
  }

  @Test
  void leavesOtherFormsToTheGeneralReader() {
    var json =
        """
        {"epoch": 3, "source": {"cluster":"c","node":"n","namespace":"","pod":"p","podUid":"","container":"","job":"j",
        "file":"f"}, "later": [1], "sequence":0,"firstOffset":0,"nextOffset":2,"readAt":"2026-11-21T00:00:00Z","live":true,
        "end":false,"text":"\\u00e9\\uD83D\\uDE00","offsets":[0],"baseNanos":0,"nanos":[],"cut":[]}
        """;

    var chunk = quick.deserializer().deserialize("t", json.getBytes(StandardCharsets.UTF_8));

    assertThat(chunk.text()).isEqualTo(Text.of("\u00e9\uD83D\uDE00"));
    assertThat(chunk.epoch()).isEqualTo(3);
    assertThatThrownBy(() -> quick.deserializer().deserialize("t", new byte[] {'{', '"'}))
        .isInstanceOf(UndecodableEvent.class);
  }

  private static Object outcome(
      org.apache.kafka.common.serialization.Serde<LogChunk> serde, byte[] bytes) {
    try {
      return serde.deserializer().deserialize("t", bytes);
    } catch (RuntimeException e) {
      return "refused";
    }
  }

  private static LogChunk chunk(SplittableRandom random) {
    int lines = random.nextInt(6);
    var text = new StringBuilder();
    var offsets = new int[lines];
    var nanos = new long[random.nextBoolean() ? lines : 0];
    for (int i = 0; i < lines; i++) {
      if (i > 0) {
        text.append('\n');
      }
      offsets[i] = text.length();
      for (int k = random.nextInt(20); k > 0; k--) {
        text.appendCodePoint(
            random.nextInt(4) == 0
                ? "\"\\/\t\r\b\f\u0001\u001b█é\u2028".codePointAt(random.nextInt(12))
                : random.nextInt(32, 127));
      }
      if (nanos.length > 0) {
        nanos[i] = random.nextLong();
      }
    }
    return new LogChunk(
        new LogSource("", "n{" + random.nextInt(3), "a\"b", "p", "u]", "", "j\\", "/f/" + lines),
        random.nextLong(0, Long.MAX_VALUE),
        random.nextInt(100),
        5,
        random.nextLong(5, 1L << 60),
        Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)),
        random.nextBoolean(),
        random.nextBoolean(),
        Text.of(text.toString()),
        offsets,
        random.nextBoolean() ? LogChunk.NO_TIME : random.nextLong(),
        nanos,
        random.nextBoolean() ? new int[0] : new int[] {0, 3});
  }
}
