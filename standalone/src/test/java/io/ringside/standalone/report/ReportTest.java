package io.ringside.standalone.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final Screen TERMINAL = new Screen(100, true, true);

  @Test
  void tellsAFallbackFromVerdictToProof() {
    assertThat(
            text(List.of(Fabricated.fallbackRun()), List.of(Fabricated.fallback()), Screen.PLAIN))
        .isEqualTo(
            """
            ── llama-3-8b ──────────────────────────────────────────────────────────────────────────────────────
              ✖ EFA was asked for but failed to start; all 4 ranks talk over TCP sockets.

              run 0xabf3b3a8ae6e4e5f · 1 of 4 ranks on 1 node, 1 pod · g6e.8xlarge · NCCL 2.27.3+cuda12.9 ·
              aws-ofi-nccl 1.16.2 · libfabric 2.1 · 2 channels

              Checklist
                ✓ NCCL version                      2.27.3+cuda12.9
                ✓ plugin loaded                     Libfabric (v10)
                ✗ network in use                    Socket, expected Libfabric
                ? every rank initialised            1 of 4 have lines

              Transport
                inter-node  NET/Socket  ####################      8 edges
                inter-node  expected: NET/Libfabric

              Findings
                ✖ efa-fallback  critical
                  EFA was asked for but failed to start; all 4 ranks talk over TCP sockets.
                  who       in llama-3-8b-node-0-0
                  expected  Libfabric over EFA (g6e.8xlarge has 1 adapter)
                  observed  Socket over eth0
                  cause     libfabric offers no EFA provider in this container: no /dev/infiniband device
                  runbook   docs/runbooks/RingsideEfaFallback.md
                  chain     libfabric offers no fit provider -> the plugin finds no way to the network -> NCCL
                            takes Socket
                  proof     seed/llama-3-8b-node-0-0.log
                         :21 | llama-3-8b-node-0-0:152:386 [0] NCCL INFO NET/OFI No eligible providers were
                              found
                         :22 | [2025-12-28 16:04:25] llama-3-8b-node-0-0:152:386 [0] int
                              nccl_net_ofi_create_plugin(nccl_net_ofi_plugin_t**):259 NCCL WARN NET/OFI Unable
                              to find a protocol that worked.  Failing initialization.
                         :30 | llama-3-8b-node-0-0:152:386 [0] NCCL INFO Using network Socket

            ── read ────────────────────────────────────────────────────────────────────────────────────────────
              1 log, 137 lines (72.2 kB), 1 nvidia-smi recording
              left out truth/t.rank0.csv: CSV data that is no nvidia-smi recording

            ✖ llama-3-8b: EFA was asked for but failed to start; all 4 ranks talk over TCP sockets.\
            """);
  }

  @Test
  void drawsWhoWaitedForWhom() {
    var report =
        text(
            List.of(Fabricated.straggledRun()),
            List.of(Fabricated.splitPlacement(), Fabricated.straggler()),
            new Screen(100, false, true));

    assertThat(report)
        .contains(
            """
              ▲ Rank 6 keeps the 7 others waiting: it was last in 100 of 3,600 rounds, by 121 ms each.
                2 warnings
            """)
        .contains(
            """
              Waits  12.1 s lost in 100 late rounds of 3,600 · times of the container runtime
                rank    0  ████████████████████████      12.2 s
            """)
        .contains(
            """
                rank    6  ▎                             110 ms  ◀ last in 100 rounds, costing 12.1 s
            """)
        .contains("when      2026-11-20 12:00:08 – 12:00:24 UTC (15.7 s)")
        .contains(
            "cost      85 GPU-seconds of waiting; meanwhile the job takes 2.3 times as long as without it");
  }

  @Test
  void coloursOnlyWhereTheScreenHasColours() {
    var runs = List.of(Fabricated.straggledRun());
    var findings = List.of(Fabricated.straggler());

    assertThat(text(runs, findings, Screen.PLAIN)).doesNotContain("\u001b");
    assertThat(text(runs, findings, TERMINAL)).contains("\u001b[33m▲ straggler\u001b[0m");
  }

  @Test
  void endsWithTheVerdictOfAllJobs() {
    var jobs = List.of(Fabricated.fallbackRun(), Fabricated.straggledRun());

    assertThat(last(jobs, List.of(Fabricated.fallback())))
        .isEqualTo(
            "✖ 2 jobs: 1 critical, 1 without a fault; the worst is llama-3-8b: EFA was asked for but"
                + " failed to start; all 4 ranks talk over TCP sockets.");
    assertThat(last(jobs.subList(1, 2), List.of()))
        .isEqualTo("✓ llama-c: Healthy: no fault found.");
    assertThat(last(jobs, List.of())).startsWith("✓ 2 jobs: 2 without a fault");
    assertThat(last(List.of(), List.of())).isEqualTo("? No training run recognised.");
  }

  private static String last(List<RunSummary> runs, List<Finding> findings) {
    var text = text(runs, findings, Screen.PLAIN);
    return text.substring(text.lastIndexOf("\n\n") + 2).strip();
  }

  @Test
  void fitsTheWidth() {
    var narrow = new Screen(72, false, true);
    var lines =
        Report.of(
            ReportContent.of(
                Fabricated.input(),
                List.of(Fabricated.straggledRun(), Fabricated.fallbackRun()),
                List.of(Fabricated.straggler(), Fabricated.fallback())),
            narrow);

    assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(72));
  }

  @Test
  void saysThatAHealthyJobIsHealthy() {
    assertThat(text(List.of(Fabricated.straggledRun()), List.of(), Screen.PLAIN))
        .contains("  ✓ Healthy: no fault found.\n");
  }

  @Test
  void givesEveryRunOfAJobItsVerdict() {
    var first = Fabricated.straggledRun();
    var second = Fabricated.again(first, "0xsecond", 2);

    assertThat(text(List.of(second, first), List.of(Fabricated.straggler()), Screen.PLAIN))
        .containsSubsequence(
            "▲ Run 1: Rank 6 keeps the 7 others waiting",
            "run 0x6f1c02e1d9aa310b",
            "▲ straggler",
            "✓ Run 2: Healthy: no fault found.",
            "run 0xsecond");
  }

  @Test
  void saysWhatToDoWhereNoRunWasRecognised() {
    assertThat(text(List.of(), List.of(), Screen.PLAIN))
        .contains("No training run recognised")
        .contains("NCCL_DEBUG=INFO");
  }

  @Test
  void namesAFewFilesThatWereLeftOutForOneReason() {
    assertThat(leftOut("logs/x.log", "logs/y.log"))
        .contains("left out logs/x.log, logs/y.log: a link that leads nowhere");
    assertThat(leftOut("logs/a", "logs/b", "logs/c", "logs/d"))
        .contains("left out 4 files in logs/: a link that leads nowhere");
  }

  private static String leftOut(String... paths) {
    var input =
        new InputSummary(
            List.of(),
            0,
            null,
            Stream.of(paths)
                .map(path -> new InputSummary.Skipped(path, "a link that leads nowhere"))
                .toList());
    return String.join(
        "\n", Report.of(ReportContent.of(input, List.of(), List.of()), Screen.PLAIN));
  }

  @Test
  void showsHostileLinesAndDoesNotObeyThem() {
    var evil = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202eROT13\u2028\rcall home\u0000\ud800";
    var finding =
        Fabricated.finding(
            FindingKind.NCCL_ERROR,
            Severity.WARNING,
            "job\u001b[31m",
            "run",
            List.of(),
            null,
            null,
            "summary " + evil,
            evil,
            evil,
            Cost.UNKNOWN,
            evil,
            List.of(Fabricated.evidence(null, "0.log\n", 7, evil)));

    var report =
        Report.of(ReportContent.of(Fabricated.input(), List.of(), List.of(finding)), Screen.PLAIN);

    assertThat(report)
        .allSatisfy(line -> assertThat(line.codePoints()).noneMatch(ReportTest::isControl))
        .anySatisfy(
            line -> assertThat(line).contains("         | \\x1b]0;owned\\x07\\x1b[2J\\x9b31m"));
  }

  private static boolean isControl(int c) {
    return Character.isISOControl(c)
        || c == 0x202e
        || c == 0x2028
        || Character.getType(c) == Character.SURROGATE;
  }

  private static String text(List<RunSummary> runs, List<Finding> findings, Screen screen) {
    return String.join("\n", Report.of(Fabricated.account(runs, findings), screen));
  }
}
