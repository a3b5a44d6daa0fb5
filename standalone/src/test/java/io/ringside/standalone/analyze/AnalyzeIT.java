package io.ringside.standalone.analyze;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.schemas.serde.EventJson;
import io.ringside.standalone.input.Inputs;
import io.ringside.standalone.report.Report;
import io.ringside.standalone.report.ReportJson;
import io.ringside.standalone.report.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Recorded jobs through the real broker, agent and service.
@Timeout(240)
class AnalyzeIT {
  private static final Path RECORDINGS = Path.of("..", "examples", "recordings");

  @TempDir Path folder;

  @Test
  void findsTheFallbackAndItsChainInTheUsersLog() throws Exception {
    var analysis = analyze(RECORDINGS.resolve("seed-g6e-efa-fallback"));

    assertThat(analysis.runs()).singleElement().matches(run -> run.job().equals("llama-3-8b"));
    assertThat(analysis.account().reaches(Severity.CRITICAL)).isTrue();
    var fallback = only(analysis, FindingKind.EFA_FALLBACK);
    assertThat(fallback.severity()).isEqualTo(Severity.CRITICAL);
    assertThat(fallback.cause()).isNotNull();
    assertThat(fallback.evidence().stream().map(Evidence::text).toList().toString())
        .contains(
            "No eligible providers were found",
            "Unable to find a protocol that worked",
            "Using network Socket",
            "via NET/Socket");
  }

  @Test
  void namesTheSlowRankAndWhenItWasSlow() throws Exception {
    var analysis = analyze(RECORDINGS.resolve("slowcoll"));

    var straggler = only(analysis, FindingKind.STRAGGLER);
    assertThat(straggler.ranks()).containsExactly(6);
    assertThat(straggler.since())
        .isBetween(
            Instant.parse("2026-11-20T20:42:31.900Z"), Instant.parse("2026-11-20T20:42:37.900Z"));
    assertThat(analysis.input().files())
        .extracting(file -> file.kind() + " " + file.job())
        .containsExactly("nvidia-smi ", "log llama-c", "log llama-c");
    assertThat(analysis.input().lines()).isEqualTo(7545);
  }

  @Test
  void findsNothingInAHealthyJob() throws Exception {
    var analysis = analyze(RECORDINGS.resolve("healthy"));

    assertThat(analysis.runs()).hasSize(1);
    assertThat(analysis.account().reaches(Severity.WARNING)).isFalse();
  }

  @Test
  void judgesSeveralJobsAtOnceByTheirNodes() throws Exception {
    var analysis =
        new PipelineAnalyzer()
            .analyze(
                Inputs.of(
                    List.of(
                        "gpu-1=" + RECORDINGS.resolve("seed-g6e-efa-fallback"),
                        "gpu-2=" + RECORDINGS.resolve("shm"))),
                new Labels("east", "", ZoneOffset.UTC, null),
                new NoProgress());

    assertThat(analysis.runs())
        .extracting(run -> run.cluster() + " " + run.job() + " " + run.nodes())
        .containsExactlyInAnyOrder("east llama-3-8b [gpu-1]", "east shm [gpu-2]");
  }

  @Test
  void tellsWhatDiffersBetweenTheRunsOfATree() throws Exception {
    copy("healthy/healthy-node-0-0.log.gz", "first/llama-node-0-0.log.gz");
    copy("shm/shm-node-0-0.log.gz", "second/llama-node-0-0.log.gz");

    var analysis = analyze(folder);

    assertThat(analysis.runs()).hasSize(2).allMatch(run -> run.job().equals("llama"));
    assertThat(only(analysis, FindingKind.TRANSPORT_REGRESSION).severity())
        .isEqualTo(Severity.CRITICAL);
    assertThat(String.join("\n", Report.of(analysis.account(), Screen.PLAIN)))
        .contains("run 1 to run 2")
        .containsPattern("transport intra-pod +P2P/CUMEM → SHM/direct/direct")
        .containsPattern("NCCL_P2P_DISABLE +not set → 1");
    assertThat(
            EventJson.MAPPER
                .readTree(ReportJson.of(analysis.account()))
                .at("/jobs/0/difference/0/changes/0/effect")
                .asString())
        .isEqualTo("worse");
  }

  private void copy(String recording, String to) throws IOException {
    Files.createDirectories(folder.resolve(to).getParent());
    Files.copy(RECORDINGS.resolve(recording), folder.resolve(to));
  }

  @Test
  void hasACleanReportForALogWithoutNccl() throws Exception {
    Files.write(folder.resolve("job.log"), "größer, 17 %\r 50 %\nepoch 1\n".getBytes(ISO_8859_1));

    var analysis = analyze(folder);

    assertThat(analysis.runs()).isEmpty();
    assertThat(analysis.findings()).isEmpty();
    assertThat(analysis.input().lines()).isPositive();
  }

  @Test
  void boundsAnEndlessLine() throws Exception {
    var line = "x".repeat(1 << 20);
    try (var out = Files.newBufferedWriter(folder.resolve("job.log"))) {
      for (int i = 0; i < 64; i++) {
        out.write(line);
      }
    }

    assertThat(analyze(folder).input().lines()).isEqualTo(1);
  }

  private static Analysis analyze(Path path) throws IOException, InterruptedException {
    return new PipelineAnalyzer()
        .analyze(
            Inputs.of(List.of(path.toString())),
            new Labels("", "", ZoneOffset.UTC, null),
            new NoProgress());
  }

  private static Finding only(Analysis analysis, FindingKind kind) {
    var found = analysis.findings().stream().filter(f -> f.kind() == kind).toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }
}
