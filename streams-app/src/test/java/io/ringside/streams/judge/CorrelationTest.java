package io.ringside.streams.judge;

import static io.ringside.schemas.event.FindingKind.BARRIER_WAIT;
import static io.ringside.schemas.event.FindingKind.EFA_FALLBACK;
import static io.ringside.schemas.event.FindingKind.GPU_THROTTLED;
import static io.ringside.schemas.event.FindingKind.HANG;
import static io.ringside.schemas.event.FindingKind.NCCL_ERROR;
import static io.ringside.schemas.event.FindingKind.SHM_FALLBACK;
import static io.ringside.schemas.event.FindingKind.STEP_REGRESSION;
import static io.ringside.schemas.event.FindingKind.STRAGGLER;
import static io.ringside.schemas.event.FindingKind.TRANSPORT_REGRESSION;
import static io.ringside.schemas.event.Severity.CRITICAL;
import static io.ringside.schemas.event.Severity.INFO;
import static io.ringside.schemas.event.Severity.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.publish.Causes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CorrelationTest {
  @Test
  void findsTheThrottledGpuBehindStragglerWaitsAndSlowSteps() {
    assertThat(
            causes(
                Findings.of(STEP_REGRESSION, WARNING, 0),
                Findings.of(BARRIER_WAIT, WARNING, 0),
                Findings.of(STRAGGLER, CRITICAL, 3),
                Findings.of(GPU_THROTTLED, WARNING, 3)))
        .containsOnly(
            "step-regression < straggler", "barrier-wait < straggler", "straggler < gpu-throttled");
  }

  @Test
  void blamesNoGpuOfAnotherRank() {
    assertThat(
            causes(
                Findings.of(STRAGGLER, WARNING, 3),
                Findings.of(GPU_THROTTLED, WARNING, 2),
                // the same bus id on another node
                Findings.of(GPU_THROTTLED, WARNING, 7)))
        .isEmpty();
  }

  @Test
  void explainsSlowStepsByAFallback() {
    assertThat(
            causes(
                Findings.of(STEP_REGRESSION, WARNING, "last-good-run"),
                // within the run: the transport has not changed
                Findings.of(STEP_REGRESSION, WARNING, 0),
                Findings.of(TRANSPORT_REGRESSION, CRITICAL, 0),
                Findings.of(EFA_FALLBACK, CRITICAL, 0)))
        .containsOnly(
            "step-regression < transport-regression", "transport-regression < efa-fallback");
  }

  @Test
  void makesTheRegressionTheHeadlineWhereItIsTheWorse() {
    assertThat(
            causes(
                Findings.of(TRANSPORT_REGRESSION, CRITICAL, 0),
                Findings.of(SHM_FALLBACK, WARNING, 0)))
        .containsOnly("shm-fallback < transport-regression");
  }

  @Test
  void explainsNothingByANoteNorByWhatWasOver() {
    var t = Findings.NOW;
    assertThat(causes(Findings.of(STRAGGLER, WARNING, 3), Findings.of(GPU_THROTTLED, INFO, 3)))
        .isEmpty();
    assertThat(
            causes(
                Findings.of(STRAGGLER, WARNING, 3, t, null),
                Findings.of(GPU_THROTTLED, WARNING, 3, t.minusSeconds(90), t.minusSeconds(60))))
        .isEmpty();
    assertThat(
            causes(
                Findings.of(STRAGGLER, WARNING, 3, t, t.plusSeconds(60)),
                Findings.of(GPU_THROTTLED, WARNING, 3, t.plusSeconds(10), t.plusSeconds(30))))
        .containsOnly("straggler < gpu-throttled");
  }

  @Test
  void takesAnErrorFromBeforeTheHangForNoEffectOfIt() {
    var t = Findings.NOW;
    assertThat(
            causes(
                Findings.of(HANG, CRITICAL, 0, t, null),
                Findings.of(NCCL_ERROR, WARNING, 1, t.plusSeconds(5), null)))
        .containsOnly("nccl-error < hang");
    assertThat(
            causes(
                Findings.of(HANG, CRITICAL, 0, t, null),
                Findings.of(NCCL_ERROR, WARNING, 1, t.minusSeconds(5), null)))
        .isEmpty();
  }

  @Test
  void leadsFromEveryFindingToACauseWithoutACircle() {
    var random = new Random(5);
    for (int i = 0; i < 300; i++) {
      var findings = new ArrayList<Finding>();
      for (var kind : FindingKind.values()) {
        for (int rank = 0; rank < 2; rank++) {
          if (random.nextBoolean()) {
            findings.add(Findings.of(kind, Severity.values()[random.nextInt(3)], rank));
          }
        }
      }
      var correlated = Correlation.of(findings);
      var shuffled = new ArrayList<>(findings);
      Collections.shuffle(shuffled, random);

      assertThat(causesById(Correlation.of(shuffled))).isEqualTo(causesById(correlated));
      for (var finding : correlated) {
        assertThat(Causes.among(correlated).root(finding).causedBy()).isNull();
      }
    }
  }

  private static TreeMap<String, String> causesById(List<Finding> findings) {
    var causes = new TreeMap<String, String>();
    findings.forEach(finding -> causes.put(finding.id(), String.valueOf(finding.causedBy())));
    return causes;
  }

  private static List<String> causes(Finding... findings) {
    var correlated = Correlation.of(List.of(findings));
    return correlated.stream()
        .filter(finding -> finding.causedBy() != null)
        .map(
            finding ->
                finding.kind().label()
                    + " < "
                    + correlated.stream()
                        .filter(other -> other.id().equals(finding.causedBy()))
                        .findFirst()
                        .orElseThrow()
                        .kind()
                        .label())
        .toList();
  }
}
