package io.ringside.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The Prometheus operator's Alertmanager silences what the example's does, and tells the same
/// owners.
class AlertmanagerConfigTest {
  private static final Pattern MATCHER = Pattern.compile("(\\w+)(!?=~?)\"?([^\"]*)\"?");

  /// With `-Dringside.write=true` the file is written instead of compared.
  @Test
  void hasTheInhibitionsAndTheOwnersOfTheExample() throws IOException {
    var file =
        Repository.path(
            "deploy/kubernetes/components/prometheus-operator/alertmanager-config.yaml");
    var example =
        Repository.documents(Repository.path("deploy/prometheus/alertmanager.yaml")).getFirst();
    assertThat(example.get("inhibit_rules")).isNotEmpty();
    if (Boolean.getBoolean("ringside.write")) {
      Files.writeString(file, written(example));
    }

    assertThat(Repository.text(file)).isEqualTo(written(example));
    assertThat(Model.strict(Repository.documents(file).getFirst()))
        .isInstanceOf(CustomResource.AlertmanagerConfig.class);
  }

  private static String written(JsonNode example) {
    var text =
        new StringBuilder(
            """
            # Made from deploy/prometheus/alertmanager.yaml by the tests with -Dringside.write=true.
            # The operator lets it see alerts of its own namespace only, and those about jobs have the jobs': set
            # alertmanagerConfigMatcherStrategy: {type: None} on the Alertmanager, see docs/metrics.md. What `owners` are told the operator lets
            # go on to the Alertmanager's own routes as well. Where owners are told stands in the example.
            apiVersion: monitoring.coreos.com/v1alpha1
            kind: AlertmanagerConfig
            metadata:
              name: ringside
              namespace: ringside
            spec:
            """);
    var owners =
        example
            .at("/route/routes")
            .valueStream()
            .filter(it -> it.get("receiver").asString().equals("owners"))
            .findFirst()
            .orElseThrow();
    text.append("  route:\n    receiver: owners\n    groupBy: ")
        .append(list(example.at("/route/group_by")))
        .append("    matchers:\n")
        .append(matchers(owners.get("matchers")).replaceAll("(?m)^  ", ""))
        .append("  receivers:\n    - name: owners\n  inhibitRules:\n");
    for (var rule : example.get("inhibit_rules")) {
      text.append("    - sourceMatch:\n").append(matchers(rule.get("source_matchers")));
      text.append("      targetMatch:\n").append(matchers(rule.get("target_matchers")));
      if (rule.has("equal")) {
        text.append("      equal: ").append(list(rule.get("equal")));
      }
    }
    return text.toString();
  }

  private static String list(JsonNode names) {
    return "[" + String.join(", ", names.valueStream().map(JsonNode::asString).toList()) + "]\n";
  }

  private static String matchers(JsonNode matchers) {
    var text = new StringBuilder();
    for (var matcher : matchers) {
      var parts = MATCHER.matcher(matcher.asString());
      assertThat(parts.matches()).as("%s", matcher).isTrue();
      text.append(
          "        - {name: %s, matchType: \"%s\", value: \"%s\"}\n"
              .formatted(parts.group(1), parts.group(2), parts.group(3)));
    }
    return text.toString();
  }
}
