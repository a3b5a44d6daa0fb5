package io.ringside.shipper.source.log.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.shipper.source.log.chunk.ChunkLimits;
import io.ringside.shipper.source.log.chunk.Workspace;
import io.ringside.shipper.source.log.line.LineCounts;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedReaderTest {
  private static final LineCounts COUNTS = new LineCounts();

  @TempDir Path folder;

  @Test
  void makesTheSameChunksHoweverManyAreReadAtOnce() throws IOException {
    var plain = folder.resolve("a.log");
    Files.write(plain, text());
    var packed = folder.resolve("a.log.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      Files.copy(plain, out);
    }

    for (var file : List.of(plain, packed)) {
      var expected = chunks(file, 1, 1);
      assertThat(expected).hasSizeGreaterThan(50);
      for (int most : new int[] {2, 8, 33}) {
        assertThat(chunks(file, most, 1)).isEqualTo(expected);
        assertThat(chunks(file, most, 2)).isEqualTo(expected);
      }
    }
  }

  /// Short lines, some of several hundred kilobytes, bars, and no end to the last one.
  private static byte[] text() {
    var random = new SplittableRandom(11);
    var text = new StringBuilder();
    for (int line = 0; line < 20_000; line++) {
      int length = random.nextInt(2_000) == 0 ? 300_000 : random.nextInt(200);
      text.append(line).append(' ').append("é".repeat(random.nextInt(3)));
      text.append("x".repeat(length));
      text.append(random.nextInt(20) == 0 ? "\r 10%|#  | 1/10\r" : "\n");
    }
    return text.append("the end").toString().getBytes(StandardCharsets.UTF_8);
  }

  /// @param threads that take turns, each with buffers of its own
  private static List<LogChunk> chunks(Path file, int most, int threads) throws IOException {
    var chunks = new ArrayList<LogChunk>();
    var work = new ArrayList<Workspace>();
    for (int i = 0; i < threads; i++) {
      work.add(new Workspace(COUNTS));
    }
    var log = new RecordedLog(file, new LogSource("", "n", "", "p", "", "", "j", "a.log"));
    try (var reader = new RecordedReader(log, ChunkLimits.DEFAULT, COUNTS, true)) {
      int turn = 0;
      while (reader.next(work.get(turn % threads), most, chunks::add, _ -> {})) {
        turn++;
      }
    }
    return chunks;
  }
}
