package io.ringside.standalone.report;

import static io.ringside.standalone.report.ColouredText.dim;
import static io.ringside.standalone.report.ColouredText.plain;
import static io.ringside.standalone.report.ColouredText.strong;

import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.ledger.campaign.Campaign;
import io.ringside.streams.ledger.campaign.Campaign.Cause;
import io.ringside.streams.ledger.campaign.Campaign.Machine;
import io.ringside.streams.ledger.price.LearnedPrice;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A report on many runs: a few sentences and tables, written as text or as Markdown.
///
/// @param title goodput, in one sentence
/// @param notes sentences below the title
record CampaignReport(String title, List<String> notes, List<Table> tables) {
  private static final int BAR = 20;
  private static final int NAME = 30;
  private static final int FIGURE = 20;

  /// Below this many GPU-seconds in total, all times are in seconds, else in hours.
  private static final double HOURS = 7_200;

  /// Rows under a heading.
  record Table(String head, List<Row> rows) {}

  /// @param share filled share of the bar, 0 to 1
  record Row(String name, double share, String figure, String note, AnsiColour ink) {}

  static CampaignReport of(Campaign campaign) {
    var tables = new ArrayList<Table>();
    if (campaign.runs() > 0) {
      tables.add(new Table("Where the GPU-hours went", hours(campaign)));
    }
    if (!campaign.machines().isEmpty()) {
      tables.add(new Table("Machines that cost most", machines(campaign)));
    }
    if (campaign.trend().size() > 1) {
      var first = campaign.trend().get(0).since();
      var second = campaign.trend().get(1).since();
      boolean days = Duration.between(first, second).toDays() <= 1;
      tables.add(new Table(days ? "Goodput by day" : "Goodput by week", trend(campaign)));
    }
    if (!campaign.prices().isEmpty()) {
      tables.add(new Table("What transports cost, by pairs of runs", prices(campaign.prices())));
    }
    return new CampaignReport(title(campaign), notes(campaign), tables);
  }

  private static String title(Campaign campaign) {
    var goodput = campaign.goodput();
    if (goodput == null) {
      return campaign.runs() == 0 ? "No run of this time is known" : "Goodput is not known";
    }
    return "Goodput %s of %s whose worth is known (%s to %s)"
        .formatted(
            percent(goodput.share()),
            time(goodput.gpuSeconds(), campaign.gpuSeconds()),
            percent(goodput.low()),
            percent(goodput.high()));
  }

  private static List<String> notes(Campaign campaign) {
    var notes = new ArrayList<String>();
    double all = campaign.gpuSeconds();
    notes.add(
        "%s: %s of %s, %s"
            .formatted(
                Figures.span(campaign.since(), campaign.until()),
                Figures.count(campaign.runs(), "run"),
                Figures.count(campaign.jobs(), "job"),
                time(all, all)));
    if (campaign.failed().runs() > 0) {
      notes.add(
          "%s of %s failed; no line tells how much of their work was kept"
              .formatted(
                  Figures.count(campaign.failed().runs(), "run"),
                  time(campaign.failed().gpuSeconds(), all)));
    }
    if (campaign.untimed() > 0) {
      notes.add(
          "left out: %s whose lines tell no time or no rank"
              .formatted(Figures.count(campaign.untimed(), "run")));
    }
    return notes;
  }

  private static List<Row> hours(Campaign campaign) {
    var rows = new ArrayList<Row>();
    double all = campaign.gpuSeconds();
    rows.add(row("productive training", campaign.goodGpuSeconds(), all, all, "", AnsiColour.PLAIN));
    for (var cause : campaign.causes()) {
      rows.add(
          row(
              cause.cause().label(),
              cause.gpuSeconds(),
              all,
              all,
              note(cause, all),
              AnsiColour.WARN));
    }
    for (var each : campaign.unpriced()) {
      var note = "in %s, no price known".formatted(Figures.count(each.runs(), "run"));
      rows.add(row(each.what(), each.gpuSeconds(), all, all, note, AnsiColour.NOTE));
    }
    var blind = campaign.notJudged();
    if (blind.runs() > 0) {
      var note = "%s without waits or steps".formatted(Figures.count(blind.runs(), "run"));
      rows.add(row("not judged", blind.gpuSeconds(), all, all, note, AnsiColour.DIM));
    }
    return rows;
  }

