package io.ringside.streams.detect.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A kernel's log that somebody saved beside a job's: it speaks of whatever runs on its machine.
class KernelBesideLogsTest {
  private static final int RANKS = 4;
  private static final int EACH = 2;
  private static final String KILL =
      "[Fri Nov 20 10:00:52 2026] Memory cgroup out of memory: Killed process %d (%s) total-vm:9123348kB";
  private static final String XID =
      "[Fri Nov 20 10:00:57 2026] NVRM: Xid (PCI:0000:2b:00): %d, pid=%d, name=python3, GPU has fallen off the bus.";
  private static final String SIGKILL =
      "E1120 10:00:53.241000 2563 torch/distributed/elastic/multiprocessing/api.py:882] failed (exitcode: -9) local_rank: 1 (pid: %d) of binary: /usr/bin/python3";

  @ParameterizedTest
  @CsvSource({"91777, code-server", "91777, python3"})
  void whatMemorysKillerEndsElsewhereEndsNoJobThatComesToItsEnd(int pid, String name) {
    assertThat(failed(List.of(KILL.formatted(pid, name)), ended())).isEmpty();
  }

  /// The log was saved while the job went on.
  @Test
  void anEditorThatIsKilledEndsNoJobWhoseLogJustEnds() {
    assertThat(failed(List.of(KILL.formatted(91777, "code-server")), log())).isEmpty();
  }

