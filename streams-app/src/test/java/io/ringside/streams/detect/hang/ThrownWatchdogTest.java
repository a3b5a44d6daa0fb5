package io.ringside.streams.detect.hang;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Logs of which people paste no other line of the watchdog than the exception that quotes it, or
/// one that is torn.
class ThrownWatchdogTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "  what():  [Rank 7] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=806, OpType=BROADCAST, Timeout(ms)=1800000) ran for 1801027 milliseconds before timing out.",
        "mpi-x1-launcher:   what():  [PG 1 Rank 7] Process group watchdog thread terminated with exception: [Rank 7] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=635, OpType=ALLREDUCE, NumelIn=57, NumelOut=57, Timeout(ms)=600000) ran for 600056 milliseconds before timing out.",
        "RuntimeError: [Rank 7] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1, OpType=ALLGATHER, Timeout(ms)=1800000) ran for 1808212 milliseconds before timing out.",
        "RuntimeError: NCCL communicator was aborted on rank 7.  Original reason for failure was: [Rank 7] Watchdog caught collective operation timeout: WorkNCCL(OpType=ALLREDUCE, Timeout(ms)=1800000) ran for 1809147 milliseconds before timing out.",
        "[rank7]:[E ProcessGroupNCCL.cpp:1182] [Rank 7] NCCL watchdog thread terminated with exception: [Rank 7] Watchdog caught collective operation.",
        "[rank7]:[E ProcessGroupNCCL.cpp:1414] [PG 0 Rank 7] Process group watchdog thread terminated with exception: [Rank 7] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=81236, OpType=_ALLGATHER_BASE, NumelIn=2675456, NumelOut=10701824, Timeout(ms)=600000) ran for 600071 milliseconds before timing out.",
        "[rank7]:[E ProcessGroupNCCL.cpp:1182] [Rank 7] NCCL watchdog thread terminated with exception: [Rank 7] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=44, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600071 milliseconds before timing out.",
        "[rank7]:[E1101 16:22:06.361272176 ProcessGroupNCCL.cpp:756] [Rank 7] Work WorkNCCL(SeqNum=901, OpType=ALLREDUCE, NumelIn=160672064, NumelOut=160672064, Timeout(ms)=600000) timed out in blocking wait.",
        "torch.distributed.DistBackendError: [PG ID 0 PG GUID 0(default_pg) Rank 7] Work WorkNCCL(SeqNum=33, OpType=ALLGATHER, NumelIn=1, NumelOut=8, Timeout(ms)=90000) timed out in blocking wait.",
        "RuntimeError: [7]: Work WorkNCCL(SeqNum=33, OpType=ALLGATHER, NumelIn=1, NumelOut=8, Timeout(ms)=90000) timed out in blocking wait.",
        "[rank7]:[E1120 20:30:39.754865337 ProcessGroupNCCL.cpp:629] [Rank 7] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=91, OpType=",
        "[rank7]:[E1120 20:30:39.754865337 ProcessGroupNCCL.cpp:629] [Rank 7] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=9",
        "         E114 16:14:58.306997582 ProcessGroupNCCL.cpp:1834] [PG ID 0 PG GUID 0(default_pg) Rank 7] Timeout at NCCL work: 1, last enqueued NCCL work: 1, last completed NCCL work: -1.[25/1422]",
      })
  void isAHang(String line) {
    var hangs =
        Recorded.of(Map.of("job.log", List.of("step 12", line))).judged().findings().stream()
            .filter(finding -> finding.kind() == FindingKind.HANG)
            .toList();

    assertThat(hangs).hasSize(1);
    assertThat(hangs.getFirst().severity()).isEqualTo(Severity.CRITICAL);
    assertThat(hangs.getFirst().evidence().getFirst().text()).isEqualTo(line);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CUDA error: an illegal memory access was encountered",
        "NCCL error: remote process exited or there was a network error, NCCL version 2.27.5"
      })
  void whatElseEndsTheWatchdogIsNone(String why) {
    var line =
        "[rank7]:[E ProcessGroupNCCL.cpp:1414] [PG 0 Rank 7] Process group watchdog thread terminated with exception: "
            + why;

    assertThat(Recorded.of(Map.of("job.log", List.of("step 12", line))).judged().findings())
        .noneMatch(finding -> finding.kind() == FindingKind.HANG);
  }
}