  /// `in 3 runs (61.0 to 66.2 GPU-hours), 122.40 at your price`.
  private static String note(Cause cause, double all) {
    return "in %s (%s to %s)%s"
        .formatted(
            Figures.count(cause.runs(), "run"),
            number(cause.lowGpuSeconds(), all),
            number(cause.highGpuSeconds(), all),
            money(cause.money()));
  }

  private static String money(@Nullable Double money) {
    return money == null ? "" : String.format(Locale.ROOT, ", %,.2f at your price", money);
  }

  private static List<Row> machines(Campaign campaign) {
    double all = campaign.gpuSeconds();
    double most = campaign.machines().getFirst().gpuSeconds();
    return campaign.machines().stream()
        .map(
            machine ->
                row(name(machine), machine.gpuSeconds(), most, all, note(machine), AnsiColour.WARN))
        .toList();
  }

  private static String name(Machine machine) {
    return machine.cluster().isEmpty()
        ? machine.node()
        : machine.node() + " (" + machine.cluster() + ")";
  }

  private static String note(Machine machine) {
    return "in %s: %s"
        .formatted(
            Figures.count(machine.runs(), "run"),
            machine.causes().stream().map(FindingKind::label).collect(Collectors.joining(", ")));
  }

  private static List<Row> trend(Campaign campaign) {
    return campaign.trend().stream()
        .map(
            period -> {
              var goodput = period.goodput();
              return new Row(
                  period.since().atOffset(ZoneOffset.UTC).toLocalDate().toString(),
                  goodput == null ? 0 : goodput.share(),
                  goodput == null ? "not known" : percent(goodput.share()),
                  time(period.gpuSeconds(), campaign.gpuSeconds()),
                  AnsiColour.PLAIN);
            })
        .toList();
  }

  private static List<Row> prices(List<LearnedPrice> prices) {
    double most = prices.stream().mapToDouble(LearnedPrice::ratio).max().orElse(1);
    return prices.stream()
        .map(
            price ->
                new Row(
                    price.kind().label() + ", " + price.machine(),
                    price.ratio() / most,
                    String.format(Locale.ROOT, "%.2f times", price.ratio()),
                    note(price),
                    AnsiColour.PLAIN))
        .toList();
  }

  /// `1.95 to 2.13, 2 pairs of 1 job`.
  private static String note(LearnedPrice price) {
    return (price.low() == null || price.high() == null
            ? ""
            : String.format(Locale.ROOT, "%.2f to %.2f, ", price.low(), price.high()))
        + "%s of %s"
            .formatted(Figures.count(price.pairs(), "pair"), Figures.count(price.jobs(), "job"));
  }

  /// @param whole value of a full bar
  /// @param all the campaign's total, which determines the unit
  private static Row row(
      String name, double part, double whole, double all, String note, AnsiColour ink) {
    return new Row(name, whole > 0 ? part / whole : 0, time(part, all), note, ink);
  }

  private static String time(double gpuSeconds, double all) {
    return number(gpuSeconds, all) + (all < HOURS ? " GPU-seconds" : " GPU-hours");
  }

  private static String number(double gpuSeconds, double all) {
    return all < HOURS
        ? String.format(Locale.ROOT, "%,.0f", gpuSeconds)
        : String.format(Locale.ROOT, "%,.1f", gpuSeconds / 3600);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  List<String> text(Screen screen) {
    var page = new Page(screen);
    page.paragraph(0, 2, strong(title));
    notes.forEach(note -> page.paragraph(2, 4, dim(note)));
    for (var table : tables) {
      page.blank();
      page.line(2, strong(table.head()));
      for (var row : table.rows()) {
        page.paragraph(
            4,
            6,
            plain(Figures.left(Figures.cut(row.name(), NAME - 2), NAME)),
            new ColouredText(TextBar.of(row.share(), BAR, screen.blocks()), row.ink()),
            plain(Figures.right(row.figure(), FIGURE)),
            dim(row.note().isEmpty() ? "" : "  " + row.note()));
      }
    }
    return page.lines();
  }

  List<String> markdown() {
    var lines = new ArrayList<String>();
    lines.add("### " + ReportMarkdown.escaped(title));
    lines.add("");
    notes.forEach(note -> lines.add("- " + ReportMarkdown.escaped(note)));
    for (var table : tables) {
      lines.addAll(List.of("", "| " + table.head() + " | | |", "|---|---:|---|"));
      for (var row : table.rows()) {
        lines.add(
            "| %s | %s | %s |"
                .formatted(
                    ReportMarkdown.escaped(row.name()),
                    row.figure(),
                    ReportMarkdown.escaped(row.note())));
      }
    }
    return lines;
  }
}
