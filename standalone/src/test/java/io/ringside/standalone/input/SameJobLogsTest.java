package io.ringside.standalone.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SameJobLogsTest {
  private static final String WORLD = "0x474f4148703b680e";
  private static final String OTHER = "0x12bd04f1c2a7e3ac";

  @TempDir Path folder;

  @Test
  void joinsTheFilesThatNcclNamesByHostAndProcess() throws IOException {
    write("nccl.wk-0.3262.log", init(0, WORLD));
    write("nccl.wk-0.3263.log", init(1, WORLD));
    write("nccl.wk-1.3275.log", init(2, WORLD));

    assertThat(jobs()).containsExactly("nccl.wk", "nccl.wk", "nccl.wk");
  }

  @Test
  void looksIntoTheOldestPartOfARotatedLog() throws IOException {
    write("left.log", "step 2\n");
    packed("left.log.1.gz", init(0, WORLD));
    write("right.log", init(1, WORLD));

    assertThat(jobs())
        .containsExactly(folder.getFileName().toString(), folder.getFileName().toString());
  }

  @Test
  void joinsWorldsThatShareAFile() throws IOException {
    write("job-a.log", init(0, WORLD));
    write("job-b.log", init(1, WORLD) + init(0, OTHER));
    write("job-c.log", init(1, OTHER));

    assertThat(jobs()).containsExactly("job", "job", "job");
  }

  @Test
  void leavesApartWhatTellsOfTheSameRank() throws IOException {
    write("run.log", init(0, WORLD) + init(1, WORLD));
    write("copy of run.log", init(0, WORLD) + init(1, WORLD));

    assertThat(jobs()).containsExactly("", "");
  }

  @Test
  void leavesNamesAloneThatTellTheJob() throws IOException {
    write("llama-node-0-0.log", init(0, WORLD));
    write("llama-node-0-1.log", init(1, WORLD));
    write("notes.log", "no communicator\n");
    write("alone.log", " rank 0 nranks 1 cudaDev 0 commId " + OTHER + " - Init START\n");

    assertThat(jobs()).containsExactly("", "", "", "");
  }

  @Test
  void givesWhatTheLauncherPrintedToTheRanksBesideIt() throws IOException {
    write("rank0.log", init(0, WORLD));
    write("rank1.log", init(1, WORLD));
    write("torchrun.log", "exitcode: -9\n");
    write("stderr.txt", "Traceback (most recent call last):\n");

    assertThat(jobs()).containsOnly("rank");
  }

  @Test
  void leavesALauncherAloneThatMayBeOfAnotherJob() throws IOException {
    write("a.log", init(0, WORLD));
    write("b.log", init(0, OTHER));
    write("torchrun.log", "exitcode: -9\n");
    assertThat(jobs()).containsOnly("");

    Files.createDirectory(folder.resolve("two"));
    write("two/a.log", init(2, WORLD));
    write("two/slurm-7.log", "exit code 1\n");
    write("two/slurm-8.log", "exit code 1\n");
    assertThat(jobs("two")).containsOnly("");
  }

  @Test
  void joinsFilesOfOneFolderThatAreNumberedByRank() throws IOException {
    Files.createDirectory(folder.resolve("llama"));
    write("llama/rank_0.log", "step 1\n");
    write("llama/rank_1.log", "step 1\n");
    write("llama/rank_10.log", "step 1\n");
    write("llama/run1.log", "step 1\n");
    write("llama/run2.log", "step 1\n");

    assertThat(jobs()).containsExactly("llama", "llama", "llama", "", "");
  }

  @Test
  void leavesNumberedFilesOfDifferentWorldsApart() throws IOException {
    write("worker0.log", init(0, WORLD) + init(1, WORLD));
    write("worker1.log", init(0, OTHER) + init(1, OTHER));
    Files.createDirectory(folder.resolve("other"));
    write("other/worker2.log", "step 1\n");

    assertThat(jobs()).containsExactly("", "", "");
  }

  private List<String> jobs() {
    return jobs(".");
  }

  private List<String> jobs(String below) {
    return Inputs.of(List.of(folder.resolve(below).normalize().toString())).files().stream()
        .map(InputFile::job)
        .toList();
  }

  private static String init(int rank, String world) {
    return "wk:1:1 [0] NCCL INFO ncclCommInitRank comm 0x1 rank %d nranks 3 cudaDev 0 nvmlDev 0 busId 1b000 commId %s - Init START\n"
        .formatted(rank, world);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private void packed(String name, String text) throws IOException {
    try (var out = new GZIPOutputStream(Files.newOutputStream(folder.resolve(name)))) {
      out.write(text.getBytes(ISO_8859_1));
    }
  }
}
