package io.ringside.standalone.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.serde.EventJson;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportJsonTest {
  @Test
  void isOneDocumentOfJobsAndInput() {
    var first = Fabricated.straggledRun();
    var second = Fabricated.again(first, "0xsecond", 2);
    var json =
        EventJson.MAPPER.readTree(
            ReportJson.of(
                ReportContent.of(
                    Fabricated.input(),
                    List.of(second, first, Fabricated.fallbackRun()),
                    List.of(Fabricated.straggler(), Fabricated.fallback()))));

    var fallback = json.at("/jobs/0");
    assertThat(fallback.at("/job").asString()).isEqualTo("llama-3-8b");
    assertThat(fallback.at("/verdict/level").asString()).isEqualTo("critical");
    assertThat(fallback.at("/verdict/kind").asString()).isEqualTo("efa-fallback");
    assertThat(fallback.at("/findings/0/evidence/0/offset").asLong()).isEqualTo(2101);
    assertThat(fallback.at("/checklist/2/status").asString()).isEqualTo("fail");

    var straggled = json.at("/jobs/1");
    assertThat(straggled.at("/runs/0/attempt").asInt()).isEqualTo(1);
    assertThat(straggled.at("/runs/1/run").asString()).isEqualTo("0xsecond");
    assertThat(straggled.at("/findings/0/ranks/0").asInt()).isEqualTo(6);

    assertThat(json.at("/input/files/0/kind").asString()).isEqualTo("log");
    assertThat(json.at("/input/lines").asLong()).isEqualTo(137);
    assertThat(json.at("/input/unparsed/lines").asLong()).isZero();
    assertThat(json.at("/input/skipped/0/path").asString()).isEqualTo("truth/t.rank0.csv");
  }

  @Test
  void isEmptyButWholeWhereNothingWasRecognised() {
    var json =
        EventJson.MAPPER.readTree(
            ReportJson.of(ReportContent.of(Fabricated.input(), List.of(), List.of())));

    assertThat(json.at("/jobs").isArray()).isTrue();
    assertThat(json.at("/jobs").isEmpty()).isTrue();
  }
}
