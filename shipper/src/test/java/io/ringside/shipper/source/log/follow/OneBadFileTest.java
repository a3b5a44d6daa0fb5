package io.ringside.shipper.source.log.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What one file, or the agent's own, does to all others.
class OneBadFileTest {
  @TempDir Path folder;

  @Test
  void aFileThatCannotBeReadKeepsNoOtherFromIt() throws IOException {
    // a regular file at whose beginning the kernel says EIO, as a disk does that is broken there
    assumeThat(Path.of("/proc/self/mem")).isRegularFile();
    var rig =
        new TailRig(folder, "pods/*.log", "/proc/self/me[m]").write("pods/0.log", "1\n").second();
    rig.write("pods/1.log", "2\n").write("pods/0.log", "3\n").second().second();

    assertThat(rig.files.readFailures.sum()).isPositive();
    assertThat(rig.text()).containsExactlyInAnyOrder("1", "2", "3");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{}",
        "{\"version\": 1}",
        "{\"version\": 1, \"savedAtMillis\": 1, \"files\": null}",
        "{\"version\": 1, \"savedAtMillis\": 1, \"files\": [null]}",
        "{\"version\": 1, \"savedAtMillis\": 1, \"files\": [{\"path\": null, \"key\": \"k\"}]}",
        "{\"version\": 1, \"savedAtMillis\": 1, \"files\": [{}]}",
        "[]",
        "",
      })
  void checkpointsThatHoldNothingAreSetAside(String content) throws IOException {
    var file = folder.resolve("checkpoints.json");
    Files.writeString(file, content);

    assertThat(new Checkpoints(file).load().files()).isEmpty();
    assertThat(folder.resolve("checkpoints.json.damaged")).hasContent(content);
  }
}