  @Test
  void aStrangersEndIsNotWhyTheProgramFailed() {
    var log = log();
    log.add("[rank1]: Traceback (most recent call last):");
    log.add("[rank1]: ValueError: bad batch");

    var failed = failed(List.of(KILL.formatted(91777, "python3")), log).orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.EXCEPTION);
    assertThat(failed.ranks()).containsExactly(1);
  }

  @Test
  void aProcessOfTheJobIsKnownByItsNumber() {
    var failed = failed(List.of(KILL.formatted(91, "python3")), log()).orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.OUT_OF_MEMORY);
    assertThat(failed.ranks()).containsExactly(1);
  }

  /// Lines of NCCL are rare in such logs, and torchrun's table names rank and number.
  @Test
  void aRankIsKnownByTheNumberInItsLaunchersTable() {
    var log =
        List.of(
            "step 10 loss 3.1 step_ms 500",
            "step 20 loss 3.0 step_ms 500",
            SIGKILL.formatted(3_113),
            "torch.distributed.elastic.multiprocessing.errors.ChildFailedError:",
            "==========================================================",
            "train.py FAILED",
            "----------------------------------------------------------",
            "Failures:",
            "  <NO_OTHER_FAILURES>",
            "----------------------------------------------------------",
            "Root Cause (first observed failure):",
            "[0]:",
            "  time      : 2026-11-20_10:00:53",
            "  host      : gpu-3",
            "  rank      : 3 (local_rank: 3)",
            "  exitcode  : -9 (pid: 3113)",
            "  error_file: <N/A>",
            "  traceback : Signal 9 (SIGKILL) received by PID 3113");

    var failed = failed(List.of(KILL.formatted(3_113, "python3")), log).orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.OUT_OF_MEMORY);
    assertThat(failed.summary()).startsWith("the job died on rank 3: ");
  }

  /// In a container a process has another number than the kernel knows.
  @ParameterizedTest
  @CsvSource({"python3, OUT_OF_MEMORY", "code-server, KILLED"})
  void aProcessThatWasKilledMayBeTheOneThatTheKernelNames(String name, FailureClass expected) {
    var log = log();
    log.add(SIGKILL.formatted(91));

    var failed = failed(List.of(KILL.formatted(3_091_777, name)), log).orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(expected);
    assertThat(failed.ranks()).containsExactly(1);
  }

  @Test
  void aGpuThatFellOffTheBusIsWhyItsRankFailed() {
    var failed = launchFailed(XID.formatted(79, 93)).orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.GPU_ERROR);
    assertThat(failed.ranks()).containsExactly(3);
    assertThat(failed.cause()).startsWith("Xid 79 of its GPU 0000:2b:00");
  }

  /// An application's fault, another host's GPU by the process's number, a GPU of nobody.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[Fri Nov 20 10:00:57 2026] NVRM: Xid (PCI:0000:2b:00): 31, pid=93, name=python3, MMU Fault",
        "[Fri Nov 20 10:00:57 2026] NVRM: Xid (PCI:0000:2b:00): 79, pid=91, name=python3, GPU has fallen off the bus.",
        "[Fri Nov 20 10:00:57 2026] NVRM: Xid (PCI:0000:9b:00): 79, pid=777, name=python3, GPU has fallen off the bus.",
        "[Fri Nov 13 10:00:57 2026] NVRM: Xid (PCI:0000:2b:00): 79, pid=93, name=python3, GPU has fallen off the bus.",
        "[Fri Nov 20 10:00:57 2026] NVRM: GPU 0000:9b:00.0: GPU has fallen off the bus.",
      })
  void anotherErrorIsNot(String line) {
    assertThat(launchFailed(line).orElseThrow().failureClass()).isEqualTo(FailureClass.EXCEPTION);
  }

  /// Where no line tells which GPU is whose.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "20 | CUDA error: unspecified launch failure | GPU_ERROR",
        "13 | CUDA error: unspecified launch failure | EXCEPTION",
        "20 | CUDA error: device-side assert triggered | EXCEPTION",
      })
  void aGpuThatFellOffTheBusIsWhyAJobWithoutNcclsLinesFailed(
      int day, String error, FailureClass expected) {
    var log =
        List.of(
            "2026-11-20T10:00:40.000000000Z stdout F step 10 loss 3.95 0.99 s/it",
            "2026-11-20T10:00:50.000000000Z stdout F step 20 loss 3.90 0.99 s/it",
            "2026-11-20T10:01:02.000000000Z stderr F [rank2]: Traceback (most recent call last):",
            "2026-11-20T10:01:02.000000000Z stderr F [rank2]:   File \"/app/train.py\", line 188, in step",
            "2026-11-20T10:01:02.000000000Z stderr F [rank2]: torch.AcceleratorError: " + error);
    var kernel = XID.formatted(79, 3_091_777).replace("Fri Nov 20", "Fri Nov " + day);

    var failed = failed(List.of(kernel), log).orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(expected);
    assertThat(failed.ranks()).containsExactly(2);
  }

  @Test
  void aGpuOfNoRankIsANote() {
    var line =
        "[Fri Nov 20 10:00:57 2026] NVRM: Xid (PCI:0000:9b:00): 79, pid=777, name=x, GPU has fallen off the bus.";

    assertThat(findings(List.of(line), ended()))
        .filteredOn(finding -> finding.kind() == FindingKind.GPU_ERROR)
        .singleElement()
        .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.INFO))
        .satisfies(finding -> assertThat(finding.ranks()).isEmpty());
  }

  /// Both hosts have a GPU with this bus id.
  @Test
  void namesTheRankOfTheHostAlone() {
    assertThat(findings(List.of(XID.formatted(79, 93)), ended()))
        .filteredOn(finding -> finding.kind() == FindingKind.GPU_ERROR)
        .singleElement()
        .satisfies(finding -> assertThat(finding.ranks()).containsExactly(3));
  }

  private static Optional<Finding> launchFailed(String kernel) {
    var log = log();
    log.add("[rank3]: Traceback (most recent call last):");
    log.add("[rank3]: torch.AcceleratorError: CUDA error: unspecified launch failure");
    return failed(List.of(kernel), log);
  }

  private static Optional<Finding> failed(List<String> kernel, List<String> log) {
    return findings(kernel, log).stream()
        .filter(finding -> finding.kind() == FindingKind.JOB_FAILED)
        .findFirst();
  }

  private static List<Finding> findings(List<String> kernel, List<String> log) {
    return Recorded.of(Map.of("llama-node-0-0.log", log, "llama-node-0-1.log", kernel))
        .judged()
        .findings();
  }

  private static List<String> ended() {
    var log = log();
    for (int rank = 0; rank < RANKS; rank++) {
      log.add(
          head(rank)
              + "comm 0x55d0%04x rank %d nranks %d cudaDev %d busId %x000 - Destroy COMPLETE"
                  .formatted(rank, rank, RANKS, rank % EACH, 0x1b + 0x10 * (rank % EACH)));
    }
    return log;
  }

  /// Two hosts whose GPUs have the same bus ids.
  private static List<String> log() {
    var lines = new ArrayList<String>();
    for (int rank = 0; rank < RANKS; rank++) {
      for (var phase : List.of("START", "COMPLETE")) {
        lines.add(
            head(rank)
                + "ncclCommInitRankConfig comm 0x55d0%04x rank %d nranks %d cudaDev %d nvmlDev %d busId %x000 commId 0xabc1 - Init %s"
                    .formatted(
                        rank,
                        rank,
                        RANKS,
                        rank % EACH,
                        rank % EACH,
                        0x1b + 0x10 * (rank % EACH),
                        phase));
      }
    }
    return lines;
  }

  private static String head(int rank) {
    return "[2026-11-20 10:00:0%d.180674] gpu-a%d:%d:%d [%d] NCCL INFO "
        .formatted(rank, rank / EACH, 90 + rank, 90 + rank, rank % EACH);
  }
}
