package io.ringside.standalone.report;

import static io.ringside.standalone.report.ColouredText.dim;
import static io.ringside.standalone.report.ColouredText.plain;
import static io.ringside.standalone.report.ColouredText.strong;
import static java.util.Comparator.comparingDouble;
import static java.util.Comparator.comparingInt;

import io.ringside.schemas.event.RunSummary.RankWait;
import io.ringside.schemas.event.RunSummary.Waits;
import java.util.List;
import java.util.Map;

/// Shows which ranks waited in the rounds of collectives, and for which rank: one bar per rank.
record WaitSection(Page page) {
  /// With more ranks than this, only the most significant ones are shown.
  private static final int MOST_RANKS = 16;

  private static final int WIDE = 96;
  private static final int BAR = 24;
  private static final Map<String, String> BASES =
      Map.of(
          "container", "times of the container runtime",
          "nccl", "times of NCCL itself",
          "read", "times of reading");

  void write(Waits waits) {
    if (waits.rounds() == 0 && waits.ranks().isEmpty()) {
      return;
    }
    page.blank();
    page.paragraph(2, 4, strong("Waits  "), dim(overview(waits)));
    double most = waits.ranks().stream().mapToDouble(RankWait::waitSeconds).max().orElse(0);
    var shown = shown(waits.ranks());
    int blamed = blamed(shown);
    for (RankWait rank : shown) {
      rank(rank, most, rank.rank() == blamed);
    }
    if (shown.size() < waits.ranks().size()) {
      page.line(
          4, dim("… and " + Figures.count(waits.ranks().size() - shown.size(), "rank") + " more"));
    }
  }

  private static String overview(Waits waits) {
    var rounds = Figures.count(waits.rounds(), "round");
    var basis = BASES.get(waits.basis());
    if (basis == null) {
      return rounds + " seen, not judged: the lines' times do not tell who came when";
    }
    var late =
        waits.lateRounds() == 0
            ? "nobody waited for long in " + rounds
            : "%s lost in %s of %s"
                .formatted(
                    Figures.seconds(waits.lostSeconds()),
                    Figures.count(waits.lateRounds(), "late round"),
                    Figures.count(waits.rounds()));
    var leftOut =
        waits.leftOut() == 0
            ? ""
            : ", with an estimate for %s more".formatted(Figures.count(waits.leftOut()));
    return late + leftOut + " · " + basis;
  }

  /// All ranks, or if there are many, those blamed most and those that waited most.
  private static List<RankWait> shown(List<RankWait> ranks) {
    if (ranks.size() <= MOST_RANKS) {
      return ranks.stream().sorted(comparingInt(RankWait::rank)).toList();
    }
    return ranks.stream()
        .sorted(
            comparingDouble(RankWait::blamedSeconds)
                .thenComparingDouble(RankWait::waitSeconds)
                .reversed())
        .limit(MOST_RANKS)
        .sorted(comparingInt(RankWait::rank))
        .toList();
  }

  /// The rank with more than half of the blame, or -1.
  private static int blamed(List<RankWait> ranks) {
    double sum = ranks.stream().mapToDouble(RankWait::blamedSeconds).sum();
    return ranks.stream()
        .filter(rank -> rank.blamedSeconds() > 0 && rank.blamedSeconds() > sum / 2)
        .mapToInt(RankWait::rank)
        .findFirst()
        .orElse(-1);
  }

  private void rank(RankWait rank, double most, boolean blamed) {
    var bar = TextBar.of(most > 0 ? rank.waitSeconds() / most : 0, BAR, page.screen().blocks());
    var waited = Figures.right(Figures.seconds(rank.waitSeconds()), 12);
    var name = "rank " + Figures.right(Integer.toString(rank.rank()), 4) + "  ";
    page.line(
        4,
        new ColouredText(name, blamed ? AnsiColour.STRONG : AnsiColour.PLAIN),
        new ColouredText(bar, AnsiColour.NOTE),
        plain(waited),
        blamed
            ? new ColouredText("  ◀ " + blame(rank, page.screen().width()), AnsiColour.WARN)
            : dim(""));
  }

  /// The cost is left out on a narrow terminal, since the finding contains it as well.
  private static String blame(RankWait rank, int width) {
    var last = "last in " + Figures.count(rank.lastRounds(), "round");
    return width < WIDE ? last : last + ", costing " + Figures.seconds(rank.blamedSeconds());
  }
}
