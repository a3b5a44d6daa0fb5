package io.ringside.streams.detect.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Errors of which neither NCCL nor PyTorch says why.
class FailedCallsTest {
  private static final String HEAD = "node-1:191:2198 [0] NCCL INFO ";

  @Test
  void theTraceAloneTellsThatAFirstCallFailed() {
    assertThat(
            told(
                HEAD + "misc/socket.cc:564 -> 2",
                HEAD + "bootstrap.cc:270 -> 2",
                HEAD + "init.cc:1303 -> 2",
                HEAD + "group.cc:64 -> 2 [Async thread]",
                HEAD + "group.cc:422 -> 2"))
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.severity()).isEqualTo(Severity.WARNING);
              assertThat(error.summary()).contains("unhandled system error");
              assertThat(error.evidence().getFirst().text()).contains("group.cc:64 -> 2");
            });
  }

  /// It had connected some channels, by shared memory of which there was too little.
  @Test
  void aCallThatFailsWithAReasonEndsTheStart() {
    var started =
        new String[] {
          HEAD + "Channel 00 : 0[1a000] -> 1[3d000] via direct shared memory",
          "node-1:191:2198 [0] include/shm.h:28 NCCL WARN Call to posix_fallocate failed : No space left on device"
        };
    assertThat(told(started))
        .singleElement()
        .satisfies(error -> assertThat(error.severity()).isEqualTo(Severity.WARNING));

    var failed = Arrays.copyOf(started, 4);
    failed[2] = HEAD + "init.cc:840 -> 2";
    failed[3] = HEAD + "group.cc:73 -> 2 [Async thread]";
    assertThat(told(failed))
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(error.summary()).startsWith("NCCL failed: Call to posix_fallocate failed");
            });
  }

  /// What NCCL tried and went on without has no trace up to the call, and 7 says that a call is
  /// under way.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "init.cc:765 -> 2",
        "transport.cc:112 -> 2",
        "misc/socket.cc:47 -> 3",
        "group.cc:106 -> 7"
      })
  void nothingOfAnErrorThatDidNotComeUp(String trace) {
    assertThat(told(HEAD + trace)).isEmpty();
  }

  @Test
  void nothingOnceACommunicatorIsUp() {
    var comm = " comm 0x55d1 rank 0 nranks 1 cudaDev 0 busId 1000 commId 0x77 - Init ";
    assertThat(
            told(
                HEAD + "ncclCommInitRank" + comm + "START",
                HEAD + "ncclCommInitRank" + comm + "COMPLETE",
                HEAD + "group.cc:106 -> 6"))
        .isEmpty();
  }

  @Test
  void libfabricTellsOfAnOperationThatFailed() {
    var failed =
        "libfabric:4517:1708520807::efa:cq:efa_rdm_txe_handle_error():737<warn> err: 5, message: Invalid address My EFA addr: fi_addr_efa://[fe80::13]:0:1072 Peer host id: i-0ce6 (7)";
    assertThat(told("loading", failed))
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.severity()).isEqualTo(Severity.WARNING);
              assertThat(error.summary()).contains("err: 5, message: Invalid address");
            });

    var lines = new ArrayList<>(List.of(failed));
    for (int step = 12; step < 24; step++) {
      lines.add("step %d loss 2.1 time 0.3s".formatted(step));
    }
    assertThat(told(lines.toArray(String[]::new))).isEmpty();
    assertThat(
            told(
                "libfabric:462:1673041636:efa:core:rxr_info_to_rxr():506<warn> FI_HMEM capability requires RDMA, which this device does not support."))
        .isEmpty();
  }

  private static List<Finding> told(String... lines) {
    return Recorded.of(Map.of("job.log", Arrays.asList(lines))).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.NCCL_ERROR)
        .toList();
  }
}
