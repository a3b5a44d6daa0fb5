package io.ringside.standalone.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunBill;
import io.ringside.standalone.input.Inputs;
import io.ringside.standalone.report.JobView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Reports of recordings claim nothing beside its contrary.
class ContradictionsTest {
  @ParameterizedTest
  @MethodSource("recordings")
  void noCheckFailsWhereNoFaultIsFound(Path recording) throws Exception {
    for (var job : jobs(recording)) {
      var verdict = job.verdict();
      if (verdict.level().equals("ok") || verdict.summary().contains("No fault found")) {
        assertThat(job.runs())
            .flatMap(run -> run.checklist())
            .noneMatch(check -> check.status() == Check.Status.FAIL);
        assertThat(job.findings())
            .noneMatch(finding -> finding.kind() == FindingKind.HANG)
            .noneMatch(finding -> gpuSeconds(finding) > 0);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void aHangCostsNoMoreThanItIsBilled(Path recording) throws Exception {
    for (var job : jobs(recording)) {
      for (var hang : job.findings()) {
        if (hang.kind() == FindingKind.HANG) {
          assertThat(job.runs())
              .map(run -> run.bill())
              .filteredOn(Objects::nonNull)
              .flatMap(RunBill::items)
              .filteredOn(item -> item.finding().equals(hang.id()))
              .allSatisfy(
                  item ->
                      assertThat(gpuSeconds(hang)).isLessThanOrEqualTo(1.1 * item.gpuSeconds()));
        }
      }
    }
  }

  private static double gpuSeconds(Finding finding) {
    var known = finding.cost().gpuSeconds();
    return known == null ? 0 : known;
  }

  private static List<JobView> jobs(Path recording) throws Exception {
    var jobs =
        new DirectAnalyzer(InstantSource.fixed(Instant.EPOCH), 2)
            .analyze(
                Inputs.of(List.of(recording.toString())),
                new Labels("", "", ZoneOffset.UTC, null),
                new Unwatched())
            .account()
            .jobs();
    assertThat(jobs).isNotEmpty();
    return jobs;
  }

  static List<Path> recordings() throws IOException {
    try (var all = Files.list(Path.of("..", "examples", "recordings"))) {
      return all.filter(Files::isDirectory).sorted().toList();
    }
  }
}
