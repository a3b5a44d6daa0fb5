package io.ringside.standalone.report;

import static io.ringside.standalone.report.ColouredText.dim;
import static io.ringside.standalone.report.ColouredText.plain;
import static io.ringside.standalone.report.ColouredText.strong;

import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.ledger.Comparison;
import io.ringside.streams.ledger.Comparison.Change;
import java.util.List;

/// Shows the differences between a job's runs, each compared to the previous one.
record DifferenceSection(Page page) {
  private static final int LONGEST = 40;

  /// @param runs sorted by attempt
  void write(List<RunSummary> runs) {
    if (runs.size() < 2) {
      return;
    }
    page.blank();
    page.line(2, strong("Difference"));
    for (int later = 1; later < runs.size(); later++) {
      var before = runs.get(later - 1);
      var after = runs.get(later);
      write(before, after, Comparison.of(before, after));
    }
  }

  private void write(RunSummary before, RunSummary after, Comparison comparison) {
    var ratio = comparison.stepRatio();
    page.line(
        4,
        plain("run %d to run %d".formatted(before.attempt(), after.attempt())),
        dim(
            comparison.changes().isEmpty()
                ? "  nothing differs that the logs show"
                : ratio == null ? "" : "  a step takes %.2f times as long".formatted(ratio)));
    int width =
        comparison.changes().stream().mapToInt(change -> change.what().length()).max().orElse(0);
    for (var change : comparison.changes()) {
      page.wrapped(
          6,
          10 + Math.min(width, LONGEST),
          3,
          mark(change).span(),
          plain(Figures.left(Figures.cut(change.what(), LONGEST), Math.min(width, LONGEST)) + "  "),
          dim(shown(change.before()) + " → "),
          strong(shown(change.after())));
    }
  }

  private static SeverityMark mark(Change change) {
    return switch (change.effect()) {
      case WORSE -> SeverityMark.of(Severity.WARNING);
      case BETTER -> SeverityMark.HEALTHY;
      case OTHER -> SeverityMark.of(Severity.INFO);
    };
  }

  private static String shown(String value) {
    return value.isEmpty() ? "not set" : value;
  }
}
