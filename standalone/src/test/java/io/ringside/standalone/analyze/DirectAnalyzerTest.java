package io.ringside.standalone.analyze;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.serde.EventJson;
import io.ringside.standalone.input.Inputs;
import io.ringside.standalone.report.InputSummary;
import io.ringside.standalone.report.Report;
import io.ringside.standalone.report.ReportJson;
import io.ringside.standalone.report.Screen;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectAnalyzerTest {
  private static final Path RECORDINGS = Path.of("..", "examples", "recordings");
  private static final Path LOG = RECORDINGS.resolve("healthy/healthy-node-0-0.log.gz");

  @TempDir Path folder;

  @Test
  void saysTheSameHoweverManyThreadsRead() throws Exception {
    var recording = RECORDINGS.resolve("slowcoll");

    assertThat(analyze(recording, 4)).isEqualTo(analyze(recording, 1));
  }

  @Test
  void readsARotatedLogAsIfItHadNeverBeenCut() throws Exception {
    var lines = lines();
    Files.createDirectory(folder.resolve("whole"));
    Files.createDirectory(folder.resolve("parts"));
    Files.write(folder.resolve("whole/x.log"), lines);
    int third = lines.size() / 3;
    packed("parts/x.log.2.gz", lines.subList(0, third));
    Files.write(folder.resolve("parts/x.log.1"), lines.subList(third, 2 * third));
    Files.write(folder.resolve("parts/x.log"), lines.subList(2 * third, lines.size()));

    var whole = analyze(folder.resolve("whole"), 2);
    var parts = analyze(folder.resolve("parts"), 2);

    assertThat(parts.input().lines()).isEqualTo(lines.size());
    assertThat(parts.input().files())
        .extracting(InputSummary.File::lines)
        .containsExactly((long) third, (long) third, (long) lines.size() - 2L * third);
    assertThat(parts.runs()).hasSize(1);
    assertThat(bare(parts)).isEqualTo(bare(whole));
  }

  private static String bare(Analysis analysis) {
    return (analysis.runs() + "\n" + analysis.findings()).replaceAll("[^ =]*/(whole|parts)/", "");
  }

  @Test
  void judgesWhatStandsBeforeTheDamage() throws Exception {
    var packed = Files.readAllBytes(LOG);
    Files.write(
        folder.resolve("healthy-node-0-0.log.gz"), Arrays.copyOf(packed, packed.length / 2));

    var analysis = analyze(folder, 2);

    assertThat(analysis.runs()).hasSize(1);
    assertThat(analysis.input().skipped()).hasSize(1);
  }

  @Test
  void whatKubernetesSaysBesideALogThatJustEndsIsItsEnd() throws Exception {
    var lines = lines();
    var log = lines.subList(0, lines.size() * 2 / 3);
    Files.write(folder.resolve("healthy-node-0-0.log"), log);
    assertThat(analyze(folder, 2).findings()).isEmpty();

    Files.writeString(
        folder.resolve("describe.txt"),
        """
        Name:         healthy-node-0-0
        Namespace:    ml
        Node:         gpu-1/10.0.0.1
        Status:       Failed
        Containers:
          train:
            State:          Terminated
              Reason:       OOMKilled
              Exit Code:    137
        """);

    var analysis = analyze(folder, 2);

    assertThat(analysis.input().skipped()).isEmpty();
    assertThat(analysis.findings())
        .singleElement()
        .satisfies(
            failed -> {
              assertThat(failed.failureClass()).isEqualTo(FailureClass.OUT_OF_MEMORY);
              assertThat(failed.ranks()).isNotEmpty();
            });
  }

  @Test
  void whatAwsSaysOfAnotherKindOfEndOfALogWithoutAKnownLineIsTold() throws Exception {
    Files.writeString(folder.resolve("bert-algo-1.log"), "loaded 7 shards\n");
    Files.writeString(
        folder.resolve("describe-training-job.json"),
        """
        {"TrainingJobName": "bert-1", "TrainingJobStatus": "Stopped", "SecondaryStatus": "MaxRuntimeExceeded"}
        """);

    assertThat(analyze(folder, 2).findings())
        .singleElement()
        .satisfies(failed -> assertThat(failed.failureClass()).isEqualTo(FailureClass.TIME_LIMIT));
  }

  @Test
  void aMatrixWithoutTheNamesOfItsGpusTellsItsLinks() throws Exception {
    Files.copy(LOG, folder.resolve("healthy-node-0-0.log.gz"));
    Files.writeString(
        folder.resolve("topo.txt"),
        "\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\n"
            + "GPU0\t X \tNV18\tNV18\tNV18\t0-47\n"
            + "GPU1\tNV18\t X \tNV18\tNV18\t0-47\n"
            + "GPU2\tNV18\tNV18\t X \tNV18\t0-47\n"
            + "GPU3\tNV18\tNV18\tNV18\t X \t0-47\n");

    var analysis = analyze(folder, 2);

    assertThat(analysis.input().skipped()).isEmpty();
    assertThat(analysis.runs())
        .singleElement()
        .satisfies(
            run ->
                assertThat(run.notJudged())
                    .as("no mistake of its own")
                    .noneMatch(missing -> missing.because().contains("internal")));
  }

  @Test
  void knowsEveryStartOfAJobThatCrashesOverAndOver() throws Exception {
    var lines = new ArrayList<String>();
    for (int start = 0; start < 80; start++) {
      lines.addAll(start(Instant.parse("2026-11-21T00:00:00Z").plusSeconds(300L * start), start));
    }
    Files.write(folder.resolve("crashing.log"), lines);

    var analysis = analyze(folder, 2);

    assertThat(analysis.runs())
        .extracting(RunSummary::attempt)
        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, 80).boxed().toList());
  }

  /// Nothing of it can be judged, which is said.
  @Test
  void seesAJobWhoseLinesTellNoStep() throws Exception {
    Files.write(
        folder.resolve("training.log"),
        List.of(
            "2026-11-21 12:00:01,100 - root - INFO - Starting Training Loop...",
            "2026-11-21 12:01:03,200 - root - INFO - Avg train loss=0.5777",
            "2026-11-21 12:02:04,300 - root - INFO - Avg train loss=0.4210",
            "2026-11-21 12:03:05,400 - root - INFO - Avg train loss=0.3581"));

    var analysis = analyze(folder, 2);

    assertThat(analysis.findings()).isEmpty();
    assertThat(analysis.runs())
        .singleElement()
        .satisfies(
            run ->
                assertThat(run.notJudged())
                    .extracting(RunSummary.NotJudged::what)
                    .contains("transport", "waits", "steps"));
  }

  @Test
  void seesNoJobInALogOfSomethingElse() throws Exception {
    Files.write(
        folder.resolve("setup.log"),
        List.of(
            "Collecting glossary 1.2.3",
            "64 bytes from 10.0.0.7: icmp_seq=1 ttl=64 time=0.051 ms",
            "4 packets transmitted, 4 received, 0% packet loss, time 3004ms",
            "copied 12.5 GB at 120.5 MB/s"));

    assertThat(analyze(folder, 2).runs()).isEmpty();
  }

  /// Two ranks that come up and train for a while.
  private static List<String> start(Instant at, int number) {
    var lines = new ArrayList<String>();
    for (var phase : List.of("START", "COMPLETE")) {
      for (int rank = 0; rank < 2; rank++) {
        int pid = 1_000 + 2 * number + rank;
        lines.add(
            at
                + (" stdout F job-node-0-0:%d:%d [%d] NCCL INFO ncclCommInitRankConfig comm 0x55%04x"
                        + " rank %d nranks 2 cudaDev %d nvmlDev %d busId %d01d0 commId 0x%x"
                        + " - Init %s")
                    .formatted(
                        pid, pid, rank, pid, rank, rank, rank, rank + 1, 77_000 + number, phase));
      }
    }
    for (int step = 1; step <= 20; step++) {
      lines.add(
          at.plusSeconds(step)
              + " stdout F {'loss': 2.5, 'grad_norm': 1.0, 'learning_rate': 2e-05, 'epoch': 0.1}");
    }
    return lines;
  }

  @Test
  void twoPodsOfOneNameInTwoNamespacesAreTwoJobs() throws Exception {
    copied("healthy/healthy-node-0-0.log.gz", "team-a");
    copied("shm/shm-node-0-0.log.gz", "team-b");

    var analysis = analyze(folder, 2);

    assertThat(analysis.runs())
        .extracting(run -> run.namespace() + " " + run.job() + " " + run.attempt())
        .containsExactlyInAnyOrder("team-a llama 1", "team-b llama 1");
    assertThat(analysis.findings())
        .isNotEmpty()
        .allMatch(finding -> finding.namespace().equals("team-b"))
        .allSatisfy(
            finding ->
                assertThat(finding.evidence())
                    .allMatch(line -> line.file().contains("/team-b_llama-node-0-0_")));
    var text = Report.of(analysis.account(), Screen.PLAIN);
    assertThat(text)
        .filteredOn(line -> line.startsWith("──"))
        .satisfiesOnlyOnce(line -> assertThat(line).startsWith("── llama · team-a "))
        .satisfiesOnlyOnce(line -> assertThat(line).startsWith("── llama · team-b "));
    var json = EventJson.MAPPER.readTree(ReportJson.of(analysis.account())).get("jobs");
    assertThat(json).hasSize(2);
    assertThat(json.at("/0/namespace").asString()).isEqualTo("team-a");
    assertThat(json.at("/0/findings")).isEmpty();
    assertThat(json.at("/1/namespace").asString()).isEqualTo("team-b");
    assertThat(json.at("/1/runs")).hasSize(1);
    assertThat(json.at("/1/difference")).isEmpty();
  }

  /// As a kubelet's folder of one pod.
  private void copied(String recording, String namespace) throws IOException {
    var pod = folder.resolve("pods/" + namespace + "_llama-node-0-0_uid-" + namespace + "/trainer");
    Files.createDirectories(pod);
    Files.copy(RECORDINGS.resolve(recording), pod.resolve("0.log.gz"));
  }

  private static List<String> lines() throws IOException {
    try (var in = new GZIPInputStream(Files.newInputStream(LOG))) {
      return new String(in.readAllBytes(), UTF_8).lines().toList();
    }
  }

  private void packed(String name, List<String> lines) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve(name)))) {
      out.write((String.join("\n", lines) + "\n").getBytes(UTF_8));
    }
  }

  private static Analysis analyze(Path path, int threads) throws Exception {
    return new DirectAnalyzer(InstantSource.fixed(Instant.EPOCH), threads)
        .analyze(
            Inputs.of(List.of(path.toString())),
            new Labels("", "", ZoneOffset.UTC, null),
            new NoProgress());
  }
}
