package io.ringside.streams.ledger.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunBill.Item;
import io.ringside.schemas.event.RunBill.NotBilled;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.streams.ledger.campaign.Campaign.Cause;
import io.ringside.streams.ledger.campaign.Campaign.Goodput;
import io.ringside.streams.ledger.campaign.Campaign.Held;
import io.ringside.streams.ledger.campaign.Campaign.Machine;
import io.ringside.streams.ledger.campaign.Campaign.Period;
import io.ringside.streams.ledger.campaign.Campaign.Unpriced;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CampaignTest {
  private static final Instant MONDAY = Instant.parse("2026-11-16T00:00:00Z");
  private static final Instant NOON = MONDAY.plus(Duration.ofHours(12));

  @Test
  void addsUpToWhatTheRunsHeld() {
    var campaign =
        lastDays(
            2,
            run("clean", 0, 1_000),
            run("late", 0, 1_000).with(its -> its.bill = bill(straggler(100, "node-1"))),
            run("slow", 0, 1_000).with(its -> its.bill = noPrice(FindingKind.EFA_FALLBACK)),
            run("mute", 0, 1_000).with(its -> its.notJudged = List.of(no("waits"), no("steps"))));

    assertThat(campaign.gpuSeconds()).isEqualTo(16_000);
    assertThat(campaign.goodGpuSeconds()).isEqualTo(4_000 + 3_600);
    assertThat(campaign.lostGpuSeconds()).isEqualTo(400);
    assertThat(campaign.unpriced()).containsExactly(new Unpriced("efa-fallback", 1, 4_000));
    assertThat(campaign.notJudged()).isEqualTo(new Held(1, 4_000));
    assertThat(campaign.goodput()).isEqualTo(new Goodput(0.95, 0.9375, 0.9625, 8_000));
  }

  /// A fault that nobody priced, and a run that could not be judged, are never called good.
  @Test
  void knowsNoGoodputWhereNoRunIsOfKnownWorth() {
    var failed = new Check("network in use", Check.Status.FAIL, "Socket", null);
    var campaign =
        lastDays(
            2,
            run("a", 0, 100).with(its -> its.checklist = List.of(failed)),
            run("b", 0, 100).with(its -> its.notJudged = List.of(no("waits"), no("steps"))));

    assertThat(campaign.goodput()).isNull();
    assertThat(campaign.unpriced()).containsExactly(new Unpriced("network in use", 1, 400));
  }

  /// What a run of unknown worth lost to another fault says nothing of goodput.
  @Test
  void countsNoLossOfARunOfUnknownWorth() {
    var bill =
        new RunBill(
            1_000,
            900,
            List.of(straggler(100, "node-1")),
            List.of(new NotBilled(FindingKind.SPLIT_PLACEMENT, "s", "no price")));

    var campaign = lastDays(2, run("a", 0, 1_000).with(its -> its.bill = bill), run("b", 0, 1_000));

    assertThat(campaign.lostGpuSeconds()).isEqualTo(400);
    assertThat(campaign.goodput()).isEqualTo(new Goodput(1, 1, 1, 4_000));
  }

  @Test
  void namesTheDearestMachinesAndCausesFirst() {
    var campaign =
        lastDays(
            2,
            run("a", 0, 1_000).with(its -> its.bill = bill(straggler(100, "node-1", "node-2"))),
            run("b", 0, 1_000)
                .with(its -> its.bill = bill(straggler(50, "node-2"), late(200, "node-3"))));

    assertThat(campaign.causes())
        .containsExactly(
            new Cause(FindingKind.LATE_START, 800, 600, 1_000, null, 1),
            new Cause(FindingKind.STRAGGLER, 600, 450, 750, null, 2));
    assertThat(campaign.machines())
        .containsExactly(
            new Machine("east", "node-3", 800, 1, List.of(FindingKind.LATE_START)),
            new Machine("east", "node-2", 400, 2, List.of(FindingKind.STRAGGLER)),
            new Machine("east", "node-1", 200, 1, List.of(FindingKind.STRAGGLER)));
  }

  @Test
  void countsOfARunOnlyWhatIsInTheWindow() {
    var began = run("a", -1_000, 1_000).with(its -> its.bill = bill(straggler(100, "node-1")));
    var before = run("b", -100, 0);

    var campaign = Campaign.of(List.of(began, before), NOON, NOON.plusSeconds(5_000));

    assertThat(campaign.runs()).isEqualTo(1);
    assertThat(campaign.gpuSeconds()).isEqualTo(4_000);
    assertThat(campaign.lostGpuSeconds()).isEqualTo(200);
  }

  @Test
  void leavesOutAndCountsRunsWithoutTimes() {
    var campaign =
        lastDays(
            2,
            run("a", 0, 100)
                .with(
                    its -> {
                      its.since = null;
                      its.until = null;
                    }));

    assertThat(campaign.runs()).isZero();
    assertThat(campaign.untimed()).isEqualTo(1);
    assertThat(campaign.goodput()).isNull();
  }

  @Test
  void tellsTheTrendByDaysAndOfLongWindowsByWeeks() {
    long day = 86_400;
    var runs = new RunSummary[] {run("a", 0, day), run("b", 7 * day, 8 * day)};

    assertThat(lastDays(10, runs).trend())
        .hasSizeGreaterThan(8)
        .startsWith(new Period(MONDAY, 2.0 * day, 0, new Goodput(1, 1, 1, 2.0 * day)))
        .contains(new Period(MONDAY.plus(Duration.ofDays(4)), 0, 0, null));
    assertThat(lastDays(30, runs).trend().subList(0, 2))
        .containsExactly(
            new Period(MONDAY, 4.0 * day, 0, new Goodput(1, 1, 1, 4.0 * day)),
            new Period(
                MONDAY.plus(Duration.ofDays(7)), 4.0 * day, 0, new Goodput(1, 1, 1, 4.0 * day)));
  }

  @Test
  void pricesWhatIsLostWhereEveryItemHasAPrice() {
    var priced =
        run("a", 0, 1_000).with(its -> its.bill = bill(item(FindingKind.STRAGGLER, 100, 3.0, "n")));
    var free = run("b", 0, 1_000).with(its -> its.bill = bill(straggler(100, "n")));

    assertThat(lastDays(2, priced).money()).isEqualTo(3.0);
    assertThat(lastDays(2, priced, free).money()).isNull();
  }

  private static Campaign lastDays(int days, RunSummary... runs) {
    return Campaign.of(
        List.of(runs), NOON.minus(Duration.ofDays(1)), NOON.plus(Duration.ofDays(days - 1L)));
  }

  /// Four ranks, from so many seconds after noon on.
  private static RunSummary run(String job, long from, long to) {
    return RunSummary.of(
        new JobKey("east", "training", job),
        "0x1",
        1,
        its -> {
          its.since = NOON.plusSeconds(from);
          its.until = NOON.plusSeconds(to);
          its.nranks = 4;
        });
  }

  private static NotJudged no(String what) {
    return new NotJudged(what, "no line tells");
  }

  private static RunBill bill(Item... items) {
    return new RunBill(1_000, 0, List.of(items), List.of());
  }

  private static RunBill noPrice(FindingKind kind) {
    return new RunBill(1_000, 1_000, List.of(), List.of(new NotBilled(kind, "f", "no price")));
  }

  private static Item straggler(double seconds, String... nodes) {
    return item(FindingKind.STRAGGLER, seconds, null, nodes);
  }

  private static Item late(double seconds, String... nodes) {
    return item(FindingKind.LATE_START, seconds, null, nodes);
  }

  private static Item item(
      FindingKind kind, double seconds, @Nullable Double money, String... nodes) {
    return new Item(
        kind,
        "f",
        List.of(),
        List.of(nodes),
        seconds,
        0.75 * seconds,
        1.25 * seconds,
        4 * seconds,
        money,
        List.of());
  }
}
