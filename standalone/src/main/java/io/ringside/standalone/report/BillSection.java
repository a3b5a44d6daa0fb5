package io.ringside.standalone.report;

import static io.ringside.standalone.report.ColouredText.dim;
import static io.ringside.standalone.report.ColouredText.plain;
import static io.ringside.standalone.report.ColouredText.strong;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunBill.Ahead;
import io.ringside.schemas.event.RunBill.Item;
import io.ringside.streams.examine.RankText;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Shows what a run's faults cost as a waterfall: the time that the run would have taken, what each
/// fault added, and the time that it took.
record BillSection(Page page) {
  /// Faults that end a run, which would not have ended sooner without them.
  private static final Set<FindingKind> HELD =
      EnumSet.of(FindingKind.HANG, FindingKind.JOB_FAILED, FindingKind.GPU_ERROR);

  private static final int HOURS = 24;
  private static final int BAR = 24;
  private static final int NAME = 26;
  private static final int TIME = 12;

  void write(@Nullable RunBill bill) {
    if (bill == null
        || bill.items().isEmpty() && bill.notBilled().isEmpty() && bill.ahead().isEmpty()) {
      return;
    }
    page.blank();
    page.paragraph(2, 4, strong("Bill  "), dim(overview(bill)));
    if (!bill.items().isEmpty() && bill.seconds() > 0) {
      waterfall(bill);
    }
    bill.items().forEach(item -> page.paragraph(4, 6, plain(sentence(item))));
    bill.ahead().forEach(ahead -> page.paragraph(4, 6, plain(ahead(ahead))));
    for (var each : bill.notBilled()) {
      page.paragraph(
          4, 6, dim("not billed: %s, %s".formatted(each.cause().label(), each.because())));
    }
  }

  /// `12.0 s of 29.0 s lost, 96 GPU-seconds of all GPUs`.
  private static String overview(RunBill bill) {
    if (bill.items().isEmpty()) {
      return "the cost of what was found is not known";
    }
    double lost = bill.items().stream().mapToDouble(Item::seconds).sum();
    double gpus = bill.items().stream().mapToDouble(Item::gpuSeconds).sum();
    var of = bill.seconds() > 0 ? " of " + Figures.seconds(bill.seconds()) : "";
    return Figures.seconds(lost)
        + of
        + " lost, "
        + CostWords.gpuTime(gpus)
        + " of all GPUs"
        + money(bill.items());
  }

  /// The total price; empty unless all items have a price.
  private static String money(List<Item> items) {
    double sum = 0;
    for (var item : items) {
      var price = item.money();
      if (price == null) {
        return "";
      }
      sum += price;
    }
    return money(sum);
  }

  private static String money(double amount) {
    return String.format(Locale.ROOT, ", %,.2f at your price", amount);
  }

  private void waterfall(RunBill bill) {
    row("without all of it", 0, bill.idealSeconds(), bill.seconds(), AnsiColour.PLAIN);
    double at = bill.idealSeconds();
    for (var item : bill.items()) {
      row("+ " + name(item), at, item.seconds(), bill.seconds(), AnsiColour.WARN);
      at += item.seconds();
    }
    row("= as it was", 0, bill.seconds(), bill.seconds(), AnsiColour.PLAIN);
  }

  private void row(String name, double from, double seconds, double all, AnsiColour ink) {
    boolean blocks = page.screen().blocks();
    int before = Math.min(BAR - 1, (int) Math.round(Math.clamp(from / all, 0, 1) * BAR));
    int left = BAR - before;
    var bar = TextBar.of(seconds / all * BAR / left, left, blocks);
    page.line(
        4,
        plain(Figures.left(Figures.cut(name, NAME - 2), NAME)),
        plain(" ".repeat(before)),
        new ColouredText(bar, ink),
        plain(Figures.right(Figures.seconds(seconds), TIME)));
  }

  private static String name(Item item) {
    return item.ranks().isEmpty()
        ? item.cause().label()
        : item.cause().label() + ", " + RankText.words(item.ranks());
  }

  /// `without rank 6 this run ends 12.0 s sooner (11.2 s to 12.8 s)`.
  static String sentence(Item item) {
    if (HELD.contains(item.cause())) {
      return "no rank made progress for " + Figures.seconds(item.seconds());
    }
    var sentence =
        "without %s this run ends %s sooner (%s to %s)"
            .formatted(
                who(item.cause(), item.ranks()),
                Figures.seconds(item.seconds()),
                Figures.seconds(item.lowSeconds()),
                Figures.seconds(item.highSeconds()));
    var alone = new ArrayList<String>();
    item.without().stream()
        .filter(each -> each.seconds() > 0)
        .forEach(
            each ->
                alone.add(
                    "without rank %d alone %s"
                        .formatted(each.rank(), Figures.seconds(each.seconds()))));
    return alone.isEmpty() ? sentence : sentence + "; " + String.join(", ", alone);
  }

  /// `if nobody acts, rank 6 takes 37 % of the time (35 to 39 %): 2.4 GPU-hours an hour, 58
  /// GPU-hours a day, as in the last 12 min`.
  private static String ahead(Ahead ahead) {
    double day = HOURS * ahead.gpuSecondsPerHour();
    return "if nobody acts, %s %s of the time%s: %s an hour, %s a day%s; %s"
        .formatted(
            who(ahead.cause(), ahead.ranks()),
            verb(ahead.cause(), ahead.ranks()) + " " + percent(ahead.share()) + " %",
            interval(ahead),
            CostWords.gpuTime(ahead.gpuSecondsPerHour()),
            CostWords.gpuTime(day),
            ahead.moneyPerHour() == null ? "" : money(HOURS * ahead.moneyPerHour()),
            ahead.basis());
  }

  private static String verb(FindingKind cause, List<Integer> ranks) {
    return switch (cause) {
      case BARRIER_WAIT, STEP_REGRESSION -> "take";
      case STRAGGLER -> ranks.size() == 1 ? "takes" : "take";
      default -> "takes";
    };
  }

  private static String interval(Ahead ahead) {
    return ahead.lowShare() == ahead.highShare()
        ? ""
        : " (%s to %s %%)".formatted(percent(ahead.lowShare()), percent(ahead.highShare()));
  }

  /// `37`, `0.4`.
  private static String percent(double share) {
    return String.format(Locale.ROOT, share < 0.0095 ? "%.1f" : "%.0f", 100 * share);
  }

  private static String who(FindingKind cause, List<Integer> ranks) {
    return switch (cause) {
      case STRAGGLER -> RankText.words(ranks);
      case LATE_START -> "the late start of " + RankText.words(ranks);
      case BARRIER_WAIT -> "waits that move from rank to rank";
      case STEP_REGRESSION -> "the slower steps";
      case HANG -> "the hang";
      default -> cause.label();
    };
  }
}
