package io.ringside.streams.publish.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.platform.config.ConfigFile;
import io.ringside.platform.config.Yaml;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.schemas.serde.EventJson;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.judge.suspect.Blame;
import io.ringside.streams.judge.suspect.NodeMemory;
import io.ringside.streams.publish.Samples;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// docs/openapi.yaml says what the API does, no less and no more: fields that are not described
/// fail as well as fields that are missing.
class ApiDescriptionTest {
  private static final JsonNode DOCUMENT =
      Yaml.parse(ConfigFile.text(Path.of("..", "docs", "openapi.yaml")), "openapi.yaml");

  private final ApiEndpoint api = new ApiEndpoint(PagePreview.views(List.of()));
  private final NodesEndpoint nodes =
      new NodesEndpoint(() -> List.of(memory()), Expectations::builtIn);
  private final CampaignEndpoint campaign =
      new CampaignEndpoint(
          PagePreview.views(List.of(Path.of("..", "examples", "recordings", "groups"))),
          () -> Samples.T0.plusSeconds(86_400));

  @ParameterizedTest
  @CsvSource({
    "/api/jobs, /api/jobs",
    "/api/jobs/{job}, /api/jobs/pretrain-70b",
    "/api/jobs/{job}/runs, /api/jobs/mixtral-8x7b/runs",
    "/api/findings, /api/findings",
    "/api/nodes, /api/nodes",
    "/api/v1/jobs, /api/v1/jobs",
    "/api/v1/jobs/{job}, /api/v1/jobs/pretrain-70b",
    "/api/v1/jobs/{job}/runs, /api/v1/jobs/mixtral-8x7b/runs",
    "/api/v1/findings, /api/v1/findings",
    "/api/v1/nodes, /api/v1/nodes",
    "/api/campaign, /api/campaign",
    "/api/v1/campaign, /api/v1/campaign",
  })
  void answersAsDescribed(String described, String path) {
    var schema =
        resolved(DOCUMENT.get("paths").get(described))
            .at("/get/responses/200/content/application~1json/schema");

    var body = EventJson.MAPPER.readTree(answer(path).body());

    assertThat(differences(schema, body, "")).isEmpty();
  }

  @Test
  void describesEveryPath() {
    assertThat(DOCUMENT.get("paths").propertyNames())
        .containsExactly(
            "/api/v1/jobs",
            "/api/v1/jobs/{job}",
            "/api/v1/jobs/{job}/runs",
            "/api/v1/findings",
            "/api/v1/nodes",
            "/api/v1/campaign",
            "/api/jobs",
            "/api/jobs/{job}",
            "/api/jobs/{job}/runs",
            "/api/findings",
            "/api/nodes",
            "/api/campaign");
  }

  @Test
  void saysThatATokenMayBeAskedFor() {
    assertThat(DOCUMENT.at("/components/securitySchemes/bearer/scheme").asString())
        .isEqualTo("bearer");
    assertThat(DOCUMENT.get("security").findValues("bearer")).hasSize(1);
    for (var path : DOCUMENT.get("paths")) {
      var unauthorized = resolved(resolved(path).at("/get/responses/401"));

      assertThat(unauthorized.at("/headers/WWW-Authenticate/schema/const").asString())
          .isEqualTo("Bearer");
    }
  }

  /// Two slashes and three names: no segment of a job's name is taken for a version.
  @Test
  void takesNothingElseForAVersion() {
    assertThat(new Request(List.of("api", "jobs", "v1"), Map.of(), "", "").path())
        .containsExactly("api", "jobs", "v1");
    assertThat(new Request(List.of("v1", "api"), Map.of(), "", "").path())
        .containsExactly("v1", "api");
  }

  @Test
  void knowsEveryKind() {
    var kinds =
        StreamSupport.stream(DOCUMENT.at("/components/schemas/Kind/enum").spliterator(), false)
            .map(JsonNode::asString);

    assertThat(kinds)
        .containsExactlyElementsOf(
            Arrays.stream(FindingKind.values()).map(FindingKind::label).toList());
  }

  private static NodeMemory memory() {
    var blame =
        new Blame(
            "east",
            "node-1",
            "training",
            "llama",
            "0x1",
            "id",
            FindingKind.STRAGGLER,
            Severity.WARNING,
            List.of("0000:0b:00.0"),
            List.of(),
            Instant.EPOCH,
            false);
    return NodeMemory.of("east", "node-1").with(blame, 8);
  }

  private Response answer(String path) {
    Map<String, String> none = new LinkedHashMap<>();
    var request = new Request(List.of(path.substring(1).split("/", -1)), none, "", "");
    return nodes
        .answer(request)
        .or(() -> campaign.answer(request))
        .or(() -> api.answer(request))
        .orElseThrow();
  }

  /// The part of JSON Schema that the document uses.
  private static List<String> differences(JsonNode declared, JsonNode value, String at) {
    var schema = resolved(declared);
    var found = new ArrayList<String>();
    if (schema.has("oneOf")) {
      return schema.get("oneOf").valueStream().anyMatch(it -> differences(it, value, at).isEmpty())
          ? List.of()
          : List.of(at + " fits no choice");
    }
    if (!types(schema).contains(type(value))
        && !(type(value).equals("integer") && types(schema).contains("number"))) {
      return List.of("%s is %s and not %s".formatted(at, type(value), types(schema)));
    }
    if (schema.has("enum") && schema.get("enum").valueStream().noneMatch(value::equals)) {
      found.add("%s is %s".formatted(at, value));
    }
    if (value.isArray()) {
      value.forEach(it -> found.addAll(differences(schema.get("items"), it, at + "[]")));
    }
    if (value.isObject() && schema.has("properties")) {
      schema
          .path("required")
          .forEach(
              name -> {
                if (!value.has(name.asString())) {
                  found.add(at + "." + name.asString() + " is missing");
                }
              });
      for (var field : value.properties()) {
        var property = schema.get("properties").get(field.getKey());
        var path = at + "." + field.getKey();
        if (property == null) {
          found.add(path + " is not described");
        } else {
          found.addAll(differences(property, field.getValue(), path));
        }
      }
    }
    return found.stream().distinct().toList();
  }

  private static JsonNode resolved(JsonNode schema) {
    return schema.has("$ref") ? DOCUMENT.at(schema.get("$ref").asString().substring(1)) : schema;
  }

  private static List<String> types(JsonNode schema) {
    var type = schema.get("type");
    return type.isArray()
        ? type.valueStream().map(JsonNode::asString).toList()
        : List.of(type.asString());
  }

  private static String type(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> "object";
      case ARRAY -> "array";
      case STRING -> "string";
      case BOOLEAN -> "boolean";
      case NULL -> "null";
      case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
      case BINARY, MISSING, POJO -> "nothing of JSON";
    };
  }
}
