package io.ringside.deploy.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Workflows do nothing that cannot be run here: their steps are scripts of this repository.
class WorkflowsTest {
  private static final Pattern SCRIPT = Pattern.compile("\\.ci/[\\w/]+");

  static List<Path> workflows() {
    return Repository.files(Repository.path(".github/workflows"), ".yml");
  }

  static List<Path> scripts() {
    return Repository.files(Repository.path(".ci"), "").stream()
        .filter(it -> !it.getFileName().toString().contains("."))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("workflows")
  void runScriptsThatAreThere(Path workflow) {
    var runs = Repository.documents(workflow).getFirst().findValuesAsString("run");

    assertThat(runs).isNotEmpty();
    for (var run : runs) {
      assertThat(run).containsPattern("\\.ci/|^gh release |^sudo apt-get ");
      SCRIPT
          .matcher(run)
          .results()
          .forEach(it -> assertThat(Repository.path(it.group())).isExecutable());
    }
  }

  @ParameterizedTest
  @MethodSource("workflows")
  void mayReadAndNoMoreUnlessAJobSaysSo(Path workflow) {
    var document = Repository.documents(workflow).getFirst();

    assertThat(document.at("/permissions").toString()).isEqualTo("{\"contents\":\"read\"}");
    assertThat(document.findValuesAsString("uses"))
        .isNotEmpty()
        .allMatch(action -> action.matches("[\\w-]+/[\\w-]+@v\\d+"));
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void stopAtTheFirstFailure(Path script) {
    assertThat(Repository.text(script)).containsPattern("(?m)^set -eu");
    assertThat(Files.isExecutable(script)).isTrue();
  }
}
