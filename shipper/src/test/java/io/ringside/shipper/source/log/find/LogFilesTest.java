package io.ringside.shipper.source.log.find;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.shipper.source.log.find.LogFiles.Unlisted;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFilesTest {
  @TempDir private Path root;
  private Path folder;
  private LogFiles files;

  @BeforeEach
  void begin() {
    folder = root.resolve("dumps");
    files = new LogFiles(List.of(folder + "/*/of/*.log"), InstantSource.system());
  }

  @Test
  void saysThatTheFolderOfAGlobIsNotThere() throws IOException {
    assertThat(files.list()).isEmpty();
    assertThat(files.unlisted()).contains(new Unlisted("has no folder " + folder, true));

    Files.writeString(folder, "a file");
    assertThat(files.list()).isEmpty();
    assertThat(files.unlisted()).contains(new Unlisted("has no folder " + folder, true));
  }

  /// Each job makes its own; a file beside them is nobody's folder.
  @Test
  void saysNothingOfFoldersThatOnlyAPatternAllows() throws IOException {
    Files.createDirectories(folder.resolve("job-without"));
    Files.writeString(folder.resolve("readme"), "no folder");
    var log = Files.createDirectories(folder.resolve("job-7/of")).resolve("a.log");
    Files.writeString(log, "");

    assertThat(files.list()).containsExactly(log);
    assertThat(files.unlisted()).isEmpty();
  }

  @Test
  void saysWhichFolderCannotBeListed() throws IOException {
    Files.createDirectories(folder);
    Files.createSymbolicLink(folder.resolve("loop"), folder.resolve("loop"));
    files = new LogFiles(List.of(folder + "/loop/*.log"), InstantSource.system());

    assertThat(files.list()).isEmpty();
    assertThat(files.unlisted())
        .contains(new Unlisted("cannot list " + folder.resolve("loop"), false));
  }

  @Test
  void tellsAFolderThatItMayNotListFromOneThatIsNotThere() {
    assertThat(LogFiles.refusal(new AccessDeniedException("x"), folder))
        .isEqualTo("may not list " + folder);
    assertThat(LogFiles.refusal(new NoSuchFileException("x"), folder)).isNull();
    assertThat(LogFiles.refusal(new NotDirectoryException("x"), folder)).isNull();
    assertThat(LogFiles.refusal(new IOException("Input/output error"), folder))
        .isEqualTo("cannot list " + folder);
  }
}
