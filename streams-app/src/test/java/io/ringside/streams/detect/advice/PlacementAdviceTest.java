package io.ringside.streams.detect.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.expect.ExpectationsReader;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.recorded.GroupedLines;
import io.ringside.streams.recorded.Recorded;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Eight ranks on two hosts of four GPUs. Groups of four call five times a step, groups of two
/// once.
class PlacementAdviceTest {
  private static final int STEPS = 40;

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
  void tellsTheGainWhereSomebodyMeasuredIt() {
    var lines = lines(rank -> rank % 2);
    var measured =
        """
        instanceType: p4d.24xlarge
        measuredPrices: [{finding: placement-advice, machine: p4d.24xlarge, ratio: 1.4}]
        """;

    assertThat(gains(lines, Expectations.builtIn())).isEmpty();
    assertThat(gains(lines, ExpectationsReader.read(measured, "mine.yaml")))
        .containsExactly("1.40 times as long, as one job took on p4d.24xlarge");
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

  private static List<String> gains(Recorded lines, Expectations expectations) {
    var replay = new Replay();
    lines.logs().stream().flatMap(List::stream).forEach(replay::add);
    return replay.jobs().values().stream()
        .flatMap(job -> new Judge(expectations).judge(job, Instant.EPOCH).runs().stream())
        .flatMap(run -> Stream.ofNullable(run.bill()))
        .flatMap(bill -> bill.notBilled().stream())
        .filter(each -> each.cause() == FindingKind.PLACEMENT_ADVICE)
        .map(RunBill.NotBilled::because)
        .toList();
  }

  private List<Finding> advice(IntUnaryOperator group) {
    return lines(group).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.PLACEMENT_ADVICE)
        .toList();
  }

  /// @param group of four that a rank is in
  private Recorded lines(IntUnaryOperator group) {
    var lines = new GroupedLines("rack1-%02d", 4, sameBusIds);
    for (int rank = 0; rank < 8; rank++) {
      lines.init(rank, "world", rank, 8);
      lines.say(
          rank,
          1.1,
          "Channel 00/0 : %d[%d] -> %d[%d] via %s"
              .formatted(rank, rank % 4, rank ^ 1, (rank ^ 1) % 4, link));
      lines.init(rank, busyGroup(group, rank), place(group, rank), 4);
      lines.init(rank, "rare" + place(group, rank), group.applyAsInt(rank), 2);
    }
    for (int step = 0; step < STEPS; step++) {
      for (int rank = 0; rank < 8; rank++) {
        for (int call = 0; call < 5; call++) {
          int peer = busy.equals("Send") ? (rank + 1) % 4 : 0;
          lines.call(rank, busyGroup(group, rank), 2 + step + 0.1 * call, busy, peer, 4);
        }
        lines.call(rank, "rare" + place(group, rank), 2.6 + step, "AllReduce", 0, 2);
      }
    }
    return Recorded.of(Map.of("job.log", lines.byTime()));
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
}
