package io.ringside.standalone.analyze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.schemas.event.Severity;
import io.ringside.schemas.serde.EventJson;
import io.ringside.standalone.CapturedConsole;
import io.ringside.standalone.input.Inputs;
import io.ringside.standalone.report.InputSummary;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.Run;
import io.ringside.streams.ledger.RunSummaries;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class AnalyzeCommandTest {
  private final CapturedConsole captured = new CapturedConsole();
  private Path log = Path.of("");
  private List<NotJudged> notJudged = List.of();

  @TempDir Path folder;

  @BeforeEach
  void writeLog() throws IOException {
    log = Files.writeString(folder.resolve("0.log"), "step 1\n");
  }

  @ParameterizedTest
  @CsvSource({
    "warning, critical, 0",
    "warning, warning, 3",
    "warning, info, 3",
    "critical, warning, 3",
    "info, warning, 0",
  })
  void failsWhenAFindingReachesTheSeverity(String found, String failOn, int exit) {
    assertThat(run(found, "--fail-on", failOn, log.toString())).isEqualTo(exit);
  }

  @Test
  void exitsWith0WhateverIsFoundUnlessAskedToFail() {
    assertThat(run("critical", log.toString())).isZero();
    assertThat(captured.out()).contains("✖ The wire is cut.");
  }

  @ParameterizedTest
  @CsvSource({"warning, critical, 4", "warning, warning, 3", "critical, warning, 3"})
  void neverExitsWith0AfterAFailureOfItsOwn(String found, String failOn, int exit) {
    notJudged = List.of(NotJudged.failed("straggler"));

    assertThat(run(found, "--fail-on", failOn, log.toString())).isEqualTo(exit);
    assertThat(run(found, log.toString())).isEqualTo(4);
    assertThat(captured.out()).contains("straggler: internal error");
  }

  @Test
  void namesABadPathOnStandardErrorAndJudgesTheOthers() {
    assertThat(run("info", folder.resolve("gone").toString(), log.toString())).isZero();
    assertThat(captured.err())
        .contains("left out " + folder.resolve("gone") + ": it does not exist");
  }

  @Test
  void printsNothingButJsonWithJson() {
    assertThat(run("critical", "--json", log.toString())).isZero();

    var json = EventJson.MAPPER.readTree(captured.out());
    assertThat(json.at("/jobs/0/findings/0/severity").asString()).isEqualTo("critical");
    assertThat(captured.err()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "text, ── ",
        "json, {",
        "markdown, ### ✖ ",
        "junit, `<?xml version=\"1.0\" encoding=\"UTF-8\"?>`",
        "sarif, {",
        "github, `::error file=0.log,title=nccl-error in ::The wire is cut.`",
      })
  void printsInTheFormatAskedFor(String format, String start) {
    assertThat(run("critical", "--format", format, "--fail-on", "info", log.toString()))
        .isEqualTo(3);
    assertThat(captured.out()).startsWith(start).contains("The wire is cut.");
    assertThat(captured.err()).isEmpty();
  }

  @Test
  void failsByWhatIsReported() {
    assertThat(run("critical", "--fail-on", "info", "--kind", "hang", log.toString())).isZero();
    assertThat(captured.out()).contains("1 finding left out").doesNotContain("The wire is cut.");
  }

  @Test
  void hasColoursWhereTheyAreAskedFor() {
    run("critical", log.toString());
    assertThat(captured.out()).doesNotContain("\u001b");
    run("critical", "--color=always", log.toString());
    assertThat(captured.out()).contains("\u001b[1;31m✖ The wire is cut.\u001b[0m");
  }

  @Test
  void handsOnWhatTheFilesDoNotSay() {
    run("info", "--job-name", "j", "--cluster", "c", "--zone", "Europe/Berlin", log.toString());
    assertThat(captured.out()).contains("── j · c Europe/Berlin ─");
  }

  @Test
  void handsOnTheExpectations() throws IOException {
    var file = Files.writeString(folder.resolve("e.yaml"), "thresholds: {hang: {silence: 1m}}");
    run("info", "--cluster", "c", "--expectations", file.toString(), log.toString());
    assertThat(captured.out()).contains("UTC e.yaml");
  }

  @Test
  void printsWhatIsNewWhileTheFilesGrow() {
    var found = new ArrayDeque<>(List.of(Severity.INFO, Severity.WARNING, Severity.CRITICAL));
    int exit =
        execute(
            (inputs, labels, progress) ->
                new Analysis(
                    new InputSummary(List.of(), 1, null, List.of()),
                    runs(),
                    List.of(finding(found.removeFirst(), labels))),
            "--watch",
            "--fail-on",
            "critical",
            log.toString());

    assertThat(exit).isEqualTo(3);
    assertThat(found).isEmpty();
    assertThat(captured.out())
        .containsSubsequence(
            "── read ─",
            "No fault found. Note: The wire is cut.",
            "Watching: what is new is printed as it comes, until Ctrl-C.",
            "▲ nccl-error  warning",
            "▲ The wire is cut.",
            "✖ now critical: The wire is cut.",
            "✖ The wire is cut.");
    assertThat(captured.out().split("── read ─", -1)).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"--watch -, goes with files", "--watch --json 0.log, prints text"})
  void watchesFilesAndPrintsText(String arguments, String reason) {
    assertThatThrownBy(() -> command(AnalyzeCommandTest::never, arguments.split(" ")).call())
        .hasMessageContaining(reason);
  }

  private static Analysis never(Inputs inputs, Labels labels, Progress progress) {
    throw new AssertionError("judged");
  }

  private int run(String found, String... arguments) {
    Analyzer analyzer =
        (inputs, labels, progress) ->
            new Analysis(
                new InputSummary(List.of(), 1, null, List.of()),
                runs(),
                List.of(
                    finding(Severity.valueOf(found.toUpperCase(java.util.Locale.ROOT)), labels)));
    return execute(analyzer, arguments);
  }

  private int execute(Analyzer analyzer, String... arguments) {
    return new CommandLine(command(analyzer))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .execute(arguments);
  }

  /// Each look finds another line in the log.
  private AnalyzeCommand command(Analyzer analyzer, String... arguments) {
    var command =
        new AnalyzeCommand(
            captured.console(),
            analyzer,
            InputStream.nullInputStream(),
            paths -> new Growth(paths, this::grow));
    if (arguments.length > 0) {
      new CommandLine(command).parseArgs(arguments);
    }
    return command;
  }

  private void grow() {
    try {
      Files.writeString(log, "step 2\n", StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<RunSummary> runs() {
    if (notJudged.isEmpty()) {
      return List.of();
    }
    var state = new JobState();
    return List.of(RunSummaries.bare(state, new Run(), 1).without(notJudged));
  }

  private static String file(Labels labels) {
    var file = labels.expectations();
    return file == null ? "" : " " + file.getFileName();
  }

  private static Finding finding(Severity severity, Labels labels) {
    var evidence = new Evidence(null, "local", "pod", "0.log", 0, "snip");
    return Finding.of(
        "id",
        FindingKind.NCCL_ERROR,
        severity,
        its -> {
          its.job =
              new JobKey(
                  labels.cluster()
                      + (labels.cluster().isEmpty() ? "" : " " + labels.zone() + file(labels)),
                  "",
                  labels.job());
          its.summary = "The wire is cut.";
          its.evidence = List.of(evidence);
        });
  }
}
