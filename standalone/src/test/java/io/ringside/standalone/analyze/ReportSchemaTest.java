package io.ringside.standalone.analyze;

import static com.networknt.schema.InputFormat.JSON;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.ringside.schemas.serde.EventJson;
import io.ringside.standalone.input.Inputs;
import io.ringside.standalone.report.ReportJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// `docs/report.schema.json` describes what `--format json` prints, with the records of the topics
/// that it holds in one document. `-Dgolden.update=true` writes it anew.
class ReportSchemaTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "report.schema.json");
  private static final Path RECORDINGS = Path.of("..", "examples", "recordings");

  @Test
  void isWhatTheDocumentSays() throws IOException {
    var bundled = resource("report");
    var definitions = (ObjectNode) bundled.get("$defs");
    definitions.set("run", resource("run-summary"));
    definitions.set("finding", resource("finding"));
    var text = EventJson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(bundled) + "\n";
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(DOCUMENT, text);
    }
    assertThat(Files.readString(DOCUMENT)).isEqualTo(text);
  }

  @Test
  void describesTheReportsOfAllRecordings() throws Exception {
    var report = report(RECORDINGS);

    assertThat(errors(report)).isEmpty();
    var json = EventJson.MAPPER.readTree(report);
    assertThat(json.at("/schemaVersion").asInt()).isEqualTo(1);
    assertThat(json.at("/verdict/level").asString()).isEqualTo("critical");
    var evidence = new ArrayList<String>();
    json.at("/jobs")
        .forEach(
            job ->
                job.get("findings")
                    .forEach(
                        finding ->
                            finding
                                .get("evidence")
                                .forEach(each -> evidence.add(each.toString()))));
    assertThat(evidence)
        .anyMatch(
            each ->
                List.of("line", "rank", "host", "after").stream()
                    .allMatch(field -> each.contains("\"" + field + "\":")));
  }

  /// A schema that lets everything pass describes nothing.
  @Test
  void refusesWhatIsNoReport() throws Exception {
    var report = report(RECORDINGS.resolve("seed-g6e-efa-fallback"));

    assertThat(errors(report)).isEmpty();
    assertThat(errors(report.replace("\"schemaVersion\" : 1", "\"schemaVersion\" : 2")))
        .isNotEmpty();
    assertThat(errors(report.replace("\"severity\" : \"critical\"", "\"severity\" : \"bad\"")))
        .isNotEmpty();
    assertThat(errors(report.replace("\"ranksSeen\"", "\"ranksHeard\""))).isNotEmpty();
    assertThat(errors(report.replaceAll("\"line\" : [0-9]+", "\"line\" : 0"))).isNotEmpty();
  }

  private static List<String> errors(String report) throws IOException {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(EventJson.MAPPER.readTree(Files.readString(DOCUMENT)))
        .validate(report, JSON)
        .stream()
        .map(Object::toString)
        .limit(8)
        .toList();
  }

  private static String report(Path path) throws Exception {
    var inputs = Inputs.of(List.of(path.toString()));
    var analysis =
        new DirectAnalyzer(InstantSource.fixed(Instant.EPOCH), 2)
            .analyze(inputs, new Labels("", "", ZoneOffset.UTC, null), new NoProgress());
    var account = analysis.account();
    return ReportJson.of(account.with(EvidenceLines.of(inputs, account.findings())));
  }

  private static ObjectNode resource(String name) throws IOException {
    try (var in = ReportSchemaTest.class.getResourceAsStream("/schema/" + name + ".schema.json")) {
      return (ObjectNode) EventJson.MAPPER.readTree(requireNonNull(in, name).readAllBytes());
    }
  }
}
