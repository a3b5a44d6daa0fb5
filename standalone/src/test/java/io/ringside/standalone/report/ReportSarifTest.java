package io.ringside.standalone.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.schemas.serde.EventJson;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What SARIF 2.1.0 demands: sections 3.13, 3.14, 3.18, 3.19, 3.20, 3.27, 3.28 to 3.30, 3.49 and
/// 3.58.
class ReportSarifTest {
  @Test
  void isALogOfOneRunWithAllThatIsDemanded() {
    var run =
        Fabricated.straggledRun().without(List.of(new NotJudged("gpus", "no nvidia-smi samples")));
    var log =
        sarif(
            Fabricated.account(
                List.of(Fabricated.fallbackRun(), run),
                List.of(Fabricated.fallback(), Fabricated.straggler())));

    assertThat(log.at("/version").asString()).isEqualTo("2.1.0");
    assertThat(log.at("/$schema").asString()).endsWith("sarif-schema-2.1.0.json");
    assertThat(log.at("/runs")).hasSize(1);
    var driver = log.at("/runs/0/tool/driver");
    assertThat(driver.at("/name").asString()).isEqualTo("Ringside");
    assertThat(driver.at("/version").asString()).isEqualTo("1.2.3");
    assertThat(driver.at("/rules")).hasSize(2);

    var results = log.at("/runs/0/results");
    assertThat(results).hasSize(2);
    results.forEach(
        result -> {
          var rule = driver.at("/rules").get(result.at("/ruleIndex").asInt());
          assertThat(rule.at("/id").asString()).isEqualTo(result.at("/ruleId").asString());
          assertThat(rule.at("/shortDescription/text").asString()).isNotEmpty();
          assertThat(result.at("/message/text").asString()).isNotEmpty();
          assertThat(List.of("error", "warning", "note")).contains(result.at("/level").asString());
          assertThat(result.at("/partialFingerprints")).isNotEmpty();
          assertThat(result.at("/locations")).hasSize(1);
        });
    var place = results.get(0).at("/locations/0/physicalLocation");
    assertThat(place.at("/artifactLocation/uri").asString())
        .isEqualTo("seed/llama-3-8b-node-0-0.log");
    assertThat(place.at("/region/startLine").asInt()).isEqualTo(21);
    assertThat(results.get(0).at("/relatedLocations")).hasSize(2);
    assertThat(results.get(1).at("/locations/0/physicalLocation/region/byteOffset").asInt())
        .isEqualTo(284113);

    var invocation = log.at("/runs/0/invocations/0");
    assertThat(invocation.at("/executionSuccessful").isBoolean()).isTrue();
    assertThat(invocation.at("/toolExecutionNotifications").valueStream())
        .extracting(note -> note.at("/message/text").asString())
        .contains("llama-c: not judged: gpus: no nvidia-smi samples")
        .anySatisfy(text -> assertThat(text).startsWith("left out truth/t.rank0.csv: "));
  }

  @Test
  void namesFilesByUrisWhateverTheyAreCalled() throws Exception {
    var log = sarif(Fabricated.account(List.of(), List.of(Fabricated.hostile("\u0000 größer"))));
    var uri =
        log.at("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri").asString();

    assertThat(new URI(uri).isAbsolute()).isFalse();
    assertThat(new URI(uri).getPath()).isEqualTo("./0:1,2 %.log");
  }

  @Test
  void hasNoResultsWhereNothingWasFound() {
    var log = sarif(Fabricated.account(List.of(Fabricated.straggledRun()), List.of()));

    assertThat(log.at("/runs/0/results").isArray()).isTrue();
    assertThat(log.at("/runs/0/results")).isEmpty();
  }

  private static JsonNode sarif(ReportContent account) {
    return EventJson.MAPPER.readTree(ReportSarif.of(account, "1.2.3"));
  }
}
