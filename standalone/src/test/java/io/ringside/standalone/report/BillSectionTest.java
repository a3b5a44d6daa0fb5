package io.ringside.standalone.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunBill.Ahead;
import io.ringside.schemas.event.RunBill.Alone;
import io.ringside.schemas.event.RunBill.Item;
import io.ringside.schemas.event.RunBill.NotBilled;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BillSectionTest {
  private static final NotBilled NOT_BILLED =
      new NotBilled(FindingKind.LATE_START, "f", "not all ranks tell");

  @Test
  void drawsWhatEachFaultAdded() {
    var bill =
        new RunBill(
            200,
            150,
            List.of(
                item(FindingKind.STRAGGLER, List.of(5, 6), 40, 88.0, new Alone(6, 12)),
                item(FindingKind.LATE_START, List.of(3), 10, 22.0)),
            List.of());

    assertThat(text(bill))
        .isEqualTo(
            """
              Bill  50 s of 3 min 20 s lost, 400 GPU-seconds of all GPUs, 110.00 at your price
                without all of it         ##################        2 min 30 s
                + straggler, ranks 5, 6                     #####         40 s
                + late-start, rank 3                             #        10 s
                = as it was               ########################  3 min 20 s
                without ranks 5, 6 this run ends 40 s sooner (39 s to 41 s); without rank 6 alone 12 s
                without the late start of rank 3 this run ends 10 s sooner (9 s to 11 s)\
            """);
  }

  @Test
  void tellsNoMoneyWhereSomeHaveNoPrice() {
    var bill =
        new RunBill(100, 80, List.of(item(FindingKind.STRAGGLER, List.of(1), 20, null)), List.of());

    assertThat(text(bill)).doesNotContain("price");
  }

  @Test
  void saysWhyAFindingHasNoPrice() {
    var bill = new RunBill(0, 0, List.of(), List.of(NOT_BILLED));

    assertThat(text(bill))
        .isEqualTo(
            """
              Bill  the cost of what was found is not known
                not billed: late-start, not all ranks tell\
            """);
  }

  /// What ends a run did not make it end later.
  @Test
  void promisesNoSoonerEndWithoutAHang() {
    var bill =
        new RunBill(100, 70, List.of(item(FindingKind.HANG, List.of(2), 30, null)), List.of());

    assertThat(text(bill)).contains("no rank made progress for 30 s");
  }

  @Test
  void tellsWhatGoesOnToCostIfNobodyActs() {
    var straggler =
        new Ahead(
            FindingKind.STRAGGLER,
            "f",
            List.of(6),
            0.374,
            0.351,
            0.398,
            10_771,
            11.94,
            "as in the last 12 min");
    var hang =
        new Ahead(
            FindingKind.HANG, "g", List.of(), 1, 1, 1, 28_800, null, "no rank makes progress");
    var lines =
        text(new RunBill(100, 70, List.of(), List.of(NOT_BILLED), List.of(straggler, hang)))
            .replaceAll("\\s+", " ");

    assertThat(lines)
        .contains(
            "if nobody acts, rank 6 takes 37 % of the time (35 to 40 %): 3.0 GPU-hours an hour, 71.8 GPU-hours a day, 286.56 at your price; as in the last 12 min")
        .contains(
            "if nobody acts, the hang takes 100 % of the time: 8.0 GPU-hours an hour, 192.0 GPU-hours a day; no rank makes progress");
  }

  private static Item item(
      FindingKind cause,
      List<Integer> ranks,
      double seconds,
      @Nullable Double money,
      Alone... alone) {
    return new Item(
        cause,
        "f",
        ranks,
        List.of(),
        seconds,
        seconds - 1,
        seconds + 1,
        8 * seconds,
        money,
        List.of(alone));
  }

  private static String text(RunBill bill) {
    var page = new Page(Screen.PLAIN);
    new BillSection(page).write(bill);
    return String.join("\n", page.lines());
  }
}
