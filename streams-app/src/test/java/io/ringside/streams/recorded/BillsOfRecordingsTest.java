package io.ringside.streams.recorded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.expect.ExpectationsReader;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the recorded faults are said to cost beside what they did: `bill.tsv`.
class BillsOfRecordingsTest {
  private static final Path RECORDINGS = Path.of("..", "examples", "recordings");
  private static final double RIGHT = 0.15;
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  @ParameterizedTest
  @MethodSource("costs")
  void tellsWhatASlowRankCost(String line) {
    var fields = line.split("\t", -1);
    double cost = Double.parseDouble(fields[1]);

    assertThat(seconds(fields[0])).isCloseTo(cost, within(RIGHT * cost));
  }

  @ParameterizedTest
  @ValueSource(strings = {"healthy", "jitter", "checkpoints", "dscoll", "buffered", "collok"})
  void billsNothingWhereNothingIsWrong(String folder) {
    assertThat(bills(folder)).flatExtracting(RunBill::items).isEmpty();
  }

  @Test
  void saysWhyWhatWasFoundHasNoPrice() {
    assertThat(bills("hog"))
        .singleElement()
        .satisfies(
            bill -> {
              assertThat(bill.items()).isEmpty();
              assertThat(bill.notBilled())
                  .singleElement()
                  .extracting(RunBill.NotBilled::because)
                  .isEqualTo("no arrival times tell for how long the others waited");
            });
  }

  @Test
  void namesWhatAFallbackCostElsewhereAndMakesNoItemOfIt() {
    assertThat(bills("seed-g6e-efa-fallback"))
        .singleElement()
        .satisfies(
            bill -> {
              assertThat(bill.items()).isEmpty();
              assertThat(bill.notBilled())
                  .extracting(RunBill.NotBilled::because)
                  .contains(
                      "this job has no earlier healthy run to compare with; on p4d.24xlarge such jobs took 2.04 times as long, on g5.8xlarge such jobs took 3.10 times as long");
            });
  }

  /// Its second run lost P2P; no line tells its batch, so that nothing is said of its steps alone.
  @Test
  void billsATransportThatWasLost() {
    assertThat(bills("restarted"))
        .flatExtracting(RunBill::items)
        .singleElement()
        .satisfies(
            item -> {
              assertThat(item.cause()).isEqualTo(FindingKind.TRANSPORT_REGRESSION);
              assertThat(item.ranks()).containsExactly(0, 1, 2, 3);
            });
  }

  @Test
  void tellsMoneyWhereAPriceIsGiven() {
    var priced = ExpectationsReader.read("costPerGpuHour: {'*': 36}", "mine.yaml");
    var replay = new Replay();
    Recorded.in(RECORDINGS.resolve("groups")).logs().stream()
        .flatMap(List::stream)
        .forEach(replay::add);
    var item =
        replay.jobs().values().stream()
            .flatMap(job -> new Judge(priced).judge(job, NOW).runs().stream())
            .map(run -> Objects.requireNonNull(run.bill()))
            .flatMap(bill -> bill.items().stream())
            .findFirst()
            .orElseThrow();

    // four GPUs at a cent a second
    assertThat(item.money()).isEqualTo(0.04 * item.seconds(), within(0.01));
  }

  private static List<String> costs() throws IOException {
    return Files.readAllLines(RECORDINGS.resolve("bill.tsv")).stream()
        .filter(line -> !line.startsWith("#"))
        .toList();
  }

  private static double seconds(String folder) {
    return bills(folder).stream()
        .flatMap(bill -> bill.items().stream())
        .mapToDouble(RunBill.Item::seconds)
        .sum();
  }

  private static List<RunBill> bills(String folder) {
    return Recorded.in(RECORDINGS.resolve(folder)).judged().runs().stream()
        .map(RunSummary::bill)
        .filter(Objects::nonNull)
        .toList();
  }
}
