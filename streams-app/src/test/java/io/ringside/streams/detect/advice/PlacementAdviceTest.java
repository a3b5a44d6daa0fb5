package io.ringside.streams.detect.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/// Eight ranks on two hosts of four GPUs. Groups of four call five times a step, groups of two once.
class PlacementAdviceTest {
  private static final Instant BEGIN = Instant.parse("2026-11-21T08:00:00Z");
  private static final int STEPS = 40;

  private final List<String> lines = new ArrayList<>();
  private String busy = "AllReduce";
  private String link = "P2P/CUMEM";
  private boolean sameBusIds = true;

  @Test
  void tellsOfGroupsThatCallMostAndCrossMachines() {
    // every other rank is in a group, as after a scheduler that deals ranks out in turn
    assertThat(advice(rank -> rank % 2))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
              assertThat(finding.ranks()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
              assertThat(finding.observed()).contains("ranks 0, 2, 4, 6").contains("200 calls");
            });
  }

  @Test
  void hasNothingToSayWhereTheyLieWithinAMachine() {
    assertThat(advice(rank -> rank / 4)).isEmpty();
  }

  @Test
  void leavesPipelinesAlone() {
    busy = "Send";
    assertThat(advice(rank -> rank % 2)).isEmpty();
  }

  @Test
  void leavesHostsAloneThatMayBePodsOfOneMachine() {
    sameBusIds = false;
    assertThat(advice(rank -> rank % 2)).isEmpty();
  }

  @Test
  void promisesNothingWhereGpusOfAMachineAreNotLinked() {
    link = "SHM/direct/direct";
    assertThat(advice(rank -> rank % 2)).isEmpty();
  }

  /// @param group of four that a rank is in
  private List<Finding> advice(IntUnaryOperator group) {
    for (int rank = 0; rank < 8; rank++) {
      init(rank, "world", rank, 8);
      say(
          rank,
          1.1,
          "Channel 00/0 : %d[%d] -> %d[%d] via %s"
              .formatted(rank, rank % 4, rank ^ 1, (rank ^ 1) % 4, link));
      init(rank, busyGroup(group, rank), place(group, rank), 4);
      init(rank, "rare" + place(group, rank), group.applyAsInt(rank), 2);
    }
    for (int step = 0; step < STEPS; step++) {
      for (int rank = 0; rank < 8; rank++) {
        for (int call = 0; call < 5; call++) {
          call(rank, busyGroup(group, rank), 2 + step + 0.1 * call, busy, 4);
        }
        call(rank, "rare" + place(group, rank), 2.6 + step, "AllReduce", 2);
      }
    }
    lines.sort(String::compareTo);
    return Recorded.of(Map.of("job.log", lines)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.PLACEMENT_ADVICE)
        .toList();
  }

  private static String busyGroup(IntUnaryOperator group, int rank) {
    return "busy" + group.applyAsInt(rank);
  }

  /// How many of its group come before it.
  private static int place(IntUnaryOperator group, int rank) {
    int before = 0;
    for (int other = 0; other < rank; other++) {
      before += group.applyAsInt(other) == group.applyAsInt(rank) ? 1 : 0;
    }
    return before;
  }

  private void init(int rank, String group, int rankInGroup, int nranks) {
    say(
        rank,
        1 + 0.001 * rank,
        "ncclCommInitRankConfig comm %s rank %d nranks %d cudaDev %d nvmlDev %d busId %d000 commId 0x%016x - Init COMPLETE"
            .formatted(
                pointer(rank, group),
                rankInGroup,
                nranks,
                rank % 4,
                rank % 4,
                1 + (sameBusIds ? rank % 4 : rank),
                group.hashCode() & 0xffffffffL));
  }

  private void call(int rank, String group, double at, String operation, int nranks) {
    say(
        rank,
        at,
        "%s: opCount 0 sendbuff 0x7f00 recvbuff 0x7f00 count 1048576 datatype 7 op 0 root %d comm %s [nranks=%d] stream 0x5580"
            .formatted(
                operation,
                operation.equals("Send") ? (rank + 1) % nranks : 0,
                pointer(rank, group),
                nranks));
  }

  private static String pointer(int rank, String group) {
    return "0x55%x%06x".formatted(rank + 1, group.hashCode() & 0xffffff);
  }

  private void say(int rank, double seconds, String message) {
    lines.add(
        "%s stdout F rack1-%02d:%d:%d [%d] NCCL INFO %s"
            .formatted(
                BEGIN.plusNanos(Math.round(seconds * 1e9) + 1).toString(),
                rank / 4,
                100 + rank,
                100 + rank,
                rank % 4,
                message));
  }
}
