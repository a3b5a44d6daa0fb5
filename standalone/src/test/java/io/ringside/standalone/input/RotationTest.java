package io.ringside.standalone.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RotationTest {
  @TempDir Path folder;

  @Test
  void putsNumberedPartsTogetherOldestFirst() throws IOException {
    write("x.log", "step 4\n");
    write("x.log.1", "step 3\n");
    packed("x.log.2.gz", "step 2\n");
    packed("x.log.10.gz", "step 1\n");

    assertThat(logs()).containsExactly(List.of("x.log.10.gz", "x.log.2.gz", "x.log.1", "x.log"));
  }

  @Test
  void putsDatedPartsTogether() throws IOException {
    write("0.log", "step 3\n");
    write("0.log.20260101-130000", "step 2\n");
    packed("0.log.20260101-120000.gz", "step 1\n");
    write("1.log", "another run of the container\n");

    assertThat(logs())
        .containsExactlyInAnyOrder(
            List.of("0.log.20260101-120000.gz", "0.log.20260101-130000", "0.log"),
            List.of("1.log"));
  }

  @Test
  void takesNumbersForRanksWhereNothingWasRotated() throws IOException {
    write("train.out.0", "rank 0\n");
    write("train.out.1", "rank 1\n");
    write("nccl.1234.log", "a process\n");

    assertThat(logs()).hasSize(3);
  }

  @Test
  void countsACopyOfALogOnce() throws IOException {
    write("x.log", "step 1\nstep 2\n");
    write("x.log.1", "step 1\n");

    var inputs = Inputs.of(List.of(folder.toString()));

    assertThat(names(inputs)).containsExactly(List.of("x.log"));
    assertThat(inputs.skipped())
        .containsExactly(
            new Inputs.Skipped(
                folder.resolve("x.log.1").toString(),
                "a copy of what is in " + folder.resolve("x.log")));
  }

  private List<List<String>> logs() {
    return names(Inputs.of(List.of(folder.toString())));
  }

  private List<List<String>> names(Inputs inputs) {
    return inputs.files().stream()
        .map(
            file ->
                file.parts().stream()
                    .map(part -> folder.relativize(part.path()).toString())
                    .toList())
        .toList();
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private void packed(String name, String text) throws IOException {
    try (var out = new GZIPOutputStream(Files.newOutputStream(folder.resolve(name)))) {
      out.write(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
  }
}
