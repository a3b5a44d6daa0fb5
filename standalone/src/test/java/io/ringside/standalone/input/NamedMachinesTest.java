package io.ringside.standalone.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamedMachinesTest {
  private static final String UNNAMED = InputRoot.of("x").node();

  @TempDir Path folder;

  @BeforeEach
  void logs() throws IOException {
    write("gpu-a1.log", "gpu-a1:11:11 [0] NCCL INFO Bootstrap: Using eth0:10.0.0.1<0>\n");
    write("rank8.log", "gpu-a12:12:12 [0] NCCL INFO Bootstrap: Using eth0:10.0.0.2<0>\n");
  }

  @Test
  void givesRecordingsToTheLogsThatTheirNamesTellOf() throws IOException {
    write("nvidia-smi-gpu-a1.csv", recorded('a'));
    write("smi_gpu-a12.csv", recorded('b'));

    assertThat(nodes())
        .containsExactly(
            "gpu-a1.log: gpu-a1",
            "nvidia-smi-gpu-a1.csv: gpu-a1",
            "rank8.log: gpu-a12",
            "smi_gpu-a12.csv: gpu-a12");
  }

  /// GPUs of some machine are not those of whichever log lies beside.
  @Test
  void givesToNoLogWhatTellsNoMachineOfOne() throws IOException {
    write("nvidia-smi-gpu-a1.csv", recorded('a'));
    write("nvidia-smi-other.csv", recorded('b'));

    assertThat(nodes())
        .containsExactly(
            "gpu-a1.log: gpu-a1",
            "nvidia-smi-gpu-a1.csv: gpu-a1",
            "nvidia-smi-other.csv: nvidia-smi-other",
            "rank8.log: " + UNNAMED);
  }

  /// One machine, hour after hour.
  @Test
  void leavesAloneWhatTellsOfTheSameGpus() throws IOException {
    write("nvidia-smi-gpu-a1.csv", recorded('a'));
    write("nvidia-smi-gpu-a12.csv", recorded('a'));

    assertThat(nodes()).allMatch(it -> it.endsWith(": " + UNNAMED));
  }

  /// By their names, though no GPU has another identity.
  @Test
  void givesRecordingsToTheHostsOfOneLog() throws IOException {
    write(
        "train.log",
        """
        node-1:11:11 [0] NCCL INFO Bootstrap: Using eth0:10.0.0.3<0>
        node-2:12:12 [0] NCCL INFO Bootstrap: Using eth0:10.0.0.4<0>
        """);
    write("nvidia-smi-node-1.csv", recorded('a'));
    write("nvidia-smi-node-2.csv", recorded('a'));

    assertThat(nodes())
        .contains(
            "nvidia-smi-node-1.csv: node-1",
            "nvidia-smi-node-2.csv: node-2",
            "train.log: " + UNNAMED);
  }

  private List<String> nodes() {
    return Inputs.of(List.of(folder.toString())).files().stream()
        .map(file -> folder.relativize(file.path()) + ": " + file.node())
        .sorted()
        .toList();
  }

  private static String recorded(char gpu) {
    return """
        timestamp, index, uuid, pci.bus_id, temperature.gpu
        2026/11/17 14:00:00.000, 0, GPU-%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s-467c-7b18-34d9-8096a0b1babd, 00000000:1B:00.0, 61
        """
        .formatted(gpu);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }
}
