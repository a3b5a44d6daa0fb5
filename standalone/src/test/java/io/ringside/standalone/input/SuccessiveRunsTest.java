package io.ringside.standalone.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuccessiveRunsTest {
  @TempDir Path root;

  @Test
  void givesRunsThatGoOnInTheNextFileOneJob() throws IOException {
    write("llama_run1.log", world("0x1111") + iterations(3, 150));
    write("llama_run2.log", world("0x2222") + iterations(153, 300));

    assertThat(logs()).containsExactly("llama: llama_run1.log", "llama: llama_run2.log");
  }

  @Test
  void countsRunsByTheirNumbersAndNotByTheAlphabet() throws IOException {
    write("llama/run9.log", world("0x1111") + bars(2, 400));
    write("llama/run10.log", world("0x2222") + bars(402, 800));

    assertThat(logs()).containsExactlyInAnyOrder("llama: run9.log", "llama: run10.log");
  }

  @Test
  void takesWhatStartsAgainFromACheckpointIfItSaysSo() throws IOException {
    write("slurm-811.out", world("0x1111") + iterations(3, 150));
    write(
        "slurm-812.out",
        world("0x2222")
            + " loading checkpoint from /ckpt at iteration 99\n"
            + iterations(102, 300));
    var folder = root.getFileName().toString();

    assertThat(logs()).containsExactly(folder + ": slurm-811.out", folder + ": slurm-812.out");

    write("slurm-812.out", world("0x2222") + iterations(102, 300)); // may be the end of any

    assertThat(logs()).containsExactly("slurm-811: slurm-811.out", "slurm-812: slurm-812.out");
  }

  /// Nothing tells where one run ends in a log that was joined of two, nor that they are alike.
  @Test
  void leavesRunsWithoutCommunicatorsApart() throws IOException {
    write("llama/run1.log", bars(2, 400));
    write("llama/run2.log", bars(402, 800));

    assertThat(logs()).containsExactly("run1: run1.log", "run2: run2.log");
  }

  /// Two experiments, each of which was resumed once.
  @Test
  void leavesSeriesOfSeveralJobsApart() throws IOException {
    write("exp/run1.log", world("0x1111") + bars(2, 400));
    write("exp/run2.log", world("0x2222") + bars(402, 800));
    write("exp/run3.log", world("0x3333") + bars(2, 400));
    write("exp/run4.log", world("0x4444") + bars(402, 800));

    assertThat(logs())
        .containsExactly("run1: run1.log", "run2: run2.log", "run3: run3.log", "run4: run4.log");
  }

  @Test
  void leavesNamesOfOtherLogsToThem() throws IOException {
    write("llama.log", world("0x9999") + bars(2, 400));
    write("llama_run1.log", world("0x1111") + bars(2, 400));
    write("llama_run2.log", world("0x2222") + bars(402, 800));

    assertThat(logs())
        .containsExactlyInAnyOrder(
            "llama: llama.log", "llama_run1: llama_run1.log", "llama_run2: llama_run2.log");
  }

  @Test
  void leavesRunsOfASweepApart() throws IOException {
    write("run1.log", world("0x1") + bars(2, 400));
    write("run2.log", world("0x2") + bars(2, 400));
    write("run3.log", world("0x3") + bars(2, 300));

    assertThat(logs()).containsExactly("run1: run1.log", "run2: run2.log", "run3: run3.log");
  }

  @Test
  void leavesEndsOfLogsApartThatWereWrittenTogether() throws IOException {
    write("out1.log", world("0x1") + "resuming from step 200\n" + bars(202, 800));
    write("out2.log", world("0x2") + "resuming from step 200\n" + bars(210, 800));

    assertThat(logs()).hasSize(2).allMatch(log -> log.matches("(\\S+): \\1\\.log"));
  }

  @Test
  void leavesStagesAndRanksApart() throws IOException {
    write("stage1.log", world("0x1") + bars(2, 400));
    write("stage2.log", world("0x2") + bars(402, 800));
    write("gpu0.log", world("0x3") + bars(2, 400));
    write("gpu1.log", world("0x4") + bars(402, 800));

    assertThat(logs()).hasSize(4).allMatch(log -> log.matches("(\\S+): \\1\\.log"));
  }

  @Test
  void leavesLogsOfOtherTrainingsApart() throws IOException {
    write("run1.log", world("0x1") + bars(2, 400));
    write("run2.log", world("0x2") + bars(402, 800).replace("/1000 ", "/5000 "));

    assertThat(logs()).hasSize(2).allMatch(log -> log.matches("(\\S+): \\1\\.log"));
  }

  @Test
  void leavesRunsOfOtherSizesApart() throws IOException {
    write("run1.log", world("0x1") + "  Gradient Accumulation steps = 2\n" + bars(2, 400));
    write("run2.log", world("0x2") + "  Gradient Accumulation steps = 4\n" + bars(402, 800));
    write("job1.log", world("0x3") + "world_size: 16\n" + bars(2, 400));
    write("job2.log", world("0x4") + "world_size: 8\n" + bars(402, 800));

    assertThat(logs()).hasSize(4).allMatch(log -> log.matches("(\\S+): \\1\\.log"));
  }

  @Test
  void leavesRunsAloneWhoseNamesOtherMachinesUseToo() throws IOException {
    write("node-1/run1.log", bars(2, 400));
    write("node-1/run2.log", bars(402, 800));
    write("node-2/run1.log", bars(2, 400));
    write("node-2/run2.log", bars(402, 800));

    assertThat(logs()).hasSize(4).allMatch(log -> log.matches("(\\S+): \\1\\.log"));
  }

  private List<String> logs() {
    return Inputs.of(List.of(root.toString())).of(InputFile.Kind.LOG).stream()
        .map(
            file ->
                "%s: %s"
                    .formatted(
                        file.job().isEmpty() ? jobOf(file) : file.job(),
                        String.join(
                            " ",
                            file.parts().stream()
                                .map(part -> String.valueOf(part.path().getFileName()))
                                .toList())))
        .toList();
  }

  private static String jobOf(InputFile file) {
    return String.valueOf(file.path().getFileName()).replaceFirst("\\.\\w+$", "");
  }

  private static String bars(int from, int to) {
    var lines = new StringBuilder("***** Running training *****\n");
    lines.append("  Total train batch size (w. parallel, distributed & accumulation) = 128\n");
    for (int step = from; step <= to; step += 2) {
      lines.append(
          " %2d%%|###       | %d/1000 [%02d:%02d<20:00,  1.31s/it]%n"
              .formatted(step / 10, step, step / 60, step % 60));
    }
    return lines.toString();
  }

  private static String iterations(int from, int to) {
    var lines = new StringBuilder();
    for (int step = from; step <= to; step += 3) {
      lines.append(
          " [2026-11-10 00:%02d:%02d] iteration %8d/    9000 | consumed samples: %12d | elapsed time per iteration (ms): 2206.0 | global batch size:   512 |%n"
              .formatted(step / 60, step % 60, step, step * 512));
    }
    return lines.toString();
  }

  private static String world(String id) {
    return "h:1:1 [0] NCCL INFO ncclCommInitRank comm 0x5581 rank 0 nranks 8 cudaDev 0 nvmlDev 0 busId 1000 commId %s - Init COMPLETE%n"
        .formatted(id);
  }

  private void write(String name, String text) throws IOException {
    var file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
