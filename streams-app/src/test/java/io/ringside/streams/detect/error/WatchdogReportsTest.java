package io.ringside.streams.detect.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Watchdogs of which only the second line of their report is here.
class WatchdogReportsTest {
  private static final String STATUS =
      "[rank1]:[E909 08:45:30.126335825 ProcessGroupNCCL.cpp:2252] [PG ID 2 PG GUID 3 Rank 1]  failure detected by watchdog at work sequence id: 40231 PG status: last enqueued work: 40267, last completed work: 40230";

  @Test
  void areAnErrorOfWhichNobodySaysWhat() {
    assertThat(told(STATUS))
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.kind()).isEqualTo(FindingKind.NCCL_ERROR);
              assertThat(error.severity()).isEqualTo(Severity.WARNING);
              assertThat(error.summary()).contains("collective call 40231 fail");
            });
  }

  @Test
  void areNoErrorOfTheirOwnBesideATimeOutOrAnException() {
    assertThat(
            told(
                "[rank1]:[E909 08:45:30.126 ProcessGroupNCCL.cpp:689] [Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=40231, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600044 milliseconds before timing out.",
                STATUS))
        .extracting(Finding::kind)
        .containsExactly(FindingKind.HANG);
    assertThat(
            told(STATUS, "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB."))
        .extracting(Finding::kind)
        .containsExactly(FindingKind.JOB_FAILED);
  }

  private static List<Finding> told(String... lines) {
    return Recorded.of(Map.of("1/train.log", Arrays.asList(lines))).judged().findings();
  }
}
