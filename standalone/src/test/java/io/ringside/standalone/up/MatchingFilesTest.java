package io.ringside.standalone.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.shipper.source.log.find.LogFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MatchingFilesTest {
  @TempDir Path folder;

  @Test
  void saysHowManyMatchAndWhenOthersDo() throws Exception {
    // later than any file is changed: what was listed is listed again
    var globs = List.of(folder + "/*.log");
    var files = new MatchingFiles(globs, new LogFiles(globs, () -> Instant.EPOCH));
    assertThat(files.now()).endsWith("/*.log: no file matches now; what appears later is read");
    assertThat(files.change()).isEmpty();

    var first = Files.writeString(folder.resolve("a.log"), "");
    assertThat(files.change()).contains("1 file matches now");
    assertThat(files.change()).isEmpty();
    Files.writeString(folder.resolve("b.log"), "");
    assertThat(files.change()).contains("2 files match now");

    Files.delete(first);
    Files.delete(folder.resolve("b.log"));
    assertThat(files.change()).contains("No file matches any more; what appears later is read");
  }
}
