package io.ringside.deploy.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `docs/texts.md` lists what people read. `-Dgolden.update=true` writes it anew.
class TextsTest {
  private static final Path DOCUMENT = Repository.path("docs/texts.md");

  @Test
  void areWhatTheDocumentLists() throws IOException {
    var markdown = Texts.markdown();
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(DOCUMENT, markdown);
    }
    assertThat(Repository.text(DOCUMENT))
        .as("write docs/texts.md anew with -Dgolden.update=true")
        .isEqualTo(markdown);
  }

  /// Texts of each kind are among them: a finding's, a report's, the page's, an option's, an error's.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "NCCL fell back from EFA to TCP sockets",
        "No training run recognised",
        "Judges recorded files",
        "is a folder without files",
      })
  void holdWhatPeopleRead(String text) throws IOException {
    assertThat(Texts.markdown()).contains(text);
  }

  /// Words that puzzled those who read them.
  @Test
  void sayNothingThatPuzzles() {
    var documents =
        List.of(
            "README.md",
            "docs/texts.md",
            "docs/detectors.md",
            "docs/install.md",
            "docs/analyze.md");
    for (var document : documents) {
      assertThat(Repository.text(Repository.path(document)))
          .as(document)
          .doesNotContain(
              "joins it over all ranks",
              "from where on a finding is told",
              "own eyes",
              "warning, over",
              "no such edge",
              "`not said`",
              "of no known form",
              "on node local",
              "is a host of its own");
    }
  }
}
