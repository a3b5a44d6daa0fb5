package io.ringside.streams.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// `docs/lines.md` says what the code knows. `-Dgolden.update=true` writes it anew.
class LineCatalogueTest {

  private static final Path DOCUMENT = Path.of("../docs/lines.md");

  @Test
  void isWhatTheDocumentSays() throws IOException {
    var markdown = LineCatalogue.markdown();
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(DOCUMENT, markdown);
    }
    assertThat(Files.readString(DOCUMENT)).isEqualTo(markdown);
  }
}
