package io.ringside.schemas.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.schemas.event.StragglerType;
import io.ringside.schemas.serde.EventJson;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FindingTest {
  @Test
  void tellsWhetherItsWitnessesAgree() {
    assertThat(with(List.of()).agree()).isNull();
    assertThat(with(List.of(List.of(2))).agree()).isNull();
    assertThat(with(List.of(List.of(2), List.of())).agree())
        .as("who blames nobody contradicts nobody")
        .isNull();
    assertThat(with(List.of(List.of(2, 1), List.of(1, 2))).agree()).isTrue();
    assertThat(with(List.of(List.of(2), List.of(), List.of(3))).agree()).isFalse();
  }

  @Test
  void tellsTheTypeOfAStragglerOnly() {
    assertThat(straggler("gpu-clock").type()).isEqualTo(StragglerType.GPU);
    assertThat(straggler("host").type()).isEqualTo(StragglerType.HOST);
    assertThat(straggler("data").type()).isEqualTo(StragglerType.DATA);
    assertThat(straggler(null).type()).isEqualTo(StragglerType.UNKNOWN);
    assertThat(with(List.of()).type()).isNull();
  }

  @Test
  void writesWhatFollowsFromItAndReadsItBack() {
    var finding = with(List.of(List.of(2), List.of(2)));
    var json = EventJson.MAPPER.writeValueAsString(finding);

    assertThat(json).contains("\"agree\":true", "\"runbook\":\"docs/runbooks/RingsideHang.md\"");
    assertThat(json).doesNotContain("\"type\"");
    assertThat(EventJson.MAPPER.readValue(json, Finding.class)).isEqualTo(finding);
  }

  private static Finding with(List<List<Integer>> blamed) {
    var witnesses = blamed.stream().map(it -> new Finding.Witness("ras", it, "so")).toList();
    return finding(FindingKind.HANG).with(its -> its.witnesses = witnesses);
  }

  private static Finding straggler(@Nullable String cause) {
    return finding(FindingKind.STRAGGLER).with(its -> its.cause = cause);
  }

  private static Finding finding(FindingKind kind) {
    return Finding.of(
        "id",
        kind,
        Severity.CRITICAL,
        its -> its.evidence = List.of(new Evidence(null, "n", "p", "f", 0, "line")));
  }
}
