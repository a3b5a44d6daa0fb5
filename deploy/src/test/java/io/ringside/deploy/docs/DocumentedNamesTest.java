package io.ringside.deploy.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the architecture, the decisions and the how-tos name is there: classes as `folder/Class`,
/// and the files that they link.
class DocumentedNamesTest {
  private static final Pattern CLASS = Pattern.compile("`((?:\\w+/)+[A-Z]\\w+)`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^):#]+)\\)");

  private static final List<String> MODULES =
      List.of("schemas", "platform", "shipper", "streams-app", "standalone", "lab");

  private static final List<Path> SOURCES =
      MODULES.stream()
          .map(module -> Repository.path(module + "/src"))
          .flatMap(folder -> Repository.files(folder, ".java").stream())
          .toList();

  @ParameterizedTest
  @MethodSource("documents")
  void nameClassesThatExist(Path document) {
    assertThat(found(CLASS, document))
        .allSatisfy(
            name -> assertThat(SOURCES).as(name).anyMatch(file -> file.endsWith(name + ".java")));
  }

  @ParameterizedTest
  @MethodSource("documents")
  void linkFilesThatExist(Path document) {
    assertThat(found(LINK, document))
        .allSatisfy(
            link -> assertThat(Files.exists(document.resolveSibling(link))).as(link).isTrue());
  }

  private static List<String> found(Pattern pattern, Path document) {
    return pattern
        .matcher(Repository.text(document))
        .results()
        .map((MatchResult result) -> result.group(1))
        .toList();
  }

  private static Stream<Path> documents() {
    return Stream.of(
            List.of(Repository.path("docs/ARCHITECTURE.md"), Repository.path("CONTRIBUTING.md")),
            Repository.files(Repository.path("docs/adr"), ".md"),
            Repository.files(Repository.path("docs/how-to"), ".md"))
        .flatMap(List::stream);
  }
}
