package io.ringside.standalone.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeFoldersTest {
  private static final String HEAD = "timestamp, index, uuid, pci.bus_id, temperature.gpu\n";

  @TempDir Path folder;

  @BeforeEach
  void log() throws IOException {
    write("node-1/train.log", "step 1 loss 2.5\n");
  }

  @Test
  void namesTheNodesOfRecordingsOfDifferentGpus() throws IOException {
    write("node-1/nvidia-smi.csv", recorded('a'));
    write("node-2/nvidia-smi.csv", recorded('b'));

    assertThat(nodes())
        .containsExactly(
            "node-1/nvidia-smi.csv: node-1",
            "node-1/train.log: node-1",
            "node-2/nvidia-smi.csv: node-2");
  }

  /// One machine, run after run.
  @Test
  void leavesAloneWhatTellsOfTheSameGpus() throws IOException {
    write("node-1/nvidia-smi.csv", recorded('a'));
    write("node-2/nvidia-smi.csv", recorded('a'));

    assertThat(nodes()).allMatch(it -> it.endsWith(": " + InputRoot.of("x").node()));
  }

  private List<String> nodes() {
    return Inputs.of(List.of(folder.toString())).files().stream()
        .map(file -> folder.relativize(file.path()) + ": " + file.node())
        .sorted()
        .collect(Collectors.toList());
  }

  private static String recorded(char gpu) {
    return HEAD
        + "2026/11/17 14:00:00.000, 0, GPU-%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s-467c-7b18-34d9-8096a0b1babd, 00000000:1B:00.0, 61\n"
            .formatted(gpu);
  }

  private void write(String name, String text) throws IOException {
    var file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
