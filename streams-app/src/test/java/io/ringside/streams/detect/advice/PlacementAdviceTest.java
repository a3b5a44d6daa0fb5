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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
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

  @Test
  void tellsOfTensorGroupsOfWhichNoCallIsSeen() {
    assertThat(quiet(8, 4, Map.of(4, rank -> rank % 2, 2, rank -> rank / 2), SIZES))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
              assertThat(finding.summary()).contains("tensor-parallel groups of 4 ranks");
              assertThat(finding.observed()).isEqualTo("ranks 0, 2, 4, 6; ranks 1, 3, 5, 7");
              assertThat(finding.evidence().getFirst().text()).contains("tensor-model-parallel");
            });
  }

  @Test
  void hasNothingToSayWhereOnlyDataParallelGroupsCrossMachines() {
    assertThat(quiet(8, 4, Map.of(4, rank -> rank / 4, 2, rank -> rank % 4), SIZES)).isEmpty();
  }

  @Test
  void guessesNothingWhereNoLineSaysWhichGroupsAreOfTensors() {
    assertThat(quiet(8, 4, Map.of(4, rank -> rank % 2, 2, rank -> rank / 2))).isEmpty();
  }

  @Test
  void takesNeighboursWhereGroupsOfOtherKindsAreAsLarge() {
    // four tensor groups of neighbours, each on a machine; four data groups across machines
    var data = Map.<Integer, IntUnaryOperator>of(4, rank -> rank % 4);
    var sizes =
        "using world size: 16, data-parallel size: 4, context-parallel size: 1, hierarchical context-parallel sizes: None, tensor-model-parallel size: 4, pipeline-model-parallel size: 1";

    assertThat(quiet(16, 4, data, sizes)).isEmpty();
    assertThat(quiet(16, 4, data, "> initialized tensor model parallel with size 4")).isEmpty();
    // each machine has every second pair
    assertThat(quiet(16, 2, Map.of(4, rank -> rank / 4), sizes)).isEmpty();
  }

  @Test
  void takesGroupsByTheNamesThatPyTorchRepeats() {
    var groups = Map.<Integer, IntUnaryOperator>of(2, rank -> rank % 4);

    assertThat(quiet(8, 4, groups, options("TENSOR_MODEL_PARALLEL_GROUP")))
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.observed())
                    .isEqualTo("ranks 0, 4; ranks 1, 5; ranks 2, 6; ranks 3, 7"));
    assertThat(quiet(8, 4, groups, options("DATA_PARALLEL_GROUP"))).isEmpty();
    assertThat(quiet(8, 4, groups, options("PIPELINE_MODEL_PARALLEL_GROUP"))).isEmpty();
    assertThat(quiet(8, 4, groups, options("TENSOR_AND_DATA_PARALLEL_GROUP"))).isEmpty();
  }

  @Test
  void takesGroupsAsNemoListsThem() {
    var groups = Map.<Integer, IntUnaryOperator>of(2, rank -> rank % 4);

    assertThat(
            quiet(
                8,
                4,
                groups,
                "[NeMo I 2026-11-21 08:00:00 megatron_init:443] All tensor model parallel group ranks: [[0, 4], [1, 5], [2, 6], [3, 7]]"))
        .hasSize(1);
    assertThat(
            quiet(
                8,
                4,
                groups,
                "[NeMo I 2026-11-21 08:00:00 megatron_init:443] All tensor model parallel group ranks: [[0, 1], [2, 3], [4, 5], [6, 7]]"))
        .isEmpty();
  }

  @Test
  void asksForNothingThatMachinesHaveNoRoomFor() {
    // three groups of four on two machines of six
    assertThat(
            quiet(
                12,
                6,
                Map.of(4, rank -> rank / 4, 3, rank -> rank % 4),
                "using world size: 12, data-parallel size: 3, context-parallel size: 1, tensor-model-parallel size: 4, pipeline-model-parallel size: 1"))
        .isEmpty();
  }

  /// Megatron-LM's, of eight ranks.
  private static final String SIZES =
      "using world size: 8, data-parallel size: 2, context-parallel size: 1, hierarchical context-parallel sizes: Nonetensor-model-parallel size: 4, encoder-tensor-model-parallel size: 0, pipeline-model-parallel size: 1, encoder-pipeline-model-parallel size: 0";

  /// What PyTorch says of four groups of two ranks, four apart.
  private static String[] options(String name) {
    return IntStream.range(0, 8)
        .mapToObj(
            rank ->
                "[rank%d]:[I1121 08:00:00.123456789 ProcessGroupNCCL.cpp:979] [PG ID 3 PG GUID %d(%s) Rank %d] ProcessGroupNCCL initialization options: size: 2, global rank: %d, TIMEOUT(ms): 600000, USE_HIGH_PRIORITY_STREAM: 0"
                    .formatted(rank, 20 + rank % 4, name, rank / 4, rank))
        .toArray(String[]::new);
  }

  /// What is advised of ranks of whose calls nothing is seen.
  ///
  /// @param groups which of the groups of a size a rank is in
  private static List<Finding> quiet(
      int nranks, int gpusPerHost, Map<Integer, IntUnaryOperator> groups, String... said) {
    var lines = new GroupedLines("rack1-%02d", gpusPerHost, true);
    for (int rank = 0; rank < nranks; rank++) {
      lines.init(rank, "world", rank, nranks);
      lines.say(
          rank,
          1.1,
          "Channel 00/0 : %d[%d] -> %d[%d] via P2P/CUMEM"
              .formatted(rank, rank % gpusPerHost, rank ^ 1, (rank ^ 1) % gpusPerHost));
      for (var group : groups.entrySet()) {
        var of = group.getValue();
        lines.init(
            rank, group.getKey() + "x" + of.applyAsInt(rank), place(of, rank), group.getKey());
      }
    }
    var all = new ArrayList<String>();
    for (var line : said) {
      all.add("2026-11-21T08:00:00.500000000Z stdout F " + line);
    }
    all.addAll(lines.byTime());
    return Recorded.of(Map.of("job.log", List.copyOf(all))).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.PLACEMENT_ADVICE)
        .toList();
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
