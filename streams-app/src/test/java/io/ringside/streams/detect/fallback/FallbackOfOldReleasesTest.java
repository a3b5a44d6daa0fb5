package io.ringside.streams.detect.fallback;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.recorded.Lines;
import org.junit.jupiter.api.Test;

/// Up to 2.20.2 NCCL does not print how many nodes a communicator has.
class FallbackOfOldReleasesTest {
  @Test
  void namesEveryRankThoughOnlySomeHaveEdgesBetweenPods() {
    var replay = new Replay();
    for (int rank = 0; rank < 4; rank++) {
      var lines = Lines.start(rank, 4);
      lines.add(0, "host:100:200 [0] NCCL INFO NET/OFI No eligible providers were found");
      lines.add(1, "host:100:200 [0] NCCL INFO Using network Socket");
      replay.add(Lines.of(rank, true, lines.toArray(String[]::new)));
    }

    var findings =
        new Judge(Expectations.builtIn())
            .judge(replay.jobs().values().iterator().next(), Lines.AT)
            .findings();

    assertThat(findings)
        .filteredOn(finding -> finding.kind() == FindingKind.EFA_FALLBACK)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(finding.ranks()).containsExactly(0, 1, 2, 3);
            });
  }
}
