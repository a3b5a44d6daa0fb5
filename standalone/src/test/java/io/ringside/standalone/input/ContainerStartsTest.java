package io.ringside.standalone.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerStartsTest {
  @TempDir private Path temporary;

  private final List<InputFile> files = new ArrayList<>();
  private Path folder;

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createDirectory(temporary.resolve("trainer"));
  }

  @Test
  void startsOfOneContainerAreOneJob() throws IOException {
    add("10.log", "2026-11-16T08:00:00.1Z", "2026-11-16T08:02:29Z");
    add("9.log", "2026-11-15T08:00:00.1Z", "2026-11-16T08:59:59+09:00");

    assertThat(jobs()).containsExactly("trainer", "trainer");
  }

  @Test
  void ranksRunAtTheSameTime() throws IOException {
    add("0.log", "2026-11-15T08:00:00.1Z", "2026-11-15T08:02:29Z");
    add("1.log", "2026-11-15T08:00:00.2Z", "2026-11-15T08:02:28Z");

    assertThat(jobs()).containsExactly("", "");
  }

  @Test
  void otherLogsThatAreNumberedMayBeAnything() throws IOException {
    add("0.log", "2026-11-15T08:00:00.1Z", "2026-11-15T08:02:29Z");
    Files.writeString(folder.resolve("1.log"), "step 1\nstep 2\n");
    files.add(new InputFile(folder.resolve("1.log"), InputFile.Kind.LOG, "node", 14));

    assertThat(jobs()).containsExactly("", "");
  }

  @Test
  void aJobOfThatNameStaysApart() throws IOException {
    add("0.log", "2026-11-15T08:00:00.1Z", "2026-11-15T08:02:29Z");
    add("1.log", "2026-11-16T08:00:00.1Z", "2026-11-16T08:02:29Z");
    files.add(new InputFile(temporary.resolve("trainer.log"), InputFile.Kind.LOG, "node", 14));

    assertThat(jobs()).containsExactly("", "", "");
  }

  private void add(String name, String first, String last) throws IOException {
    var file = folder.resolve(name);
    Files.writeString(file, "%s stdout F begun\n%s stderr F ended\n".formatted(first, last));
    files.add(new InputFile(file, InputFile.Kind.LOG, "node", Files.size(file)));
  }

  private List<String> jobs() {
    return ContainerStarts.joined(files).stream().map(InputFile::job).toList();
  }
}
