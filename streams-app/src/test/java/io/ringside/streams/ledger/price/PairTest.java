package io.ringside.streams.ledger.price;

import static io.ringside.streams.ledger.price.TrainedRun.EFA;
import static io.ringside.streams.ledger.price.TrainedRun.SOCKET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunSummary;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PairTest {
  private static final JobKey JOB = new JobKey("east", "training", "a");
  private static final RunSummary GOOD = new TrainedRun("a", 1, EFA, 500).line();

  @Test
  void pairsARunOverSocketsWithTheNearestGoodOneBeforeIt() {
    var pairs =
        Pair.of(
            List.of(
                GOOD,
                new TrainedRun("a", 2, EFA, 510).line(),
                new TrainedRun("a", 3, SOCKET, 1_020).line(),
                new TrainedRun("a", 4, EFA, 520).line()));

    assertThat(pairs)
        .containsExactly(new Pair(FindingKind.EFA_FALLBACK, "p4d.24xlarge", JOB, 1_020, 510));
  }

  @Test
  void takesTheFirstGoodRunBehindItWhereNoneWasBefore() {
    var pairs =
        Pair.of(
            List.of(
                new TrainedRun("a", 1, SOCKET, 1_020).line(),
                new TrainedRun("a", 2, EFA, 510).line(),
                new TrainedRun("a", 3, EFA, 520).line()));

    assertThat(pairs).extracting(Pair::better).containsExactly(510.0);
  }

  @ParameterizedTest
  @CsvSource({
    "NET/Libfabric/GDRDMA, NET/Libfabric, GDR_MISSING",
    "NET/IB/GDRDMA, NET/Socket, NETWORK_FALLBACK",
    "P2P/CUMEM, SHM/direct/direct, SHM_FALLBACK",
    "P2P/CUMEM, P2P/CUMEM/read, P2P_READ",
    "SHM/direct/direct, NET/Socket, SOCKET_TRANSPORT",
  })
  void callsWhatWasLostAsTheFindingDoes(String good, String bad, FindingKind kind) {
    var pairs =
        Pair.of(
            List.of(
                new TrainedRun("a", 1, good, 500).line(), new TrainedRun("a", 2, bad, 600).line()));

    assertThat(pairs).extracting(Pair::kind).containsExactly(kind);
  }

  @Test
  void knowsAJobOnMorePodsFromOneThatFellBack() {
    var one =
        new TrainedRun("a", 1, "P2P/CUMEM", 400).line(64, 100).with(its -> its.pods = List.of("p"));
    var four = new TrainedRun("a", 2, EFA, 900).line();
    var sockets = new TrainedRun("a", 3, SOCKET, 1_800).line();

    assertThat(Pair.of(List.of(one, four, sockets)))
        .extracting(Pair::kind, Pair::ratio)
        .containsExactlyInAnyOrder(
            tuple(FindingKind.SPLIT_PLACEMENT, 2.25), tuple(FindingKind.EFA_FALLBACK, 2.0));
  }

  @Test
  void pairsNothingThatDiffersInMore() {
    var bad = new TrainedRun("a", 2, SOCKET, 1_000);

    assertThat(pairedWith(bad.line(128, 100))).as("batch").isEmpty();
    assertThat(pairedWith(bad.line(64, 9))).as("too few steps").isEmpty();
    assertThat(pairedWith(bad.line(64, 100).with(its -> its.nranks = 8))).as("ranks").isEmpty();
    assertThat(pairedWith(bad.line(64, 100).with(its -> its.ncclVersion = "2.27.3")))
        .as("NCCL")
        .isEmpty();
    assertThat(pairedWith(bad.line(64, 100).with(its -> its.instanceType = "p5.48xlarge")))
        .as("machine")
        .isEmpty();
    assertThat(pairedWith(new TrainedRun("b", 2, SOCKET, 1_000).line())).as("job").isEmpty();
    assertThat(pairedWith(bad.line(64, 100).with(its -> its.bill = straggler())))
        .as("another fault")
        .isEmpty();
    assertThat(pairedWith(bad.line())).hasSize(1);
  }

  private static List<Pair> pairedWith(RunSummary bad) {
    return Pair.of(List.of(GOOD, bad));
  }

  private static RunBill straggler() {
    return new RunBill(
        100,
        90,
        List.of(
            new RunBill.Item(
                FindingKind.STRAGGLER, "f", List.of(1), List.of(), 10, 9, 11, 40, null, List.of())),
        List.of());
  }
}
