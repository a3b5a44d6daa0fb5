package io.ringside.shipper.source.log.recorded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.schemas.event.LogChunk;
import io.ringside.shipper.source.log.chunk.ChunkLimits;
import io.ringside.shipper.source.log.chunk.Lines;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingTest {
  @TempDir Path folder;

  @Test
  void announcesEverySourceThenTakesTurnsAndEndsEach() throws IOException {
    var a = numbered("a.log", 700);
    var b = numbered("b.log", 10);
    var shipped = ship(List.of(a, b));
    assertThat(shipped)
        .extracting(chunk -> chunk.source().pod() + chunk.sequence() + ":" + chunk.lines())
        .containsExactly("a0:0", "b0:0", "a1:300", "b1:10", "b2:0", "a2:300", "a3:100", "a4:0");
    assertThat(shipped).filteredOn(LogChunk::end).hasSize(2).noneMatch(LogChunk::live);
  }

  @Test
  void chunksOfAFileTouchAndGiveItsLinesBack() throws IOException {
    var log = numbered("a.log", 5000);
    long expected = 0;
    for (LogChunk chunk : ship(List.of(log))) {
      assertThat(chunk.firstOffset()).isEqualTo(expected);
      expected = chunk.nextOffset();
    }
    assertThat(expected).isEqualTo(Files.size(log));
    assertThat(Lines.ofFile(log, ChunkLimits.DEFAULT).text()).isEqualTo(Files.readAllLines(log));
  }

  @Test
  void linesDoNotDependOnWhereBuffersAndChunksEnd() throws IOException {
    var random = new SplittableRandom(7);
    var log = folder.resolve("mixed.log");
    try (var out = Files.newOutputStream(log)) {
      for (int i = 0; i < 3000; i++) {
        byte[] line = new byte[random.nextInt(40)];
        for (int k = 0; k < line.length; k++) {
          line[k] = (byte) "ab%\0é\r/s".charAt(random.nextInt(8));
        }
        out.write(line);
        out.write(random.nextInt(5) == 0 ? bytes("\r\n") : bytes("\n"));
      }
    }
    var whole = Lines.ofFile(log, new ChunkLimits(1_000_000, 1 << 20, 256 << 10));
    var pieces = Lines.ofFile(log, new ChunkLimits(3, 50, 64));
    assertThat(pieces.text()).isEqualTo(whole.text());
    assertThat(pieces.offsets()).isEqualTo(whole.offsets());
  }

  @Test
  void readsCompressedFilesLikePlainOnes() throws IOException {
    var plain = numbered("a.log", 20_000);
    var packed = folder.resolve("0.log.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      Files.copy(plain, out);
    }
    var fromPacked = Lines.ofFile(packed, ChunkLimits.DEFAULT);
    assertThat(fromPacked)
        .usingRecursiveComparison()
        .ignoringFields("counts")
        .isEqualTo(Lines.ofFile(plain, ChunkLimits.DEFAULT));
  }

  @Test
  void reportsEveryByteAsProgress() throws IOException {
    var logs = List.of(numbered("a.log", 3000), numbered("b.log", 1));
    var read = new AtomicLong();
    Recording.ship(recorded(logs), _ -> {}, read::addAndGet);
    assertThat(read).hasValue(Files.size(logs.get(0)) + Files.size(logs.get(1)));
  }

  @Test
  void oneLineOfManyMegabytesIsCutAndCounted() throws IOException {
    var log = folder.resolve("long.log");
    byte[] piece = bytes("x".repeat(1 << 20));
    try (var out = Files.newOutputStream(log)) {
      for (int i = 0; i < 50; i++) {
        out.write(piece);
      }
      out.write(bytes("\nlast\n"));
    }
    var lines = Lines.ofFile(log, ChunkLimits.DEFAULT);
    assertThat(lines.text()).containsExactly("x".repeat(64 << 10), "last");
    assertThat(lines.counts().cutBytes.sum()).isEqualTo((50L << 20) - (64 << 10));
  }

  @Test
  void namesTheFileThatCannotBeRead() throws IOException {
    var missing = folder.resolve("missing.log");
    assertThatThrownBy(() -> ship(List.of(missing)))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot read " + missing + ": no such file");
    assertThatThrownBy(() -> ship(List.of(folder))).hasMessageContaining("it is a directory");
    var broken = Files.writeString(folder.resolve("broken.gz"), "no gzip");
    assertThatThrownBy(() -> ship(List.of(broken))).hasMessageContaining(broken.toString());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Path numbered(String name, int lines) throws IOException {
    return Files.write(
        folder.resolve(name), IntStream.range(0, lines).mapToObj(i -> name + " " + i).toList());
  }

  private static List<RecordedLog> recorded(List<Path> files) {
    return files.stream().map(file -> new RecordedLog(file, Lines.source(file))).toList();
  }

  private static List<LogChunk> ship(List<Path> files) throws IOException {
    var chunks = new ArrayList<LogChunk>();
    Recording.ship(recorded(files), chunks::add, _ -> {});
    return chunks;
  }
}
