package io.ringside.lab.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.lab.simulate.JobKind;
import io.ringside.schemas.event.RunBill.Item;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Bills of generated jobs beside the same jobs played without their faults.
class BillScoreTest {
  private static final BillScore SCORE = new BillScore(77, 32, 5_000);

  private static final List<BillTrial> TRIALS =
      IntStream.range(0, 48).mapToObj(SCORE::trial).toList();

  @Test
  void partsAreNeverMoreThanTheWhole() {
    var billed = TRIALS.stream().filter(BillTrial::billed).toList();

    assertThat(billed).hasSizeGreaterThan(10);
    for (var trial : billed) {
      var bill = Objects.requireNonNull(trial.bill());
      assertThat(bill.idealSeconds() + trial.said())
          .as(trial.job())
          .isLessThanOrEqualTo(bill.seconds() + 0.1);
      for (var item : bill.items()) {
        assertThat(item.seconds())
            .as(trial.job())
            .isBetween(item.lowSeconds(), item.highSeconds())
            .isGreaterThanOrEqualTo(alone(item) - 0.1);
      }
    }
  }

  @Test
  void tellsWhatAFaultCost() {
    var billed =
        TRIALS.stream()
            .filter(trial -> trial.kind() != JobKind.HEALTHY && trial.hard().isEmpty())
            .filter(BillTrial::billed)
            .toList();
    var right = billed.stream().filter(trial -> trial.error() <= 0.1).toList();

    assertThat(billed).hasSizeGreaterThan(10);
    assertThat(right).hasSizeGreaterThanOrEqualTo(billed.size() * 3 / 4);
  }

  @Test
  void tellsInTheMidstOfAFaultWhatItGoesOnToCost() {
    var told =
        TRIALS.stream()
            .map(BillTrial::outlook)
            .filter(Objects::nonNull)
            .filter(trial -> trial.hard().isEmpty() && !trial.said().isEmpty())
            .toList();

    assertThat(told).hasSizeGreaterThanOrEqualTo(5);
    assertThat(told)
        .filteredOn(trial -> trial.error() <= 0.1)
        .hasSizeGreaterThanOrEqualTo(told.size() * 3 / 4);
    assertThat(told)
        .filteredOn(OutlookTrial::within)
        .hasSizeGreaterThanOrEqualTo(told.size() * 3 / 4);
    assertThat(told).allSatisfy(trial -> assertThat(trial.told()).isLessThanOrEqualTo(1.001));
  }

  /// Nobody can act any more.
  @Test
  void tellsNothingAheadOfARunThatIsOver() {
    assertThat(TRIALS)
        .map(BillTrial::bill)
        .filteredOn(Objects::nonNull)
        .allSatisfy(bill -> assertThat(bill.ahead()).isEmpty());
  }

  @Test
  void billsNoHealthyJob() {
    assertThat(TRIALS).filteredOn(trial -> trial.kind() == JobKind.HEALTHY).isNotEmpty();
    assertThat(TRIALS)
        .filteredOn(trial -> trial.kind() == JobKind.HEALTHY)
        .noneMatch(BillTrial::billed);
  }

  private static double alone(Item item) {
    return item.without().stream().mapToDouble(each -> each.seconds()).sum();
  }
}
