package io.ringside.deploy.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Commands that people type at night look into the namespaces that the manifests make.
class RunbooksTest {
  private static final Pattern COMMAND =
      Pattern.compile(
          "kubectl (?:-n|--namespace) (\\S+) ([^\\n`|]*)|/namespaces/([\\w-]+)/pods/([^:/ ]+)");

  static List<Path> documents() {
    return Stream.concat(
            Repository.files(Repository.path("docs/runbooks"), ".md").stream(),
            Stream.of(Repository.path("docs/operations.md"), Repository.path("docs/install.md")))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void lookWhereTheManifestsPutThings(Path document) {
    var homes = homes();
    for (var command : COMMAND.matcher(Repository.text(document)).results().toList()) {
      var namespace = command.group(1) == null ? command.group(3) : command.group(1);
      var rest = command.group(1) == null ? command.group(4) : command.group(2);
      homes.forEach(
          (name, home) -> {
            if (rest.contains(name)) {
              assertThat(namespace).as("%s of %s", command.group(), document).isEqualTo(home);
            }
          });
    }
  }

  @Test
  void findSomethingToCheck() {
    assertThat(homes())
        .containsEntry("ringside-shipper", "ringside-agents")
        .containsEntry("<agent>", "ringside-agents")
        .containsEntry("ringside-streams", "ringside");
    assertThat(documents().stream().map(Repository::text).filter(it -> COMMAND.matcher(it).find()))
        .hasSizeGreaterThan(10);
  }

  /// What runs where; `<agent>` stands for a pod of the agents.
  private static Map<String, String> homes() {
    var homes = new TreeMap<String, String>();
    for (var file : Repository.files(Repository.path("deploy/kubernetes/base"), ".yaml")) {
      for (var object : Repository.documents(file)) {
        var kind = object.path("kind").asString();
        if (kind.equals("DaemonSet") || kind.equals("StatefulSet")) {
          homes.put(name(object), object.at("/metadata/namespace").asString());
        }
        if (kind.equals("DaemonSet")) {
          homes.put("<agent>", object.at("/metadata/namespace").asString());
        }
      }
    }
    return homes;
  }

  private static String name(JsonNode object) {
    return object.at("/metadata/name").asString();
  }
}
