package io.ringside.standalone.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.Severity;
import io.ringside.standalone.input.Inputs;
import io.ringside.standalone.report.JobView;
import io.ringside.standalone.report.Report;
import io.ringside.standalone.report.ReportContent;
import io.ringside.standalone.report.Screen;
import io.ringside.streams.publish.Job;
import io.ringside.streams.publish.JobOverview;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Reports of recordings claim nothing beside its contrary.
class ContradictionsTest {
  private static final Map<Path, ReportContent> ACCOUNTS = new HashMap<>();
  private static final Pattern PART =
      Pattern.compile("\\b(\\d[\\d,]*) of (?:all )?(\\d[\\d,]*) \\w");

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

  /// A finding's figure counts who waited, the bill's all GPUs: each says so, and none stands
  /// alone.
  @ParameterizedTest
  @MethodSource("recordings")
  void aFigureOfGpuTimeSaysWhatItCounts(Path recording) throws Exception {
    var text =
        String.join(" ", Report.of(account(recording), Screen.PLAIN)).replaceAll("\\s+", " ");

    assertThat(text)
        .doesNotContain("times slower")
        .doesNotContainPattern(
            "GPU-(seconds|hours) (?!of (waiting|longer steps|standing still|all GPUs))");
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void whatWasObservedIsNoFigureAlone(Path recording) throws Exception {
    for (var job : jobs(recording)) {
      assertThat(job.findings())
          .map(Finding::observed)
          .noneMatch(observed -> observed.matches("[\\d.,]+ \\w+( [\\d.,]+ \\w+)?"))
          .noneMatch(observed -> observed.contains("; 1 more lines"));
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void thePageHeadsAJobWithWhatTheReportDoes(Path recording) throws Exception {
    for (var job : jobs(recording)) {
      var overview = JobOverview.of(new Job(job.key(), job.runs(), job.findings()));
      assertThat(overview.verdict()).isEqualTo(job.verdict().level());
      if (job.verdict().kind() != null) {
        assertThat(job.verdict().summary()).endsWith(overview.headline().replace("Ended: ", ""));
      }
    }
  }

  /// As many as there are, at most: not `3 of 2 ranks`.
  @ParameterizedTest
  @MethodSource("recordings")
  void noPartIsLargerThanItsWhole(Path recording) throws Exception {
    var text = String.join(" ", Report.of(account(recording), Screen.PLAIN));

    assertThat(PART.matcher(text).results())
        .allSatisfy(
            part ->
                assertThat(Long.parseLong(part.group(1).replace(",", "")))
                    .as(part.group())
                    .isLessThanOrEqualTo(Long.parseLong(part.group(2).replace(",", ""))));
  }

  /// Who says that no single rank keeps the others waiting knows of none that does.
  @ParameterizedTest
  @MethodSource("recordings")
  void nobodyIsBlamedWhereNobodyAloneIsLate(Path recording) throws Exception {
    for (var job : jobs(recording)) {
      var nobody =
          job.findings().stream()
              .filter(finding -> finding.summary().contains("no single"))
              .map(Finding::run)
              .collect(Collectors.toSet());
      assertThat(job.findings())
          .noneMatch(
              finding ->
                  finding.kind() == FindingKind.STRAGGLER
                      && finding.severity() != Severity.INFO
                      && nobody.contains(finding.run()));
    }
  }

  private static double gpuSeconds(Finding finding) {
    var known = finding.cost().gpuSeconds();
    return known == null ? 0 : known;
  }

  private static List<JobView> jobs(Path recording) throws Exception {
    var jobs = account(recording).jobs();
    assertThat(jobs).isNotEmpty();
    return jobs;
  }

  private static ReportContent account(Path recording) throws Exception {
    var known = ACCOUNTS.get(recording);
    if (known == null) {
      known = analyzed(recording);
      ACCOUNTS.put(recording, known);
    }
    return known;
  }

  private static ReportContent analyzed(Path recording) throws Exception {
    return new DirectAnalyzer(InstantSource.fixed(Instant.EPOCH), 2)
        .analyze(
            Inputs.of(List.of(recording.toString())),
            new Labels("", "", ZoneOffset.UTC, null),
            new NoProgress())
        .account();
  }

  static List<Path> recordings() throws IOException {
    var recordings = new ArrayList<Path>();
    for (var folder : List.of("recordings", "witnesses", "faults")) {
      try (var all = Files.list(Path.of("..", "examples", folder))) {
        all.filter(Files::isDirectory).sorted().forEach(recordings::add);
      }
    }
    return recordings;
  }
}
