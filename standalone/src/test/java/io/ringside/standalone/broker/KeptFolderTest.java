package io.ringside.standalone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptFolderTest {
  @TempDir Path folder;

  @Test
  void isMadeHeldByOneAndLeftWithWhatIsInIt() throws Exception {
    var path = folder.resolve("new/state");
    try (var held = KeptFolder.take(path).orElseThrow()) {
      assertThat(KeptFolder.take(path)).isEmpty();
      Files.writeString(held.path().resolve("kept"), "word");
    }
    assertThat(path.resolve("kept")).hasContent("word");
    KeptFolder.take(path).orElseThrow().close();
  }
}
