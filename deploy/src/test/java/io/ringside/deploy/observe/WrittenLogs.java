package io.ringside.deploy.observe;

import io.ringside.deploy.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/// Unpacked recordings, changed into what nobody recorded.
///
/// @param folder with a folder for each recording
record WrittenLogs(Path folder) {
  /// How the lines of the second start of `restarted` begin.
  private static final String SECOND_START = "restart-node-0-0:3547:";

  /// Both seeds were recorded under one name.
  void renameSecondSeed() throws IOException {
    var p4d = folder.resolve("seed-p4d-four-pods-efa");
    Files.move(p4d.resolve("llama-3-8b-node-0-0.log"), p4d.resolve("p4d-node-0-0.log"));
  }

  /// Makes the job `drifted` of `pods1`: one pod with another NCCL and another variable, and one
  /// that prints lines nobody knows.
  void drift() throws IOException {
    for (var log : Repository.files(folder.resolve("pods1"), ".log")) {
      var text = Files.readString(log).replace("llama-h", "drifted");
      if (log.toString().contains("node-0-1_")) {
        text =
            text.replace("2.28.9", "2.27.3")
                .replace(
                    "NCCL_NVLS_ENABLE set by environment to 0",
                    "NCCL_NVLS_ENABLE set by environment to 1");
      }
      if (log.toString().contains("node-0-2_")) {
        var last = text.lines().filter(line -> line.contains("NCCL INFO")).toList().getLast();
        var unknown =
            last.substring(0, last.indexOf("NCCL INFO"))
                + "NCCL INFO Quantum tunnel 3 opened to peer 5 in 12 us\n";
        text += String.join("", Collections.nCopies(40, unknown));
      }
      var name = folder.relativize(log).toString();
      var copy = folder.resolve(name.replace("pods1", "drifted").replace("llama-h", "drifted"));
      Files.createDirectories(copy.getParent());
      Files.writeString(copy, text);
    }
  }

  /// Cuts the log of `dsslow` while its steps are slow, so that they stay slow.
  void stopWhileSlow() throws IOException {
    var log = folder.resolve("dsslow/dsslow-node-0-0.log");
    var text = Files.readString(log);
    Files.writeString(log, text.substring(0, text.indexOf('\n', text.indexOf("step=30, ")) + 1));
  }

  /// Cuts the logs of jobs that came to an end before it, for what is found of a job is active
  /// while it runs. `restarted` keeps the end of its first start.
  void stopBeforeTheEnd() throws IOException {
    for (var log : Repository.files(folder, ".log")) {
      var text = Files.readString(log);
      int second = Math.max(0, text.indexOf(SECOND_START));
      int end =
          Stream.of("Destroy COMPLETE", "Traceback (most recent call last)")
              .mapToInt(last -> text.indexOf(last, second))
              .filter(at -> at >= 0)
              .min()
              .orElse(text.length());
      Files.writeString(log, text.substring(0, text.lastIndexOf('\n', end - 1) + 1));
    }
  }

  /// Cuts the log of `restarted` before its second start.
  ///
  /// @return appends the rest, as the second start would
  Callable<Path> holdBackSecondStart() throws IOException {
    var log = Repository.files(folder.resolve("restarted"), ".log").getFirst();
    var text = Files.readString(log);
    var second = text.indexOf(SECOND_START);
    int cut = text.lastIndexOf('\n', second) + 1;
    Files.writeString(log, text.substring(0, cut));
    return () -> Files.writeString(log, text.substring(cut), StandardOpenOption.APPEND);
  }

  /// Writes the log of a rank that wanted InfiniBand and SHARP, got sockets and has a weak NVLink,
  /// and that of one that dies.
  void fail() throws IOException {
    var header = "fabric-node-0-0:100:200 [0] NCCL INFO ";
    var init =
        header
            + "ncclCommInitRank comm 0x55 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1000 commId 0xfab - Init ";
    var lines =
        List.of(
            header + "NCCL_IB_HCA set by environment to mlx5",
            header + "NCCL_COLLNET_ENABLE set by environment to 1.",
            header + "Using network Socket",
            init + "START",
            header + "comm 0x55 rank 0 nRanks 2 nNodes 2 localRanks 1 localRank 0 MNNVL 0",
            header + "GPU/0-1000 :GPU/0-1000 (0/5000.0/LOC) GPU/0-2000 (1/240.0/NVL)",
            header + "GPU/0-2000 :GPU/0-1000 (1/20.0/NVL) GPU/0-2000 (0/5000.0/LOC)",
            "fabric-node-0-0:100:200 [0] transport.cc:253 NCCL WARN Cannot initialize CollNet, using point-to-point network instead",
            header + "Channel 00/0 : 0[0] -> 1[0] [send] via NET/Socket/0",
            init + "COMPLETE",
            "");
    var death =
        List.of(
            "[rank0]: Traceback (most recent call last):",
            "[rank0]:   File \"/workspace/train.py\", line 7, in main",
            "[rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.",
            "");
    var text = String.join("\n", lines);
    write("fabric/fabric-node-0-0.log", text);
    write(
        "died/died-node-0-0.log",
        text.replace("fabric", "died").replace("0xfab", "0xdead") + String.join("\n", death));
  }

  private void write(String name, String text) throws IOException {
    var log = folder.resolve(name);
    Files.createDirectories(log.getParent());
    Files.writeString(log, text);
  }
}
