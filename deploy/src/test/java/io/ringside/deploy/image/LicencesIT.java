package io.ringside.deploy.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.ringside.deploy.Repository;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// What the images bring along is listed and may be given away. `-Dquick` builds make no list.
class LicencesIT {
  private static final Set<String> FREE =
      Set.of(
          "Apache-2.0",
          "MIT",
          "MIT-0",
          "BSD-2-Clause",
          "BSD-3-Clause",
          "Go License", // the text of BSD-3-Clause, https://golang.org/LICENSE
          "CC0-1.0",
          "EPL-1.0",
          "EPL-2.0",
          "LGPL-2.1-only");

  @ParameterizedTest
  @ValueSource(strings = {"shipper", "streams-app"})
  void areFreeAndNamed(String module) {
    var target = System.getProperty("ringside.target", "target");
    var file = Repository.path(module).resolve(target).resolve("sbom.json");
    assumeThat(target).as("a build with all checks").isEqualTo("target");
    var sbom = Repository.documents(file).getFirst();
    var components = sbom.path("components");

    assertThat(sbom.path("bomFormat").asString()).isEqualTo("CycloneDX");
    assertThat(components.size()).isGreaterThan(20);
    for (var component : components) {
      if (!component.path("group").asString().equals("io.ringside")) {
        var licences = licences(component);
        assertThat(licences).as("%s", component.path("purl")).isNotEmpty();
        assertThat(licences.stream().anyMatch(FREE::contains))
            .as("%s: %s", component.path("purl"), licences)
            .isTrue();
        assertThat(component.path("hashes").size()).isPositive();
      }
    }
  }

  private static Set<String> licences(JsonNode component) {
    var names = new TreeSet<String>();
    for (var licence : component.path("licenses")) {
      for (var name :
          licence
              .path("expression")
              .asString(licence.at("/license/id").asString(""))
              .split(" OR |[()]", -1)) {
        if (!name.isBlank()) {
          names.add(name.strip());
        }
      }
      var free = licence.at("/license/name").asString("");
      if (!free.isEmpty()) {
        names.add(free);
      }
    }
    return names;
  }
}
