package io.ringside.standalone.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.lab.simulate.JobDraw;
import io.ringside.lab.simulate.JobGenerator;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.serde.EventJson;
import io.ringside.standalone.input.Inputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.SerializationFeature;

/// Files through the broker and without it: the same runs and the same findings, but for when they
/// were detected.
@Timeout(1200)
class BothWaysIT {
  private static final Path EXAMPLES = Path.of("..", "examples");

  /// How many jobs are drawn: more than in a build with `-Dringside.bothways.jobs=200`.
  private static final int GENERATED = Integer.getInteger("ringside.bothways.jobs", 40);

  private static final int CRASHES = 80;
  private static final Labels NO_LABELS = new Labels("", "", ZoneOffset.UTC, null);

  @TempDir Path folder;

  @Test
  void sayTheSameOfEachRecording() throws Exception {
    var roots = roots("recordings");
    assertThat(roots).hasSizeGreaterThan(30);

    compare(roots);
  }

  @Test
  void sayTheSameOfEachJobThatWasWitnessed() throws Exception {
    var roots = roots("witnesses");
    assertThat(roots).hasSizeGreaterThan(3);

    assertThat(compare(roots).findings()).anyMatch(finding -> finding.witnesses().size() > 1);
  }

  private static List<String> roots(String folder) throws IOException {
    try (var recordings = Files.list(EXAMPLES.resolve(folder))) {
      return recordings
          .filter(Files::isDirectory)
          .sorted()
          .map(recording -> "node-" + recording.getFileName() + "=" + recording)
          .toList();
    }
  }

  @Test
  void sayTheSameOfGeneratedJobs() throws Exception {
    var roots = new ArrayList<String>();
    for (int number = 0; number < GENERATED; number++) {
      roots.addAll(write(number));
    }

    compare(roots);
  }

  @Test
  void sayTheSameOfAJobThatCrashesOverAndOver() throws Exception {
    var log = folder.resolve("training_crashing-node-0_uid").resolve("trainer").resolve("0.log");
    Files.createDirectories(log.getParent());
    for (int start = 0; start < CRASHES; start++) {
      Files.write(log, started(start), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    // how far the job's log was read when an attempt was judged for the last time depends on the
    // clock
    var brokered = compare(List.of("node=" + folder), BothWaysIT::unread);

    assertThat(brokered.runs()).hasSize(CRASHES);
  }

  /// Two ranks that come up over shared memory, train for a while and say no more.
  private static List<String> started(int number) {
    var at = Instant.parse("2026-11-21T00:00:00Z").plusSeconds(300L * number);
    var texts = new ArrayList<String>();
    for (int rank = 0; rank < 2; rank++) {
      int pid = 1_000 + 2 * number + rank;
      var head = "crashing-node-0:%d:%d [%d] NCCL INFO ".formatted(pid, pid, rank);
      var init =
          "ncclCommInitRankConfig comm 0x55%04x rank %d nranks 2 cudaDev %d nvmlDev %d busId %d01d0 commId 0x%x - Init "
              .formatted(pid, rank, rank, rank, rank + 1, 77_000 + number);
      texts.add(head + init + "START");
      texts.add(
          head
              + "Channel 00/0 : %d[%d] -> %d[%d] via SHM/direct/direct"
                  .formatted(rank, rank, 1 - rank, 1 - rank));
      texts.add(head + init + "COMPLETE");
    }
    for (int step = 0; step < 20; step++) {
      texts.add("{'loss': 2.5, 'grad_norm': 1.0, 'learning_rate': 2e-05, 'epoch': 0.1}");
    }
    var lines = new ArrayList<String>();
    for (var text : texts) {
      lines.add(at.plusSeconds(lines.size()) + " stdout F " + text);
    }
    return lines;
  }

  /// The logs of one job as the kubelets of its nodes lay them out.
  private List<String> write(int number) throws IOException {
    var job =
        JobGenerator.generate(
            JobDraw.draw(7, number, 8, 300),
            Instant.parse("2026-11-21T00:00:00Z"),
            Duration.ofMillis(500));
    var roots = new TreeMap<String, Path>();
    for (var sent : job.records()) {
      if (sent.event() instanceof LogChunk chunk && chunk.lines() > 0) {
        var source = chunk.source();
        var node = folder.resolve("job-" + number).resolve(source.node());
        var log =
            node.resolve("j%d_%s_uid".formatted(number, source.pod()))
                .resolve("trainer")
                .resolve("0.log");
        roots.put("job-" + number + "-" + source.node(), node);
        Files.createDirectories(log.getParent());
        Files.write(log, stamped(chunk), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      }
    }
    return roots.entrySet().stream().map(root -> root.getKey() + "=" + root.getValue()).toList();
  }

  private static List<String> stamped(LogChunk chunk) {
    var lines = chunk.text().toString().split("\n", -1);
    var stamped = new ArrayList<String>();
    for (int i = 0; i < lines.length; i++) {
      long at = chunk.timeNanos(i) == LogChunk.NO_TIME ? 0 : chunk.timeNanos(i);
      stamped.add(Nanos.instant(at) + " stdout F " + lines[i]);
    }
    return stamped;
  }

  private static RunSummary unread(RunSummary run) {
    return run.with(its -> its.reading = RunSummary.Reading.NONE);
  }

  private static Analysis compare(List<String> roots) throws Exception {
    return compare(roots, run -> run);
  }

  /// @param told what is compared of a run
  private static Analysis compare(List<String> roots, UnaryOperator<RunSummary> told)
      throws Exception {
    var inputs = Inputs.of(roots);
    var direct =
        new DirectAnalyzer(InstantSource.system(), 2).analyze(inputs, NO_LABELS, new NoProgress());
    var brokered = new PipelineAnalyzer().analyze(inputs, NO_LABELS, new NoProgress());

    assertThat(direct.runs()).isNotEmpty();
    assertThat(differences(runs(direct, told), runs(brokered, told))).isEmpty();
    assertThat(differences(findings(direct), findings(brokered))).isEmpty();
    assertThat(direct.input()).isEqualTo(brokered.input());
    return brokered;
  }

  private static Map<String, String> runs(Analysis analysis, UnaryOperator<RunSummary> told) {
    var runs = new TreeMap<String, String>();
    analysis.runs().forEach(run -> runs.put(run.job() + " " + run.run(), json(told.apply(run))));
    return runs;
  }

  private static Map<String, String> findings(Analysis analysis) {
    var findings = new TreeMap<String, String>();
    analysis.findings().forEach(finding -> findings.put(finding.id(), undated(finding)));
    return findings;
  }

  /// Where the two begin to differ, few words of it.
  private static List<String> differences(
      Map<String, String> direct, Map<String, String> brokered) {
    var differences = new ArrayList<String>();
    var all = new TreeMap<>(direct);
    all.putAll(brokered);
    for (var id : all.keySet()) {
      var a = direct.getOrDefault(id, "");
      var b = brokered.getOrDefault(id, "");
      int at = 0;
      while (at < Math.min(a.length(), b.length()) && a.charAt(at) == b.charAt(at)) {
        at++;
      }
      if (!a.equals(b)) {
        differences.add("%s: %s | %s".formatted(id, around(a, at), around(b, at)));
      }
    }
    return differences;
  }

  private static String around(String text, int at) {
    return text.substring(Math.max(0, at - 60), Math.min(text.length(), at + 60));
  }

  private static String undated(Finding finding) {
    return json(finding.detectedAt(Instant.EPOCH));
  }

  private static String json(Object value) {
    return EventJson.MAPPER
        .writer()
        .with(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
        .writeValueAsString(value);
  }
}
