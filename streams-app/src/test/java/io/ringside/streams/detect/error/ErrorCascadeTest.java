package io.ringside.streams.detect.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.recorded.Lines;
import org.junit.jupiter.api.Test;

class ErrorCascadeTest {
  private static final int RANKS = 640;

  @Test
  void isOneFindingThatNamesTheRankWhichBeganIt() {
    var replay = new Replay();
    for (int rank = 0; rank < RANKS; rank++) {
      var lines = Lines.start(rank, RANKS);
      lines.add(
          rank == 77
              ? "host:100:200 [0] misc/ibvwrap.cc:95 NCCL WARN NET/IB : Got completion from peer with error 12"
              : "host:100:200 [0] misc/socket.cc:50 NCCL WARN socketProgress: Connection closed by remote peer x");
      replay.add(Lines.of(rank, true, lines.toArray(String[]::new)));
    }
    var job = replay.jobs().values().iterator().next();

    var findings =
        new Judge(Expectations.builtIn())
            .judge(job, Lines.AT).findings().stream()
                .filter(finding -> finding.kind() == FindingKind.NCCL_ERROR)
                .toList();

    assertThat(findings)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.ranks()).containsExactly(77);
              assertThat(finding.nodes()).containsExactly("node-9");
              assertThat(finding.summary())
                  .contains(
                      "Got completion from peer with error 12", "640 such lines on 640 ranks");
              assertThat(finding.evidence()).hasSizeLessThanOrEqualTo(Finding.MAX_EVIDENCE);
            });
  }
}
