package io.ringside.schemas.contract;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.ringside.schemas.event.AgentEvent;
import io.ringside.schemas.event.DeadLetter;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.NodeReport;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.TelemetryEvent;
import io.ringside.schemas.serde.EventJson;
import io.ringside.schemas.serde.UndecodableEvent;
import io.ringside.schemas.topic.Topic;
import io.ringside.schemas.topic.Topics;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class ContractTest {
  /// Fields whose keys are data.
  private static final Set<String> FREE_MAPS = Set.of("environment", "unknown", "values");

  /// Golden files are never changed, only added: what was written once must be read for ever.
  static final List<Golden> GOLDEN =
      List.of(
          new Golden("log-chunk.plain", Topics.LOGS),
          new Golden("log-chunk.containerd", Topics.LOGS),
          new Golden("gpu-sample", Topics.GPU),
          new Golden("node-topology", Topics.TOPOLOGY),
          new Golden("node-report", Topics.NODE),
          new Golden("node-report.hardware", Topics.NODE),
          new Golden("node-report.unreached", Topics.NODE),
          new Golden("finding", Topics.FINDINGS),
          new Golden("finding.caused-by", Topics.FINDINGS),
          new Golden("finding.witnesses", Topics.FINDINGS),
          new Golden("finding.straggler", Topics.FINDINGS),
          new Golden("finding.namespace", Topics.FINDINGS),
          new Golden("finding.proof", Topics.FINDINGS),
          new Golden("finding.late-step", Topics.FINDINGS),
          new Golden("run-summary", Topics.RUNS),
          new Golden("run-summary.aggregates", Topics.RUNS),
          new Golden("run-summary.traffic", Topics.RUNS),
          new Golden("run-summary.not-judged", Topics.RUNS),
          new Golden("run-summary.histogram", Topics.RUNS),
          new Golden("run-summary.left-out", Topics.RUNS),
          new Golden("run-summary.namespace", Topics.RUNS),
          new Golden("run-summary.bill", Topics.RUNS),
          new Golden("run-summary.ahead", Topics.RUNS),
          new Golden("run-summary.team", Topics.RUNS),
          new Golden("dead-letter", Topics.DEAD_LETTER));

  private static final Map<String, Class<? extends TelemetryEvent>> RECORDS =
      Map.of(
          "log-chunk", LogChunk.class,
          "gpu-sample", GpuSample.class,
          "node-topology", NodeTopology.class,
          "node-report", NodeReport.class,
          "finding", Finding.class,
          "run-summary", RunSummary.class,
          "dead-letter", DeadLetter.class);

  record Golden(String file, Topic<?> topic) {
    JsonNode json() {
      return resource("/golden/v1/" + file + ".json");
    }

    Schema schema() {
      return schemaOf(file.split("\\.", -1)[0]);
    }

    @Override
    public String toString() {
      return file;
    }
  }

  @ParameterizedTest
  @FieldSource("GOLDEN")
  void oldRecordsSatisfyTheSchema(Golden golden) {
    assertThat(golden.schema().validate(golden.json())).isEmpty();
  }

  @ParameterizedTest
  @FieldSource("GOLDEN")
  void oldRecordsAreReadAndWrittenUnchanged(Golden golden) {
    assertThat(again(golden.topic(), golden.json())).isEqualTo(golden.json());
  }

  @ParameterizedTest
  @FieldSource("GOLDEN")
  void fieldsOfTheFutureAreSkipped(Golden golden) {
    JsonNode json = golden.json();
    assertThat(again(golden.topic(), withUnknownFields(json))).isEqualTo(json);
    assertThat(golden.schema().validate(withUnknownFields(json))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "log-chunk",
        "gpu-sample",
        "node-topology",
        "node-report",
        "finding",
        "run-summary",
        "dead-letter"
      })
  void schemaAndRecordNameTheSameFields(String name) {
    JsonNode schema = resource("/schema/" + name + ".schema.json");
    compare(schema, schema, requireNonNull(RECORDS.get(name)));
  }

  @Test
  void everyRecordOnATopicHasASchema() {
    assertThat(RECORDS.values())
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(TelemetryEvent.class, AgentEvent.class)
                .flatMap(type -> Stream.of(type.getPermittedSubclasses()))
                .filter(Class::isRecord)
                .<Class<? extends TelemetryEvent>>map(type -> type.asSubclass(TelemetryEvent.class))
                .toList());
    assertThat(GOLDEN).extracting(Golden::topic).containsAll(Topics.ALL);
  }

  @Test
  void aSchemaRefusesWhatIsNoRecord() {
    var json = (ObjectNode) new Golden("finding", Topics.FINDINGS).json();
    json.put("kind", "gremlins");
    json.remove("evidence");
    assertThat(schemaOf("finding").validate(json)).hasSize(2);
  }

  @Test
  void whatIsNoRecordIsRefusedWithTheTopicsName() {
    byte[] text = "no json".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> Topics.LOGS.valueSerde().deserializer().deserialize("logs", text))
        .isInstanceOf(UndecodableEvent.class)
        .hasMessageContaining("7 bytes on logs are no LogChunk");
  }

  private static <T> JsonNode again(Topic<T> topic, JsonNode json) {
    var serde = topic.valueSerde();
    T event =
        serde.deserializer().deserialize(topic.name(), EventJson.MAPPER.writeValueAsBytes(json));
    return EventJson.MAPPER.readTree(serde.serializer().serialize(topic.name(), event));
  }

  /// The record's components, all of them required but those that were added later and are left out
  /// where they are null, and so on for records within it.
  private static void compare(JsonNode root, JsonNode schema, Class<?> type) {
    Set<String> components = new TreeSet<>();
    Set<String> asked = new TreeSet<>();
    for (RecordComponent component : type.getRecordComponents()) {
      String name = spelled(component);
      components.add(name);
      if (!component.getAccessor().isAnnotationPresent(JsonInclude.class)) {
        asked.add(name);
      }
      JsonNode field = schema.path("properties").path(name);
      Class<?> inner = recordWithin(component);
      if (inner != null) {
        compare(root, resolved(root, field), inner);
      }
    }
    Set<String> properties = new TreeSet<>(schema.path("properties").propertyNames());
    Set<String> required = new TreeSet<>();
    schema.path("required").forEach(name -> required.add(name.asString()));
    assertThat(properties).as(type.getSimpleName()).isEqualTo(components);
    assertThat(required).as(type.getSimpleName()).isEqualTo(asked);
  }

  /// Java has words of its own that the contract uses as well.
  private static String spelled(RecordComponent component) {
    var renamed = component.getAccessor().getAnnotation(JsonProperty.class);
    return renamed == null ? component.getName() : renamed.value();
  }

  /// The record that a component is or is a list of.
  private static @Nullable Class<?> recordWithin(RecordComponent component) {
    Type type = component.getGenericType();
    if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
      type = list.getActualTypeArguments()[0];
    }
    return type instanceof Class<?> plain && plain.isRecord() ? plain : null;
  }

  private static JsonNode resolved(JsonNode root, JsonNode field) {
    if (field.has("items")) {
      return resolved(root, field.get("items"));
    }
    if (field.has("anyOf")) {
      return resolved(root, field.get("anyOf").get(0));
    }
    return field.has("$ref")
        ? root.path("$defs").path(field.get("$ref").asString().substring("#/$defs/".length()))
        : field;
  }

  /// Adds a field to every object that is a record; keys of a map are not fields.
  private static JsonNode withUnknownFields(JsonNode json) {
    JsonNode copy = json.deepCopy();
    addUnknown(copy);
    return copy;
  }

  private static void addUnknown(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object
          .properties()
          .forEach(
              field -> {
                if (!FREE_MAPS.contains(field.getKey())) {
                  addUnknown(field.getValue());
                }
              });
      object.put("fieldOfTheFuture", 42);
    } else if (node instanceof ArrayNode array) {
      array.forEach(ContractTest::addUnknown);
    }
  }

  private static Schema schemaOf(String name) {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(resource("/schema/" + name + ".schema.json"));
  }

  private static JsonNode resource(String path) {
    try (InputStream in = ContractTest.class.getResourceAsStream(path)) {
      return EventJson.MAPPER.readTree(requireNonNull(in, path).readAllBytes());
    } catch (IOException e) {
      throw new AssertionError(path, e);
    }
  }
}
