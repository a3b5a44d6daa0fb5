package io.ringside.streams.node;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.LoopEvent;
import io.ringside.streams.parse.scan.Chars;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Rows of metrics that a script prints below a line with their names: `step,loss,sec_per_step`,
/// then `20,3.5696,0.6166`. One name must be that of a step's time; otherwise the rows are of
/// something else. Remembered from chunk to chunk. Owned by one stream thread.
final class MetricRows {
  private static final int LONGEST = 400;
  private static final int MOST_COLUMNS = 40;

  private static final Set<String> STEPS = Set.of("step", "iter", "iteration", "global_step");

  private static final Set<String> SECONDS =
      Set.of(
          "sec_per_step",
          "s_per_step",
          "sec_per_iter",
          "step_time",
          "step_time_s",
          "step_time_sec",
          "time_per_step",
          "iter_time",
          "iter_time_s",
          "time_per_iter");

  private static final Set<String> MILLIS =
      Set.of("ms_per_step", "step_ms", "step_time_ms", "iter_ms", "iter_time_ms", "ms_per_iter");

  /// Columns of the step and of its time in a row, and the number of columns; 0 if no line with
  /// names was seen.
  private int step;

  private int time;
  private int columns;
  private boolean millis;

  /// The step that this line states. The line belongs to no known family.
  Optional<LoopEvent> line(Text text, int start, int end) {
    if (start >= end || end - start > LONGEST) {
      return Optional.empty();
    }
    var first = text.charAt(start);
    if (Chars.isDigit(first)) {
      return columns == 0 ? Optional.empty() : row(text.substring(start, end));
    }
    if (Chars.isLetter(first) && Chars.find(text, start, end, ',') > 0) {
      names(text.substring(start, end));
    }
    return Optional.empty();
  }

  private void names(String line) {
    var names = List.of(line.strip().toLowerCase(Locale.ROOT).split(",", MOST_COLUMNS + 1));
    int itsStep = place(names, STEPS);
    int inSeconds = place(names, SECONDS);
    int inMillis = place(names, MILLIS);
    if (names.size() <= MOST_COLUMNS && itsStep >= 0 && (inSeconds >= 0 || inMillis >= 0)) {
      step = itsStep;
      time = inSeconds >= 0 ? inSeconds : inMillis;
      millis = inSeconds < 0;
      columns = names.size();
    } else if (names.size() == columns) {
      columns = 0; // rows that follow may be of another table
    }
  }

  private static int place(List<String> names, Set<String> of) {
    for (int at = 0; at < names.size(); at++) {
      if (of.contains(names.get(at).strip())) {
        return at;
      }
    }
    return -1;
  }

  private Optional<LoopEvent> row(String line) {
    var values = line.strip().split(",", -1);
    if (values.length != columns) {
      return Optional.empty();
    }
    try {
      long count = Long.parseLong(values[step].strip());
      double each = Double.parseDouble(values[time].strip()) / (millis ? 1000 : 1);
      return count >= 0 && each > 0 && each < Double.POSITIVE_INFINITY
          ? Optional.of(new LoopEvent.Step(count, each))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
