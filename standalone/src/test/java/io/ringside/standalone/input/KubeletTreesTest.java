package io.ringside.standalone.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeletTreesTest {
  private static final String POD =
      "pods/ml_llama-%d_7092d301-13e5-41b5-d21d-36e8ddc4adf9/node/0.log";
  private static final String LINE =
      "2026-11-15T08:00:00.1Z stdout F llama:1:1 [0] NCCL INFO Bootstrap: Using eth0:10.0.0.1<0>\n";

  @TempDir private Path folder;

  @Test
  void eachCopyOfTheFolderOfPodsIsOfANode() throws IOException {
    write("gpu-1/" + POD.formatted(0));
    write("gpu-2/" + POD.formatted(1));
    write("gpu-2/dmesg.log");
    write("notes.log");

    assertThat(nodes()).containsExactly("gpu-1", "gpu-2", "gpu-2", InputRoot.LOCAL);
  }

  @Test
  void theFolderThatDiffersNamesIt() throws IOException {
    write("10.20.7.11/var/log/" + POD.formatted(0));
    write("10.20.7.12/var/log/" + POD.formatted(1));

    assertThat(nodes()).containsExactly("10.20.7.11", "10.20.7.12");
  }

  @Test
  void theFolderOfPodsItselfMayBeCalledAfterTheNode() throws IOException {
    write(POD.formatted(0).replace("pods/", "gpu-1/"));
    write(POD.formatted(1).replace("pods/", "gpu-2/"));

    assertThat(nodes()).containsExactly("gpu-1", "gpu-2");
  }

  @Test
  void oneFolderOfPodsIsOfOneMachine() throws IOException {
    write("logs/" + POD.formatted(0));
    write("logs/" + POD.formatted(1));

    assertThat(nodes()).containsOnly(InputRoot.LOCAL);
  }

  private List<String> nodes() {
    return Inputs.of(List.of(folder.toString())).files().stream()
        .sorted((a, b) -> a.name().compareTo(b.name()))
        .map(InputFile::node)
        .toList();
  }

  private void write(String name) throws IOException {
    var file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, LINE);
  }
}
