package io.ringside.deploy.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
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

  /// Texts of each kind are among them: a finding's, a report's, the page's, an option's, an
  /// error's.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "NCCL fell back from EFA to TCP sockets",
        "No training run recognised",
        "Judges recorded files",
        "is a folder without files",
        "keeps the others waiting",
        "runs over TCP sockets instead of",
        "Generates the load of a fleet",
        "sending fell %s behind",
        "judge recorded logs, - for standard input",
        "ringside: there is no command …",
        "kubectl -n {{ . }} describe pod POD",
      })
  void holdWhatPeopleRead(String text) throws IOException {
    assertThat(Texts.markdown()).contains(text);
  }

  /// What lines are searched for is nobody's text.
  @ParameterizedTest
  @ValueSource(strings = {"`Connection reset by peer`", "`GPU is lost`", "`fallen off the bus`"})
  void leaveOutWhatLinesSay(String text) throws IOException {
    assertThat(Texts.markdown()).doesNotContain(text);
  }

  /// Words that puzzled those who read them.
  @Test
  void sayNothingThatPuzzles() {
    var documents =
        Stream.concat(
                Stream.of("README.md", "CONTRIBUTING.md", "SECURITY.md").map(Repository::path),
                Repository.files(Repository.path("docs"), ".md").stream())
            .toList();
    assertThat(documents).hasSizeGreaterThan(60);
    for (var document : documents) {
      assertThat(Repository.text(document))
          .as(document.toString())
          .doesNotContain(
              "joins it over all ranks",
              "from where on a finding is told",
              "own eyes",
              "warning, over",
              "no such edge",
              "`not said`",
              "of no known form",
              "on node local",
              "is a host of its own",
              "those who wait spin",
              "made to hurt",
              "From before:",
              "what was found has no price",
              "held for %s in vain",
              "is too much`",
              "the address is none",
              "no request of HTTP",
              "who was evicted is waited for",
              "jobs were too tidy",
              "A slip of the finger",
              "by the loop steps lines",
              "darkness for a fleet",
              "was kept no line tells",
              "%s is no ledger",
              "%.1f times slower",
              "What is usual goes",
              "Time is told by an argument");
    }
  }
}
