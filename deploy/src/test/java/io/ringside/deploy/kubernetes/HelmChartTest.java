package io.ringside.deploy.kubernetes;

import static io.ringside.deploy.Repository.YAML;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import io.ringside.deploy.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The chart is what kustomize makes of the base and its components. Helm itself comes as a
/// library.
class HelmChartTest {
  private static final Path CHART = Repository.path("deploy/helm/ringside");
  private static final Path KUBERNETES = Repository.path("deploy/kubernetes");

  /// What Helm's users expect on everything, and kustomize's do not.
  private static final Set<String> HELMS_OWN =
      Set.of(
          "app.kubernetes.io/instance",
          "app.kubernetes.io/managed-by",
          "app.kubernetes.io/version",
          "helm.sh/chart",
          "checksum/config");

  /// kustomize makes namespaces, Helm only where it is told to.
  private static final String BASE = "service: {createNamespace: true}\n";

  @TempDir private Path folder;

  @Test
  void passesLint() {
    var lint = new Helm(CHART).lint().strict().call();

    assertThat(lint.getMessages()).noneMatch(it -> it.contains("[ERROR]") || it.contains("[WARN"));
    assertThat(lint.isFailed()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "                      | ''",
        "kafka-scram           | kafka: {security: scram}",
        "kafka-mtls            | kafka: {security: mtls}",
        "kafka-msk-iam         | kafka: {security: msk-iam}",
        "root-only-logs        | components: [root-only-logs]",
        "nvidia-runtime-class  | components: [nvidia-runtime-class]",
        "static-membership     | components: [static-membership]",
        "flight-recorder nccl-inspector | components: [flight-recorder, nccl-inspector]",
        "hardware-counters     | components: [hardware-counters]",
        "ras                   | components: [ras]",
        "kernel-log            | components: [kernel-log]",
        "kubernetes            | components: [kubernetes]",
        "kubernetes ras        | components: [kubernetes, ras]",
        "kafka-msk-iam hardware-counters ras kernel-log | '{kafka: {security: msk-iam}, components: [hardware-counters, ras, kernel-log]}'",
        "kafka-scram http-tls  | '{kafka: {security: scram}, components: [http-tls]}'",
        "prometheus-operator   | '{podMonitor: {enabled: true}, prometheusRule: {enabled: true}, alertmanagerConfig: {enabled: true}}'",
        "prometheus-operator http-tls | '{components: [http-tls], podMonitor: {enabled: true}, prometheusRule: {enabled: true}, alertmanagerConfig: {enabled: true}}'",
        "grafana-dashboards    | grafana: {enabled: true}",
      })
  void rendersWhatKustomizeDoes(String components, String values) throws IOException {
    var kustomized =
        Kustomize.render(
            KUBERNETES.resolve("base"),
            Stream.of((components == null ? "" : components).split(" "))
                .filter(it -> !it.isEmpty())
                .map(it -> KUBERNETES.resolve("components").resolve(it))
                .toList());

    assertThat(comparable(rendered(BASE, values))).isEqualTo(comparable(kustomized));
  }

  @Test
  void isWhatKubernetesKnows() throws IOException {
    for (var object :
        rendered(
            "podMonitor: {enabled: true}",
            "prometheusRule: {enabled: true}",
            "alertmanagerConfig: {enabled: true}",
            "grafana: {enabled: true}")) {
      assertThat(Model.strict(object)).as("%s", object.at("/metadata/name")).isNotNull();
      assertThat(object.at("/metadata/labels/app.kubernetes.io~1managed-by").asString())
          .isEqualTo("Helm");
    }
  }

  @Test
  void takesWhatPeopleSet() throws IOException {
    var objects =
        rendered(
            "cluster: east",
            "image: {registry: registry.example.com/team, tag: 1.2.3, pullSecrets: [{name: pull}]}",
            "kafka: {bootstrap: 'broker:9093'}",
            "agent: {tolerations: [{key: dedicated, operator: Exists}], extraEnv: [{name: TZ, value: UTC}], config: {logs: {poll: 1s}}}",
            "service: {replicas: 5, resources: {limits: {memory: 8Gi}}, priorityClassName: high, nodeSelector: {pool: tools}, config: {processing: {threads: 4}}}",
            "podMonitor: {enabled: true, labels: {release: prometheus}}",
            "expectations: {thresholds: {straggler: {share: 0.2}}}");

    var agent = find(objects, "DaemonSet", "ringside-shipper").at("/spec/template/spec");
    assertThat(agent.at("/containers/0/image").asString())
        .isEqualTo("registry.example.com/team/ringside/shipper:1.2.3");
    assertThat(agent.at("/initContainers/0/image")).isEqualTo(agent.at("/containers/0/image"));
    assertThat(agent.at("/imagePullSecrets/0/name").asString()).isEqualTo("pull");
    assertThat(agent.at("/tolerations").findValuesAsString("key"))
        .contains("nvidia.com/gpu", "dedicated");
    assertThat(agent.at("/containers/0/env").findValuesAsString("name"))
        .contains("NODE_NAME", "TZ");
    var service = find(objects, "StatefulSet", "ringside-streams");
    assertThat(service.at("/spec/replicas").asInt()).isEqualTo(5);
    var pod = service.at("/spec/template/spec");
    assertThat(pod.at("/containers/0/resources/limits/memory").asString()).isEqualTo("8Gi");
    assertThat(pod.at("/priorityClassName").asString()).isEqualTo("high");
    assertThat(pod.at("/nodeSelector/pool").asString()).isEqualTo("tools");
    var config = YAML.readTree(data(objects, "ringside-streams", "streams.yaml"));
    assertThat(config.at("/processing/threads").asInt()).isEqualTo(4);
    assertThat(config.at("/processing/standbyReplicas").asInt()).as("the base's").isOne();
    assertThat(data(objects, "ringside-shipper", "shipper.yaml")).contains("poll: 1s", "globs");
    assertThat(data(objects, "ringside-expectations", "expectations.yaml")).contains("share: 0.2");
    assertThat(data(objects, "ringside-kafka", "bootstrap")).isEqualTo("broker:9093");
    assertThat(
            find(objects, "PodMonitor", "ringside-streams")
                .at("/metadata/labels/release")
                .asString())
        .isEqualTo("prometheus");
  }

