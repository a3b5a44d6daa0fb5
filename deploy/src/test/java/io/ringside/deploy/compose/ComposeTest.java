package io.ringside.deploy.compose;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.ringside.deploy.Repository;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class ComposeTest {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{\\w+:-([^}]*)}");
  private static final ObjectNode COMPOSE =
      merged(Repository.documents(Repository.path("docker-compose.yml")).getFirst());

  @Test
  void isValidByTheComposeSpecification() throws Exception {
    var schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
            .getSchema(
                Files.readString(Path.of("src/test/resources/compose-spec.json"))
                    .replace(
                        "\"compose_spec.json\"", "\"https://compose-spec.invalid/schema.json\""),
                InputFormat.JSON);

    assertThat(schema.validate(COMPOSE.toString(), InputFormat.JSON)).isEmpty();
    var typo = COMPOSE.deepCopy();
    typo.withObject("/services/kafka").put("imgae", "x");
    assertThat(schema.validate(typo.toString(), InputFormat.JSON)).isNotEmpty();
  }

  @Test
  void listensOnLoopbackOnly() {
    services()
        .forEach(
            (name, service) ->
                service
                    .path("ports")
                    .forEach(
                        port ->
                            assertThat(port.asString())
                                .as(name)
                                .startsWith("${RINGSIDE_BIND:-127.0.0.1}:")));
  }

  @Test
  void takesRightsAwayFromEveryContainer() {
    services()
        .forEach(
            (name, service) -> {
              assertThat(service.at("/cap_drop/0").asString()).as(name).isEqualTo("ALL");
              assertThat(service.at("/security_opt/0").asString())
                  .as(name)
                  .isEqualTo("no-new-privileges:true");
              assertThat(service.path("read_only").asBoolean())
                  .as(name)
                  .isEqualTo(!name.equals("kafka"));
              assertThat(service.has("privileged")).as(name).isFalse();
              assertThat(service.has("mem_limit")).as(name).isTrue();
              if (service.path("image").asString().startsWith("ringside/")) {
                assertThat(service.path("user").asString()).as(name).isEqualTo("10001:0");
              }
            });
  }

  @Test
  void pinsVersions() {
    services()
        .forEach(
            (name, service) ->
                assertThat(service.path("image").asString())
                    .as(name)
                    .matches("[a-z/]+:v?\\d+\\.\\d+\\.\\d+"));
  }

  @Test
  void holdsNoPassword() {
    assertThat(Repository.text(Repository.path("docker-compose.yml")).lines())
        .noneMatch(
            line -> line.matches("(?i)\\s*[\\w.-]*(password|secret|token)[\\w.-]*\\s*[:=].*"));
  }

  @Test
  void startsInTheOrderOfHealth() {
    services()
        .forEach(
            (name, service) ->
                service
                    .path("depends_on")
                    .properties()
                    .forEach(
                        on -> {
                          var other = services().get(on.getKey());
                          assertThat(other).as("%s of %s", on.getKey(), name).isNotNull();
                          if (on.getValue()
                              .path("condition")
                              .asString()
                              .equals("service_healthy")) {
                            assertThat(
                                    other.has("healthcheck")
                                        || other.path("image").asString().startsWith("ringside/"))
                                .as("health of %s", on.getKey())
                                .isTrue();
                          }
                        }));
    assertThat(services().get("streams").at("/depends_on/kafka/condition").asString())
        .isEqualTo("service_healthy");
    assertThat(services().get("shipper").at("/depends_on/streams/condition").asString())
        .isEqualTo("service_healthy");
  }

  @Test
  void mountsWhatIsThere() {
    var volumes = Set.copyOf(COMPOSE.path("volumes").propertyNames());
    services()
        .forEach(
            (name, service) -> {
              for (var volume : service.path("volumes")) {
                var source =
                    volume.isObject()
                        ? volume.path("source").asString()
                        : volume.asString().split(":", -1)[0];
                source = VARIABLE.matcher(source).replaceAll("$1");
                if (source.equals("./logs")) {
                  assertThat(volume.path("read_only").asBoolean()).isTrue();
                } else if (source.startsWith(".")) {
                  assertThat(Repository.path(source)).as(name).exists();
                } else {
                  assertThat(volumes).as(name).contains(source);
                }
              }
            });
  }

  @Test
  void runsTheDemoAndTheGpusOnlyWhenAsked() {
    var profiles = new TreeMap<String, List<String>>();
    services().forEach((name, service) -> profiles.put(name, strings(service.path("profiles"))));

    assertThat(profiles)
        .containsAllEntriesOf(
            Map.of(
                "demo-job", List.of("demo"),
                "demo-shipper", List.of("demo"),
                "shipper-gpu", List.of("gpu"),
                "kafka", List.of(),
                "grafana", List.of()));
  }

  @Test
  void scrapesEveryProgramByItsName() {
    var scrapes =
        Repository.documents(Repository.path("deploy/docker/prometheus.yml")).getFirst().toString();

    assertThat(services().keySet())
        .contains("streams", "shipper", "shipper-gpu", "demo-shipper", "demo-steps-shipper");
    assertThat(scrapes)
        .contains(
            "streams:9095",
            "\"shipper\"",
            "\"shipper-gpu\"",
            "\"demo-shipper\"",
            "\"demo-steps-shipper\"")
        .as("a link without a host leads nowhere")
        .doesNotContain("\"runbooks\"");
  }

  /// Without a GPU the panels of GPUs live all the same.
  @Test
  void playsTheDemosGpusAtTheirPace() throws Exception {
    var demo = services().get("demo-shipper");
    assertThat(strings(demo.path("command"))).contains("--set=gpu.command=/demo/nvidia-smi");
    var builder =
        new ProcessBuilder(
            Repository.path("deploy/docker/nvidia-smi").toString(), "--query-gpu=any", "-lms", "9");
    builder
        .environment()
        .put(
            "RINGSIDE_DEMO_SAMPLES",
            Repository.path("examples/recordings/slowcoll/nvidia-smi.csv.gz").toString());
    var process = builder.start();
    try (var lines = process.inputReader()) {
      var said = lines.lines().limit(1 + 2 * 8).map(line -> List.of(line.split(", "))).toList();

      assertThat(said.getFirst()).startsWith("timestamp", "index", "uuid");
      assertThat(said.subList(1, 9)).extracting(row -> row.get(0)).containsOnly(said.get(1).get(0));
      assertThat(said.get(9).get(0)).isGreaterThan(said.get(8).get(0));
      assertThat(said.get(9).get(1)).isEqualTo("0");
    } finally {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }
  }

  /// A panel that stays empty looks broken: edges between pods come from a job of two, samples and
  /// steps from one that tells them.
  @Test
  void playsJobsThatFillEveryPanel() throws Exception {
    var pods = new ArrayList<Integer>();
    var told = new StringBuilder();
    for (var name : List.of("demo-job", "demo-steps-job")) {
      var recording =
          strings(services().get(name).path("volumes")).stream()
              .filter(it -> it.contains("/recordings/"))
              .map(it -> Repository.path(it.split(":", -1)[0]))
              .findFirst()
              .orElseThrow();
      var logs = Repository.files(recording.resolve("pods"), ".log.gz");
      pods.add(logs.size());
      for (var log : logs) {
        try (var unpacked = new GZIPInputStream(Files.newInputStream(log))) {
          told.append(new String(unpacked.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
      assertThat(recording.resolve("nvidia-smi.csv.gz")).exists();
    }

    assertThat(pods).anyMatch(it -> it > 1);
    assertThat(told).contains("CurrSamplesPerSec=", "opCount");
    assertThat(services().get("demo-steps-shipper").path("profiles")).isNotEmpty();
  }

  /// What an image is built with can be set; the default is the Dockerfile's own.
  @Test
  void passesTheBuildsArgumentsOn() {
    var dockerfile = Repository.text(Repository.path("deploy/docker/Dockerfile"));
    var head =
        Repository.text(Repository.path("docker-compose.yml"))
            .lines()
            .filter(it -> it.startsWith("#"))
            .toList();
    for (var name : List.of("shipper", "streams", "demo-job")) {
      var arguments = services().get(name).at("/build/args");
      assertThat(arguments.propertyNames())
          .as(name)
          .containsExactlyInAnyOrder("RINGSIDE_TRAINING_SECONDS", "BUILDER", "BASE");
      arguments
          .properties()
          .forEach(
              argument -> {
                var value =
                    Pattern.compile("\\$\\{(\\w+):-([^}]*)}")
                        .matcher(argument.getValue().asString());
                assertThat(value.matches()).as("%s", argument).isTrue();
                assertThat(dockerfile)
                    .containsPattern(
                        "(?m)^ARG "
                            + argument.getKey()
                            + "="
                            + Pattern.quote(value.group(2))
                            + "$");
                assertThat(head).anyMatch(it -> it.contains(value.group(1)));
              });
    }
  }

  private static Map<String, JsonNode> services() {
    var services = new TreeMap<String, JsonNode>();
    COMPOSE
        .path("services")
        .properties()
        .forEach(entry -> services.put(entry.getKey(), entry.getValue()));
    return services;
  }

  private static List<String> strings(JsonNode list) {
    return list.isMissingNode() ? List.of() : list.valueStream().map(JsonNode::asString).toList();
  }

  /// Resolves YAML's merge keys, which Jackson leaves as they are.
  private static ObjectNode merged(ObjectNode compose) {
    for (var service : compose.get("services").properties()) {
      compose.withObject("/services").set(service.getKey(), merged(service.getValue(), compose));
    }
    compose.properties().removeIf(entry -> entry.getKey().startsWith("x-"));
    return compose;
  }

  private static JsonNode merged(JsonNode value, ObjectNode compose) {
    var base = value.get("<<");
    if (!(value instanceof ObjectNode service) || base == null) {
      return value;
    }
    service.remove("<<");
    var anchor = compose.get("x-" + base.asString());
    var result = ((ObjectNode) merged(anchor.deepCopy(), compose)).deepCopy();
    service
        .properties()
        .forEach(entry -> result.set(entry.getKey(), alias(entry.getValue(), compose)));
    return result;
  }

  private static JsonNode alias(JsonNode value, ObjectNode compose) {
    return value.isString() && value.asString().equals("shipper-build")
        ? compose.at("/x-shipper/build")
        : value;
  }
}
