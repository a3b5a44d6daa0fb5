package io.ringside.streams.detect.straggler;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Eight ranks on one clock: tensor groups {0,1} {2,3} {4,5} {6,7}, data groups {0,2} {1,3} {4,6} {5,7}, and a pipeline of
/// two stages, 0 to 3 and 4 to 7.
class UpstreamTest {
  private static final Instant BEGIN = Instant.parse("2026-11-21T08:00:00Z");
  private static final int STEPS = 160;
  private static final int LATE_FROM = 30;
  private static final double LATE = 0.1;
  private static final int TENSOR_CALLS = 3;

  private final SplittableRandom random = new SplittableRandom(25);
  private final List<List<String>> lines = new ArrayList<>();
  private final long[] calls = new long[8];

  UpstreamTest() {
    for (int rank = 0; rank < 8; rank++) {
      lines.add(new ArrayList<>());
    }
  }

  /// Rank 5 is late in each call of its tensor group; rank 4 waits for it, and stage 0 of this replica for what stage 1
  /// sends back.
  @Test
  void blamesTheRankThatIsLateAmongItsOwnAndNotTheStageThatWaitsForIt() {
    assertThat(stragglers(5)).singleElement().extracting(Finding::ranks).isEqualTo(List.of(5));
  }

  @Test
  void blamesAStageOfWhichNobodyElseIsTheCause() {
    // both ranks of stage 0 are late in their data groups, and all of stage 1 is in time
    assertThat(stragglers(-1)).flatExtracting(Finding::ranks).contains(0, 1);
  }

  private List<Finding> stragglers(int late) {
    lines.forEach(List::clear);
    for (int rank = 0; rank < 8; rank++) {
      init(rank, "world", rank, 8);
      init(rank, "tensor" + rank / 2, rank % 2, 2);
      init(rank, "data" + (rank / 4 * 2 + rank % 2), rank % 4 / 2, 2);
      init(rank, "pipe" + rank % 4, rank / 4, 2);
    }
    double begun = 3;
    for (int step = 0; step < STEPS; step++) {
      boolean slow = step >= LATE_FROM;
      double stage = 0;
      for (int call = 0; call < TENSOR_CALLS; call++) {
        for (int rank = 0; rank < 8; rank++) {
          boolean own = slow && rank == late;
          // who waited for rank 5 goes on when it came
          boolean waited = slow && late >= 0 && rank / 2 == late / 2;
          double at = begun + 0.1 * call + jitter() + (waited ? LATE * call : 0) + (own ? LATE : 0);
          call(rank, "tensor" + rank / 2, at, "AllReduce", 2);
        }
      }
      if (slow) {
        stage = TENSOR_CALLS * LATE;
      }
      for (int rank = 0; rank < 8; rank++) {
        boolean waits = stage > 0 && (rank < 2 || late >= 0 && rank / 2 == late / 2);
        double at = begun + 0.35 + (waits ? stage : 0) + jitter();
        call(rank, "pipe" + rank % 4, at, rank < 4 ? "Send" : "Recv", 2);
        call(rank, "data" + (rank / 4 * 2 + rank % 2), at + 0.05, "AllReduce", 2);
      }
      begun += 0.6 + stage;
    }
    var all = new ArrayList<String>();
    lines.forEach(all::addAll);
    all.sort(Comparator.naturalOrder());
    return Recorded.of(Map.of("megatron-0.log", all)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.STRAGGLER)
        .filter(finding -> finding.severity() != Severity.INFO)
        .toList();
  }

  private double jitter() {
    return 0.004 * random.nextDouble();
  }

  private void init(int rank, String group, int rankInGroup, int nranks) {
    line(
        rank,
        1 + 0.001 * rank,
        "ncclCommInitRankConfig comm %s rank %d nranks %d cudaDev %d nvmlDev %d busId %d000 commId 0x%016x - Init COMPLETE"
            .formatted(
                pointer(rank, group),
                rankInGroup,
                nranks,
                rank,
                rank,
                rank + 1,
                group.hashCode() & 0xffffffffL));
  }

  private void call(int rank, String group, double at, String operation, int nranks) {
    line(
        rank,
        at,
        "%s: opCount %x sendbuff 0x7f00 recvbuff 0x7f00 count 1048576 datatype 7 op 0 root %d comm %s [nranks=%d] stream 0x5580"
            .formatted(
                operation, calls[rank]++, rank / 4 == 0 ? 1 : 0, pointer(rank, group), nranks));
  }

  private static String pointer(int rank, String group) {
    return "0x55%x%06x".formatted(rank + 1, group.hashCode() & 0xffffff);
  }

  private void line(int rank, double seconds, String message) {
    lines
        .get(rank)
        .add(
            "%s stdout F worker-0:%d:%d [%d] NCCL INFO %s"
                .formatted(
                    DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.nnnnnnnnn'Z'")
                        .withZone(ZoneOffset.UTC)
                        .format(BEGIN.plusNanos(Math.round(seconds * 1e9))),
                    100 + rank,
                    100 + rank,
                    rank,
                    message));
  }
}