  /// Kustomize gives generated ConfigMaps other names; Helm's pods see a change by an annotation.
  @Test
  void restartsPodsWhenTheirConfigurationChanges() throws IOException {
    var sum = "/spec/template/metadata/annotations/checksum~1config";
    var before = find(rendered(), "StatefulSet", "ringside-streams").at(sum);
    var same = find(rendered("agent: {extraEnv: []}"), "StatefulSet", "ringside-streams").at(sum);
    var after =
        find(rendered("links: {page: 'https://r.example'}"), "StatefulSet", "ringside-streams")
            .at(sum);

    assertThat(before.asString()).matches("[0-9a-f]{64}").isEqualTo(same.asString());
    assertThat(after.asString()).isNotEqualTo(before.asString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kafka: {security: tls}",
        "kafka: {bootstrap: broker}",
        "components: [kafka-scram]",
        "service: {replicas: 0}",
        "links: {page: ringside.example.com}",
        "tolerations: []",
      })
  void refusesWhatItDoesNotKnow(String values) {
    assertThatThrownBy(() -> rendered(values)).hasMessageContaining("schema");
  }

  /// What links to the base becomes content when the chart is packed.
  @Test
  void rendersTheSamePacked() throws IOException {
    new Helm(CHART).packageIt().withDestination(folder).call();
    var packed = Repository.files(folder, ".tgz").getFirst();

    assertThat(comparable(objects(template(new Helm(packed)).call())))
        .isEqualTo(comparable(rendered()));
  }

  @Test
  void isOfTheVersionOfTheRest() {
    var chart = Repository.documents(CHART.resolve("Chart.yaml")).getFirst();
    var version =
        Repository.text(Repository.path("pom.xml"))
            .replaceAll("(?s).*?<artifactId>ringside</artifactId>\\s*<version>([^<]+)<.*", "$1");

    assertThat(chart.get("version").asString()).isEqualTo(version);
    assertThat(chart.get("appVersion").asString()).isEqualTo(version);
  }

  private List<ObjectNode> rendered(String... values) throws IOException {
    var command = template(new Helm(CHART));
    for (int i = 0; i < values.length; i++) {
      command.withValuesFile(Files.writeString(folder.resolve("values-" + i + ".yaml"), values[i]));
    }
    return objects(command.call());
  }

  private static TemplateCommand template(Helm helm) {
    return helm.template().withName("ringside").withNamespace("ringside").withKubeVersion("1.33.0");
  }

  private static List<ObjectNode> objects(String text) {
    return Arrays.stream(text.split("(?m)^---\\s*$"))
        .filter(it -> it.lines().anyMatch(line -> !line.isBlank() && !line.startsWith("#")))
        .map(it -> (ObjectNode) YAML.readTree(it))
        .toList();
  }

  private static ObjectNode find(List<ObjectNode> objects, String kind, String name) {
    return objects.stream()
        .filter(it -> it.get("kind").asString().equals(kind))
        .filter(it -> it.at("/metadata/name").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String data(List<ObjectNode> objects, String map, String key) {
    return find(objects, "ConfigMap", map).at("/data").get(key).asString();
  }

  /// By kind, namespace and name, less what each of the two tools adds; files as what they say.
  private static TreeMap<String, JsonNode> comparable(List<ObjectNode> objects) {
    var comparable = new TreeMap<String, JsonNode>();
    for (var object : objects) {
      var copy = (ObjectNode) YAML.readTree(YAML.writeValueAsString(object));
      strip(copy);
      if (copy.get("kind").asString().equals("ConfigMap")) {
        var data = (ObjectNode) copy.get("data");
        for (var file : new ArrayList<>(data.propertyNames())) {
          if (file.endsWith(".yaml")) {
            data.set(file, YAML.readTree(data.get(file).asString()));
          }
        }
      }
      comparable.put(
          copy.get("kind").asString()
              + " "
              + copy.at("/metadata/namespace").asString("")
              + "/"
              + copy.at("/metadata/name").asString(),
          copy);
    }
    return comparable;
  }

  private static void strip(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.remove(HELMS_OWN);
      for (var name : new ArrayList<>(object.propertyNames())) {
        strip(object.get(name));
        if ((name.equals("labels") || name.equals("annotations")) && object.get(name).isEmpty()) {
          object.remove(name);
        }
      }
    } else {
      node.forEach(HelmChartTest::strip);
    }
  }
}
