package io.ringside.standalone.report;

import io.ringside.schemas.event.LateStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Draws one collective to which a straggler came late, one row per rank: a mark at its arrival and
/// a line as long as its wait.
///
/// @param blocks whether to draw with block characters
record LateStepRows(LateStep step, boolean blocks) {
  /// Columns from the first rank's arrival to the last one's.
  private static final int COLUMNS = 24;

  /// @param name such as `rank 2`
  /// @param says how long it waited, or how late it was
  record Row(String name, String drawn, boolean late, String says) {
    String text() {
      return name + "  " + drawn + "  " + says;
    }
  }

  /// `ReduceScatter at 20:42:34.929`.
  String title() {
    return "%s at %s"
        .formatted(
            Objects.requireNonNullElse(step.operation(), "a collective"),
            Figures.milli(step.since()));
  }

  List<Row> rows() {
    int width =
        step.calls().stream()
            .mapToInt(call -> Integer.toString(call.rank()).length())
            .max()
            .orElse(1);
    double end = step.end();
    double late = end - step.lateSeconds();
    var rows = new ArrayList<Row>();
    for (var call : step.calls()) {
      int at = end > 0 ? (int) Math.round(COLUMNS * call.seconds() / end) : 0;
      rows.add(
          new Row(
              "rank " + Figures.right(Integer.toString(call.rank()), width),
              " ".repeat(at) + (blocks ? "●" : "*") + (blocks ? "─" : "-").repeat(COLUMNS - at),
              call.late(),
              call.late()
                  ? (blocks ? "◀ " : "< ") + Figures.seconds(call.seconds() - late) + " late"
                  : "waits " + Figures.seconds(end - call.seconds())));
    }
    return rows;
  }

  /// Describes which ranks are shown, empty if all are.
  String leftOut() {
    int shown = step.calls().size();
    return shown >= step.ranks()
        ? ""
        : "%d of %s: the first, the median, the last and the late"
            .formatted(shown, Figures.count(step.ranks(), "rank"));
  }
}
