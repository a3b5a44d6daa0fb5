package io.ringside.shipper.source.log.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.LogChunk;
import io.ringside.shipper.source.log.chunk.ChunkLimits;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogTailerTest {
  private static final String HEAD = "a first line that is long enough to tell files apart\n";
  @TempDir Path folder;

  @Test
  void readsFromTheBeginningAndGoesLiveAtTheEnd() throws IOException {
    var rig = new TailRig(folder, "*.log").write("a.log", "old\n").second();
    rig.write("a.log", "new\nunfinished").second();
    assertThat(rig.text()).containsExactly("old", "new");
    assertThat(rig.chunks).extracting(LogChunk::live).containsExactly(false, false, true);
    assertThat(rig.chunks).extracting(LogChunk::sequence).containsExactly(0L, 1L, 2L);
    rig.write("a.log", " line\n").second();
    assertThat(rig.text()).endsWith("unfinished line");
  }

  @Test
  void aFileThatAppearsIsLiveFromItsFirstLine() throws IOException {
    var rig = new TailRig(folder, "*/x/*.log").second();
    rig.write("pod/x/0.log", "first\n").second().second();
    assertThat(rig.chunks).extracting(LogChunk::live).contains(true);
    assertThat(rig.text()).containsExactly("first");
  }

  @Test
  void followsOtherGlobsAndComesBackToWhereItWas() throws IOException {
    var rig = new TailRig(folder, "*.log").write("a.log", "1\n").write("b.txt", "x\n").second();
    rig.change(ChunkLimits.DEFAULT, "*.txt").second();
    rig.write("a.log", "2\n").second().second();
    assertThat(rig.text()).containsExactly("1", "x");
    assertThat(rig.files.files.get()).isEqualTo(1);
    rig.killAndStart().second();
    rig.change(ChunkLimits.DEFAULT, "*.txt", "*.log").second().second();
    assertThat(rig.distinctText()).containsExactly("1", "x", "2");
    assertThat(rig.epochs()).hasSize(2);
  }

  @Test
  void readsOnWithOtherLimitsAndPatterns() throws IOException {
    var rig = new TailRig(folder, "*.log").write("a.log", "x".repeat(40) + "\n").second();
    rig.change(new ChunkLimits(2, 1_000, 32), "*.log").second();
    rig.write("a.log", "y".repeat(40) + "\n1\n2\n").second();
    assertThat(rig.text()).containsExactly("x".repeat(40), "y".repeat(32), "1", "2");
    assertThat(rig.epochs()).hasSize(1);
    assertThat(rig.chunks.getLast().lines()).isEqualTo(1);
    assertThat(rig.chunks).extracting(chunk -> chunk.source().job()).endsWith("renamed");
    assertThat(rig.lines.cut.sum()).isEqualTo(1);
    rig.change(ChunkLimits.DEFAULT, "*.log").write("a.log", "z".repeat(40) + "\n").second();
    assertThat(rig.text()).endsWith("z".repeat(40));
  }

  @Test
  void epochsRiseThoughTheClockJumpsBack() throws IOException {
    var rig = new TailRig(folder, "*.log").write("a.log", "1\n").second().second();
    rig.now = rig.now.minus(Duration.ofHours(1));
    rig.rename("a.log", "a.log.1").write("a.log", "2\n").second().second();
    Files.delete(rig.file("a.log"));
    rig.pass(Duration.ofSeconds(20)).write("a.log", "3\n").second();
    Files.delete(rig.file("a.log"));
    rig.pass(Duration.ofSeconds(20)).stopAndStart();
    rig.now = rig.now.minus(Duration.ofHours(1));
    rig.write("a.log", "4\n").second().second();
    assertThat(rig.distinctText()).containsExactly("1", "2", "3", "4");
    assertThat(rig.epochs()).hasSize(4).isSorted();
  }

  @Test
  void drainsARenamedFileBeforeTheNextOne() throws IOException {
    var rig = new TailRig(folder, "*.log").write("a.log", HEAD + "1\n").second();
    rig.write("a.log", "2\n").rename("a.log", "a.log.20261120-204226").write("a.log", "4\n");
    rig.pass(Duration.ofMillis(200)).write("a.log.20261120-204226", "3\n").second().second();
    assertThat(rig.text()).containsExactly(HEAD.strip(), "1", "2", "3", "4");
    assertThat(rig.epochs()).hasSize(2).isSorted();
    assertThat(rig.files.rotations.sum()).isEqualTo(1);
    assertThat(rig.chunks).noneMatch(LogChunk::end);
  }

  @Test
  void takesTheUnfinishedLineOfARotatedFile() throws IOException {
    var rig = new TailRig(folder, "*.log").write("a.log", "1\nno end").second();
    rig.rename("a.log", "a.log.1").write("a.log", "2\n").second().second();
    assertThat(rig.text()).containsExactly("1", "no end", "2");
  }

  @Test
  void findsTheRotatedFileAfterARestart() throws IOException {
    var rig = new TailRig(folder, "*.log").write("a.log", HEAD + "1\n").second().second();
    rig.write("a.log", "2\n")
        .rename("a.log", "a.log.1")
        .write("a.log", "3\n")
        .rename("a.log", "a.log.2");
    touch("a.log.1", 1000);
    touch("a.log.2", 2000);
    rig.write("a.log", "4\n").killAndStart().second().second().second();
    assertThat(rig.text()).containsExactly(HEAD.strip(), "1", "2", "3", "4");
    assertThat(rig.epochs()).hasSize(3);
  }

  @Test
  void findsTheCompressedFileAfterARestart() throws IOException {
    var rig = new TailRig(folder, "*.log").write("a.log", HEAD + "1\n").second().second();
    rig.write("a.log", "2\n");
    pack("a.log", "a.log.20261120-204226.gz");
    Files.delete(rig.file("a.log"));
    rig.write("a.log", "another file\n").killAndStart().second().second().second();
    assertThat(rig.text()).containsExactly(HEAD.strip(), "1", "2", "another file");
  }

  @Test
  void readsTheCopyOfATruncatedFile() throws IOException {
    var rig = new TailRig(folder, "*.log").write("a.log", HEAD + "1\n").second();
    rig.write("a.log", "2\n");
    Files.copy(rig.file("a.log"), rig.file("a.log.1"));
    truncate("a.log");
    rig.write("a.log", "3\n").second().second();
    assertThat(rig.text()).containsExactly(HEAD.strip(), "1", "2", "3");
    assertThat(rig.files.truncations.sum()).isEqualTo(1);
    assertThat(rig.files.bytesLeftBehind.sum()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.log", "train.out", "rank0"})
  void doesNotReadACopyAsAnotherLog(String name) throws IOException {
    var rig = new TailRig(folder, name + "*").write(name, HEAD + "1\n").second();
    rig.write(name, "2\n").second();
    Files.createFile(rig.file(name + ".1"));
    rig.second(); // it is being written
    Files.copy(rig.file(name), rig.file(name + ".1"), StandardCopyOption.REPLACE_EXISTING);
    rig.second();
    truncate(name);
    rig.write(name, "3\n").second().second().stopAndStart().second().second();
    assertThat(rig.text()).containsExactly(HEAD.strip(), "1", "2", "3");
    assertThat(rig.chunks)
        .extracting(chunk -> chunk.source().id())
        .containsOnly(rig.chunks.getFirst().source().id());
  }

  @Test
  void seesATruncationEvenIfTheFileHasGrownBeyondItsOldSize() throws IOException {
    var rig = new TailRig(folder, "*.log").write("a.log", "1\n").second();
    truncate("a.log");
    rig.write("a.log", "longer than before\n").second();
    assertThat(rig.text()).containsExactly("1", "longer than before");
    assertThat(rig.epochs()).hasSize(2);
  }

  @Test
  void aDeletedFileEndsAndMayComeAgain() throws IOException {
    var rig = new TailRig(folder, "*.log").write("a.log", "1\n").second();
    rig.write("a.log", "2\n");
    Files.delete(rig.file("a.log"));
    rig.pass(Duration.ofSeconds(7));
    assertThat(rig.text()).containsExactly("1", "2");
    assertThat(rig.chunks.getLast().end()).isTrue();
    assertThat(rig.files.files).hasValue(0);
    rig.write("a.log", "3\n").second().second();
    assertThat(rig.text()).containsExactly("1", "2", "3");
    assertThat(rig.epochs()).hasSize(2);
  }

  /// Its pod was deleted while the agent was updated.
  @Test
  void aFileThatWasDeletedWhileNoAgentWasThereEnds() throws IOException {
    var rig = new TailRig(folder, "*.log").write("a.log", "1\n").write("b.log", "1\n");
    rig.second().second().write("a.log", "2\n").pass(Duration.ofMillis(200));
    Files.delete(rig.file("a.log"));
    rig.killAndStart().second();
    assertThat(rig.chunks).noneMatch(LogChunk::end);
    rig.pass(Duration.ofSeconds(7));
    var last = rig.chunks.stream().filter(LogChunk::end).toList();
    assertThat(last).hasSize(1);
    assertThat(last.getFirst().source().file()).endsWith("a.log");
    assertThat(last.getFirst().epoch()).isEqualTo(rig.epochs().getLast());
    int sent = rig.chunks.size();
    rig.stopAndStart().pass(Duration.ofSeconds(20));
    assertThat(rig.chunks).hasSize(sent);
  }

  @Test
  void aFileThatIsThereAgainSoonAfterARestartDoesNotEnd() throws IOException {
    var rig = new TailRig(folder, "*.log").write("a.log", "1\n").second().second();
    rig.rename("a.log", "elsewhere").killAndStart().second().rename("elsewhere", "a.log");
    rig.pass(Duration.ofSeconds(20));
    assertThat(rig.chunks).noneMatch(LogChunk::end);
  }

  @Test
  void readsACompressedFileOnceEvenAfterARestart() throws IOException {
    var rig = new TailRig(folder, "*.gz").write("x", "1\n2\n");
    pack("x", "0.log.gz");
    rig.second().second();
    assertThat(rig.text()).containsExactly("1", "2");
    assertThat(rig.chunks.getLast().end()).isTrue();
    rig.second().second().stopAndStart().second().second();
    assertThat(rig.text()).containsExactly("1", "2");
  }

  @Test
  void doesNotReadACompressedCopyOfWhatItTailed() throws IOException {
    var rig = new TailRig(folder, "a.log*").write("a.log", HEAD + "1\n").second();
    rig.rename("a.log", "a.log.1").write("a.log", "2\n").second().second();
    pack("a.log.1", "a.log.1.gz");
    Files.delete(rig.file("a.log.1"));
    rig.second().second().stopAndStart().second().second();
    assertThat(rig.text()).containsExactly(HEAD.strip(), "1", "2");
  }

  @Test
  void readsAFileWithTwoNamesOnce() throws IOException {
    var rig = new TailRig(folder, "links/*.log", "pods/*.log").write("pods/0.log", "1\n");
    Files.createDirectories(rig.file("links"));
    Files.createSymbolicLink(rig.file("links/x.log"), rig.file("pods/0.log"));
    rig.second().second();
    assertThat(rig.text()).containsExactly("1");
    assertThat(rig.chunks.getFirst().source().file()).endsWith("links/x.log");
  }

  @Test
  void goesOnWhereTheBrokerHasEverything() throws IOException {
    var rig = new TailRig(folder, "*.log").write("a.log", numbered(0, 1000)).second().second();
    rig.acks = false;
    rig.write("a.log", numbered(1000, 2000)).second();
    rig.acks = true;
    rig.killAndStart().write("a.log", numbered(2000, 2100)).second();
    assertThat(rig.distinctText()).isEqualTo(numbers(0, 2100));
    assertThat(rig.text()).hasSize(2100 + 1000);
    assertThat(rig.epochs()).hasSize(1);
  }

  @Test
  void anAckCountsOnlyWhenEveryEarlierChunkHasOne() throws IOException {
    var rig = new TailRig(folder, "*.log").write("a.log", numbered(0, 300)).second();
    rig.acks = false;
    rig.write("a.log", numbered(300, 1200)).second();
    int last = rig.answers.size() - 1;
    rig.answers.get(last).complete(null);
    rig.second().acks = true;
    rig.killAndStart().second();
    assertThat(rig.distinctText()).isEqualTo(numbers(0, 1200));
    assertThat(rig.text()).hasSize(1200 + 900);
  }

  @Test
  void readsAgainWhatWasRefused() throws IOException {
    var rig = new TailRig(folder, "*.log");
    rig.acks = false;
    rig.write("a.log", numbered(0, 900)).second();
    rig.answers.get(0).complete(null);
    rig.answers.get(1).complete(null);
    rig.answers.get(2).completeExceptionally(new IOException("refused"));
    rig.answers.get(3).complete(null);
    rig.acks = true;
    rig.second().second();
    assertThat(rig.distinctText()).isEqualTo(numbers(0, 900));
    assertThat(rig.files.rewinds.sum()).isEqualTo(1);
    assertThat(rig.files.lagBytes).hasValue(0);
  }

  @Test
  void stopsReadingWhenTheBudgetIsSpent() throws IOException {
    var rig = new TailRig(folder, 20_000, "*.log");
    rig.acks = false;
    rig.write("a.log", numbered(0, 10_000)).second();
    assertThat(rig.text()).hasSizeLessThan(3_000).isNotEmpty();
    while (rig.answers.stream().anyMatch(answer -> !answer.isDone())) {
      for (CompletableFuture<Void> answer : List.copyOf(rig.answers)) {
        answer.complete(null);
      }
      rig.pass(Duration.ofMillis(200));
    }
    assertThat(rig.text()).isEqualTo(numbers(0, 10_000));
  }

  @Test
  void survivesACrashInTheMiddleOfAPartialLine() throws IOException {
    String stamp = "2026-11-20T20:42:26.1Z stdout ";
    var rig = new TailRig(folder, "*.log").write("a.log", stamp + "F 1\n" + stamp + "P 2a \n");
    rig.write("a.log", "2026-11-20T20:42:26.1Z stderr F 3\n").second().second();
    rig.killAndStart().write("a.log", stamp + "F 2b\n").second();
    assertThat(rig.text()).containsExactly("1", "3", "2a 2b");
  }

  @Test
  void showsTheLastStateOfAProgressBarThatStands() throws IOException {
    var rig = new TailRig(folder, "*.log").write("a.log", "\r  1%|\r  2%|").second().second();
    assertThat(rig.text()).containsExactly("  1%|", "  2%|");
    rig.write("a.log", "\r  3%|\n").second();
    assertThat(rig.text()).containsExactly("  1%|", "  2%|", "  3%|");
  }

  @Test
  void aClockThatJumpsBackChangesNothing() throws IOException {
    var rig = new TailRig(folder, "*.log").write("a.log", "1\n").second();
    rig.now = rig.now.minus(Duration.ofHours(1));
    rig.write("a.log", "2\n").second().rename("a.log", "a.log.1").write("a.log", "3\n");
    rig.second().second().stopAndStart().write("a.log", "4\n").second();
    assertThat(rig.text()).containsExactly("1", "2", "3", "4");
    assertThat(rig.epochs()).hasSize(2).isSorted();
  }

  @Test
  void goesOnWhenCheckpointsCannotBeWritten() throws IOException {
    var rig = new TailRig(folder, "*.log").write("state", "a file where a folder should be");
    rig.write("a.log", "1\n").second().write("a.log", "2\n").second();
    assertThat(rig.text()).containsExactly("1", "2");
    assertThat(rig.files.checkpointFailures.sum()).isPositive();
    Files.delete(rig.file("state"));
    rig.second().second().killAndStart().write("a.log", "3\n").second();
    assertThat(rig.text()).containsExactly("1", "2", "3");
  }

  @Test
  void setsDamagedCheckpointsAside() throws IOException {
    var rig = new TailRig(folder, "*.log").write("a.log", "1\n").second().second();
    Files.writeString(rig.file("state/checkpoints.json"), "{\"version\":1,");
    rig.killAndStart().second();
    assertThat(rig.text()).containsExactly("1", "1");
    assertThat(rig.file("state/checkpoints.json.damaged")).exists();
  }

  private void touch(String name, long secondsAfter) throws IOException {
    var time = Files.getLastModifiedTime(folder.resolve(name)).toInstant();
    Files.setLastModifiedTime(
        folder.resolve(name),
        java.nio.file.attribute.FileTime.from(time.minusSeconds(10_000 - secondsAfter)));
  }

  private void truncate(String name) throws IOException {
    FileChannel.open(
            folder.resolve(name), StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
        .close();
  }

  private void pack(String from, String to) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve(to)))) {
      Files.copy(folder.resolve(from), out);
    }
  }

  private static List<String> numbers(int from, int to) {
    return new ArrayList<>(IntStream.range(from, to).mapToObj(i -> "line " + i).toList());
  }

  private static String numbered(int from, int to) {
    return String.join("\n", numbers(from, to)) + "\n";
  }
}
