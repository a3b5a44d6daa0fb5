package io.ringside.shipper.source.dump;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Pipes as PyTorch makes them, at which the test listens in its place.
@Timeout(60)
class DumpPipesTest {
  @TempDir private Path folder;
  private final AtomicBoolean stands = new AtomicBoolean(true);
  private final AtomicLong now = new AtomicLong();
  private final DumpCounts counts = new DumpCounts();
  private final List<FileChannel> listening = new ArrayList<>();
  private DumpPipes pipes;

  @BeforeEach
  void begin() throws IOException {
    Files.createDirectories(folder.resolve("jobs/ml_llama-0_5e1c"));
    pipes =
        new DumpPipes(
            List.of(folder.resolve("jobs") + "/*/*.pipe"),
            stands::get,
            counts,
            InstantSource.system(),
            now::get);
  }

  @AfterEach
  void close() throws IOException {
    for (var each : listening) {
      each.close();
    }
  }

  @Test
  void areAskedOnceASilence() throws Exception {
    var pipe = listen("rank0.pipe");

    look(0, 19);
    assertThat(counts.asked.sum()).isZero();
    look(1, 600);
    assertThat(counts.asked.sum()).isEqualTo(1);
    assertThat(read(pipe)).isEqualTo("1");

    stands.set(false);
    look(1, 1);
    stands.set(true);
    look(1, 600);
    assertThat(read(pipe)).isEqualTo("1");
  }

  @Test
  void areAskedAfterTenMinutesAtTheEarliestHoweverOftenItStands() throws Exception {
    listen("rank0.pipe");

    for (int minute = 0; minute < 20; minute++) {
      stands.set(true);
      look(1, 59);
      stands.set(false);
      look(1, 1);
    }

    assertThat(counts.asked.sum()).isEqualTo(2);
  }

  @Test
  void areNotAskedWhileAJobOnlyPausesNowAndThen() throws Exception {
    listen("rank0.pipe");

    for (int pause = 0; pause < 100; pause++) {
      stands.set(true);
      look(1, 19);
      stands.set(false);
      look(1, 1);
    }

    assertThat(counts.asked.sum()).isZero();
  }

  @Test
  void stopNobodyWhereNobodyListensOrReads() throws Exception {
    mkfifo("rank0.pipe");
    var full = listen("rank1.pipe");
    full.write(ByteBuffer.allocate(64 * 1024));
    var pipe = listen("rank2.pipe");

    look(0, 20);

    assertThat(counts.asked.sum()).isEqualTo(2);
    assertThat(read(pipe)).isEqualTo("1");
  }

  @Test
  void areNeitherFilesNorLinksOutOfTheirFolder() throws Exception {
    var file = Files.writeString(path("rank0.pipe"), "0");
    Files.createSymbolicLink(path("rank1.pipe"), Path.of("/dev/null"));
    Files.createDirectory(path("rank2.pipe"));
    var outside = folder.resolve("outside");
    make(outside);
    Files.createSymbolicLink(path("rank3.pipe"), outside);
    var pipe = listen("rank4.pipe");

    look(0, 20);

    assertThat(counts.asked.sum()).isEqualTo(1);
    assertThat(read(pipe)).isEqualTo("1");
    assertThat(file).hasContent("0");
  }

  @Test
  void areAskedUpToSixtyFourAtATime() throws Exception {
    for (int rank = 0; rank < 66; rank++) {
      listen("rank%02d.pipe".formatted(rank));
    }

    look(0, 20);

    assertThat(counts.asked.sum()).isEqualTo(64);
    assertThat(read(listening.get(63))).isEqualTo("1");
    // a byte more than what was written means that nothing was
    listening.get(64).write(ByteBuffer.wrap(new byte[] {'0'}));
    assertThat(read(listening.get(64))).isEqualTo("0");
  }

  /// Each second of these.
  private void look(int from, int to) {
    for (int second = from; second <= to; second++) {
      now.addAndGet(Duration.ofSeconds(1).toNanos());
      pipes.round();
    }
  }

  private Path path(String name) {
    return folder.resolve("jobs/ml_llama-0_5e1c").resolve(name);
  }

  private FileChannel listen(String name) throws Exception {
    var channel =
        FileChannel.open(mkfifo(name), Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
    listening.add(channel);
    return channel;
  }

  private Path mkfifo(String name) throws Exception {
    return make(path(name));
  }

  private static Path make(Path path) throws Exception {
    assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
    return path;
  }

  private static String read(FileChannel pipe) throws IOException {
    var bytes = ByteBuffer.allocate(16);
    pipe.read(bytes);
    return new String(bytes.array(), 0, bytes.position(), java.nio.charset.StandardCharsets.UTF_8);
  }
}
