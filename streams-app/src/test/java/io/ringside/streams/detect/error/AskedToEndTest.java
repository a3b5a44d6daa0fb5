package io.ringside.streams.detect.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Connections close when a job is asked to end.
class AskedToEndTest {
  private static final String UP =
      "a:1:1 [0] NCCL INFO ncclCommInitRank comm 0x5 rank 0 nranks 1 cudaDev 0 busId 1000 commId 0x77 - Init COMPLETE";
  private static final String CLOSED =
      "a:1:9 [0] misc/socket.cc:50 NCCL WARN socketProgress: Connection closed by remote peer b<41188>";
  private static final String ASKED =
      "slurmstepd: error: *** STEP 7.0 ON a CANCELLED AT 2026-11-21T08:40:41 DUE TO TIME LIMIT ***";

  @Test
  void whatFollowsIsANote() {
    assertThat(told(UP, ASKED, CLOSED))
        .extracting(Finding::severity)
        .containsExactly(Severity.INFO);
  }

  @Test
  void whatCameBeforeIsNot() {
    assertThat(told(UP, CLOSED, ASKED))
        .extracting(Finding::severity)
        .containsExactly(Severity.WARNING);
  }

  @Test
  void withoutSuchAnEndItIsNot() {
    assertThat(told(UP, CLOSED)).extracting(Finding::severity).containsExactly(Severity.WARNING);
  }

  private static List<Finding> told(String... lines) {
    return Recorded.of(Map.of("job.log", List.of(lines))).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.NCCL_ERROR)
        .toList();
  }
}
