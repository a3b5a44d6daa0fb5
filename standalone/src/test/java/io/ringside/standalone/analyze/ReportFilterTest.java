package io.ringside.standalone.analyze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import io.ringside.standalone.input.UnusableInput;
import io.ringside.standalone.report.InputSummary;
import io.ringside.standalone.report.LeftOut;
import io.ringside.standalone.report.Report;
import io.ringside.standalone.report.ReportContent;
import io.ringside.standalone.report.Screen;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ReportFilterTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  private static final ReportContent ALL =
      ReportContent.of(
          new InputSummary(List.of(), 1, null, List.of()),
          List.of(
              run("a", "r1", NOON), run("a", "r2", NOON.plusSeconds(3600)), run("b", "r3", null)),
          List.of(
              finding("old", "a", "r1", List.of(1), NOON, null),
              finding("cause", "a", "r2", List.of(2), null, null),
              finding("effect", "a", "r2", List.of(6), null, "cause"),
              finding("all", "a", "r2", List.of(), null, null),
              finding("ended", "a", "r2", List.of(6), NOON.plusSeconds(600), null),
              finding("b", "b", "r3", List.of(6), null, null)));

  @Test
  void leavesAllWhereNothingIsAsked() {
    assertThat(narrowed()).isSameAs(ALL);
  }

  @Test
  void keepsOneJob() {
    var account = narrowed("--job", "b");
    assertThat(ids(account)).containsExactly("b");
    assertThat(account.leftOut()).isEqualTo(new LeftOut(List.of("--job b"), 1, 0, 5));
    assertThat(ids(narrowed("--job", "ns/a,b"))).hasSize(6);
  }

  @Test
  void keepsTheFindingsOfARankThoseOfNoRankAndTheirCauses() {
    assertThat(ids(narrowed("--rank", "6")))
        .containsExactlyInAnyOrder("cause", "effect", "all", "ended", "b");
    assertThat(ids(narrowed("--rank", "0-1"))).containsExactlyInAnyOrder("old", "all");
  }

  @Test
  void saysWhichRanksThereAre() {
    var four =
        ReportContent.of(
            ALL.input(),
            List.of(RunSummary.of(new JobKey("", "ns", "a"), "r1", 1, its -> its.nranks = 4)),
            List.of());

    assertThatThrownBy(() -> options("--rank", "4-5").filter().of(four))
        .isInstanceOf(UnusableInput.class)
        .hasMessage("These logs hold no rank 4, 5, only ranks 0 to 3.");
    assertThat(options("--rank", "3,99").filter().of(four).jobs()).hasSize(1);
  }

  @Test
  void keepsWhatWasNotOverByThen() {
    assertThat(ids(narrowed("--since", "2026-11-20 12:10:00")))
        .containsExactlyInAnyOrder("cause", "effect", "all", "ended", "b");
    var lastHalfHour = narrowed("--since", "30m");
    assertThat(ids(lastHalfHour)).containsExactlyInAnyOrder("cause", "effect", "all", "b");
    assertThat(lastHalfHour.leftOut()).isEqualTo(new LeftOut(List.of("--since 30m"), 0, 1, 2));
  }

  /// An hour before the last line of all, not before now.
  @Test
  void reckonsFromTheEndOfTheRecording() {
    assertThat(ids(narrowed("--since", "1h"))).contains("old");
    assertThat(ids(narrowed("--since", "3599s"))).doesNotContain("old");
  }

  @Test
  void keepsKinds() {
    assertThat(ids(narrowed("--kind", "hang"))).isEmpty();
    assertThat(ids(narrowed("--kind", "hang,nccl-error", "--job", "b"))).containsExactly("b");
  }

  /// What nobody asked for may be a fault all the same.
  @Test
  void neverCallsAJobHealthyWhoseFindingsWereLeftOut() {
    var text = String.join("\n", Report.of(narrowed("--kind", "hang"), Screen.PLAIN));

    assertThat(text)
        .contains("? No fault found in what was asked for; 5 findings left out.")
        .contains("left out by --kind hang: 6 findings")
        .doesNotContain("Healthy", "✓");
  }

  @Test
  void saysWhatElseMayHaveBeenMeant() {
    assertThatThrownBy(() -> narrowed("--job", "aa"))
        .isInstanceOf(UnusableInput.class)
        .hasMessage("These logs hold no job aa, only a, b; did you mean a?");
    assertThatThrownBy(() -> narrowed("--job", "other"))
        .hasMessageEndingWith("--job-name names them.");
    assertThatThrownBy(() -> narrowed("--rank", "six")).hasMessageContaining("such as 6 or 0-3");
    assertThatThrownBy(() -> narrowed("--since", "yesterday")).hasMessageContaining("such as 20m");
    assertThatThrownBy(() -> narrowed("--kind", "stragler"))
        .hasMessageContaining("did you mean straggler?");
  }

  @Test
  void cannotReckonFromAnEndThatNobodyKnows() {
    var timeless = ReportContent.of(ALL.input(), List.of(run("b", "r3", null)), List.of());

    assertThatThrownBy(() -> options("--since", "1h").filter().of(timeless))
        .hasMessageContaining("carries a time");
    assertThat(options("--since", "2026-11-20").filter().of(timeless).jobs()).hasSize(1);
  }

  private static ReportContent narrowed(String... arguments) {
    return options(arguments).filter().of(ALL);
  }

  private static ReportFilterOptions options(String... arguments) {
    return CommandLine.populateCommand(new ReportFilterOptions(), arguments);
  }

  private static List<String> ids(ReportContent account) {
    return account.findings().stream().map(Finding::id).toList();
  }

  private static RunSummary run(String job, String id, @Nullable Instant until) {
    return RunSummary.of(
        new JobKey("", "ns", job),
        id,
        1,
        its -> {
          its.since = null;
          its.until = until;
        });
  }

  private static Finding finding(
      String id,
      String job,
      String run,
      List<Integer> ranks,
      @Nullable Instant until,
      @Nullable String causedBy) {
    return Finding.of(
        id,
        FindingKind.NCCL_ERROR,
        Severity.WARNING,
        its -> {
          its.job = new JobKey("", "ns", job);
          its.run = run;
          its.ranks = ranks;
          its.since = null;
          its.until = until;
          its.causedBy = causedBy;
          its.evidence = List.of(new Evidence(null, "local", "pod", "0.log", 0, "snip"));
        });
  }
}
