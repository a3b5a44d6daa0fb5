package io.ringside.deploy.release;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Workflows do nothing that cannot be run here: their steps are scripts of this repository.
class WorkflowsTest {
  /// Of an image, not of a folder or a file.
  private static final Pattern IMAGE =
      Pattern.compile(
          "(?<!/var/lib/|/etc/|/opt/)\\bringside/((?:shipper|streams)(?:-\\w+)*)\\b(?![/.]\\w)");

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

  @Test
  void areCheckedWithEachChange() {
    var ci = Repository.documents(Repository.path(".github/workflows/ci.yml")).getFirst();

    assertThat(ci.findValuesAsString("run")).contains(".ci/lint");
    assertThat(Repository.text(Repository.path(".ci/lint"))).contains(".github/workflows/*.yml");
  }

  @Test
  void buildEveryImageThatManifestsAndTheChartName() {
    var named =
        Stream.of("deploy/kubernetes", "deploy/helm", "docs/install.md", "docker-compose.yml")
            .flatMap(it -> Repository.files(Repository.path(it), "").stream())
            .flatMap(it -> IMAGE.matcher(Repository.text(it)).results())
            .map(it -> it.group(1))
            .collect(toCollection(TreeSet::new));

    assertThat(named).contains("shipper", "streams", "shipper-msk", "streams-msk");
    for (var job : List.of("image", "images")) {
      assertThat(programs(job)).containsExactlyInAnyOrderElementsOf(named);
    }
    for (var program : named) {
      assertThat(Repository.text(Repository.path("deploy/docker/Dockerfile")))
          .containsPattern("(?m)^FROM \\w+ AS %s$".formatted(program));
    }
  }

  @Test
  void nameImagesAsTheChartDoes() {
    assertThat(Repository.text(Repository.path(".ci/release/image")))
        .contains("name=$registry/ringside/$target,");
    assertThat(Repository.text(Repository.path(".ci/release/images")))
        .contains("name=$registry/ringside/$target\n");
    assertThat(release().at("/jobs/images").findValuesAsString("subject-name"))
        .containsExactly("${{ vars.REGISTRY }}/ringside/${{ matrix.program }}");
    var values =
        Repository.documents(Repository.path("deploy/helm/ringside/values.yaml")).getFirst();
    assertThat(values.at("/agent/image").asString()).isEqualTo("ringside/shipper");
    assertThat(values.at("/service/image").asString()).isEqualTo("ringside/streams");
  }

  /// One name is the beginning of another.
  @Test
  void joinOnlyWhatIsOfOneImage() {
    var digests = release().at("/jobs/image").findValuesAsString("name").getFirst();
    var pattern = release().at("/jobs/images").findValuesAsString("pattern").getFirst();

    for (var program : programs("image")) {
      var taken =
          FileSystems.getDefault()
              .getPathMatcher("glob:" + pattern.replace("${{ matrix.program }}", program));
      assertThat(programs("image"))
          .filteredOn(
              it ->
                  taken.matches(
                      Path.of(
                          digests
                              .replace("${{ matrix.program }}", it)
                              .replace("${{ matrix.machine }}", "ubuntu-24.04"))))
          .containsExactly(program);
    }
  }

  private static ObjectNode release() {
    return Repository.documents(Repository.path(".github/workflows/release.yml")).getFirst();
  }

  private static List<String> programs(String job) {
    return release()
        .at("/jobs/" + job + "/strategy/matrix/program")
        .valueStream()
        .map(JsonNode::asString)
        .toList();
  }
}
