package io.ringside.streams.detect.straggler;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.schemas.event.StragglerType;
import io.ringside.streams.judge.suspect.BlamedNodes;
import io.ringside.streams.recorded.WrittenRun;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FirstRankDutiesTest {
  private static final double STEP = 0.4;
  private static final double LATE = 0.5;

  @Test
  void ofRank0EachFewStepsIsANote() {
    assertThat(stragglers(0, 5))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
              assertThat(finding.cause()).isEqualTo("duty");
              assertThat(finding.type()).isEqualTo(StragglerType.HOST);
            });
  }

  /// A third of the time: whatever it does then, somebody should hear of it, but its machine is not
  /// to blame.
  @Test
  void thatIsFarTooDearIsTold() {
    assertThat(stragglers(0, 3))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.cause()).isEqualTo("duty");
              assertThat(finding.nodes()).isNotEmpty();
              assertThat(BlamedNodes.of(finding, 2, Instant.EPOCH)).isEmpty();
            });
  }

  @Test
  void doesNotExcuseRank0ThatIsLateInEachStep() {
    assertThat(stragglers(0, 1))
        .extracting(Finding::severity)
        .isNotEmpty()
        .doesNotContain(Severity.INFO);
  }

  /// Its shard is a little larger, too.
  @Test
  void thatCostsMostOfTheTimeIsANoteThoughRank0IsLateInEachStep() {
    assertThat(stragglers(0, 8, 0.04))
        .isNotEmpty()
        .allSatisfy(finding -> assertThat(finding.severity()).isEqualTo(Severity.INFO));
    assertThat(stragglers(5, 8, 0.04))
        .extracting(Finding::severity)
        .isNotEmpty()
        .doesNotContain(Severity.INFO);
  }

  @Test
  void isNoneOfAnotherRank() {
    assertThat(stragglers(5, 5))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isNotEqualTo(Severity.INFO);
              assertThat(finding.ranks()).containsExactly(5);
            });
  }

  @Test
  void mayBeThatOfAHostsFirstRankWhereThatSetsItApart() {
    assertThat(FirstRankDuties.mayBe(8, 0.2, 24, Set.of(0, 8, 16))).isTrue();
    assertThat(FirstRankDuties.mayBe(9, 0.2, 24, Set.of(0, 8, 16))).isFalse();
    assertThat(FirstRankDuties.mayBe(2, 0.2, 4, Set.of(0, 1, 2, 3))).isFalse();
    assertThat(FirstRankDuties.mayBe(3, 0.2, 4, Set.of(0, 1, 2, 3))).isTrue();
    assertThat(FirstRankDuties.mayBe(8, 0.3, 24, Set.of(0, 8, 16))).isFalse();
    assertThat(FirstRankDuties.mayBe(0, 0.9, 4, Set.of(0, 1, 2, 3))).isTrue();
  }

  /// Rank 5 is late in one step of eight by as much as a step takes: an eighth of the time.
  @Test
  void aRankThatIsLateInOneStepOfEightIsTold() {
    assertThat(stragglers(5, 8)).singleElement().extracting(Finding::ranks).isEqualTo(List.of(5));
  }

  /// Four workers wait for the weights that rank 0 broadcasts to them once its training step is
  /// done.
  @Test
  void ofARankThatHandsOutWhatOthersWaitForIsANote() {
    assertThat(handedOut("Broadcast"))
        .isNotEmpty()
        .allSatisfy(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
              assertThat(finding.cause()).isEqualTo("duty");
            });
    assertThat(handedOut("AllReduce"))
        .extracting(Finding::severity)
        .isNotEmpty()
        .doesNotContain(Severity.INFO);
  }

  private static List<Finding> handedOut(String operation) {
    var run = WrittenRun.of(1, 8, "P2P/CUMEM");
    for (int rank = 0; rank < 5; rank++) {
      run.nccl(
          0.6,
          rank,
          "ncclCommInitRankConfig comm 0x77a0%04x rank %d nranks 5 cudaDev %d nvmlDev %d busId %x000 commId 0x77 - Init COMPLETE"
              .formatted(rank, rank, rank, rank, 0x1b + rank));
    }
    var random = new Random(5);
    for (int step = 0; step < 60; step++) {
      double at = 1 + 14 * step;
      for (int rank = 0; rank < 8; rank++) {
        for (int call = 0; call < 20; call++) {
          run.allReduce(at + 0.1 * call + 0.002 * random.nextDouble(), rank, 4096 + call);
        }
      }
      for (int rank = 0; rank < 5; rank++) {
        run.nccl(
            at + (rank == 0 ? 12 : 2.5) + 0.01 * random.nextDouble(),
            rank,
            "%s: opCount 0 sendbuff 0x7f0000000000 recvbuff 0x7f0000000000 count 4096 datatype 7 op 0 root 0 comm 0x77a0%04x [nranks=5] stream 0x5580"
                .formatted(operation, rank));
      }
    }
    return WrittenRun.judged(run).findings().stream()
        .filter(finding -> finding.kind() == FindingKind.STRAGGLER)
        .toList();
  }

  private static List<Finding> stragglers(int late, int every) {
    return stragglers(late, every, 0);
  }

  /// @param shard by how many seconds it is late in all steps
  private static List<Finding> stragglers(int late, int every, double shard) {
    var run = WrittenRun.of(1, 8, "P2P/CUMEM");
    var random = new Random(5);
    double at = 1;
    for (int step = 0; step < 400; step++) {
      double delay = shard + (step > 40 && step % every == 0 ? LATE : 0);
      for (int rank = 0; rank < 8; rank++) {
        double own = at + 0.002 * random.nextDouble() + (rank == late ? delay : 0);
        run.allReduce(own, rank, 4096);
        run.allReduce(at + delay + 0.05 + 0.002 * random.nextDouble(), rank, 1024);
      }
      at += STEP + delay;
    }
    return WrittenRun.judged(run).findings().stream()
        .filter(finding -> finding.kind() == FindingKind.STRAGGLER)
        .toList();
  }
}
