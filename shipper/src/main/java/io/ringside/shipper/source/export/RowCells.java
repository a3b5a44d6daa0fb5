package io.ringside.shipper.source.export;

import java.util.ArrayList;
import java.util.List;

/// Fits the cells of a row to its columns when the message contains the separator.
final class RowCells {
  private RowCells() {}

  /// The cells merged to as many as there are columns: surplus cells belong to the message.
  static List<String> fitted(List<String> cells, Columns columns, String mark) {
    int more = cells.size() - columns.size();
    if (more <= 0) {
      return cells;
    }
    int at = columns.message();
    var fitted = new ArrayList<>(cells.subList(0, at));
    fitted.add(String.join(mark, cells.subList(at, at + more + 1)));
    fitted.addAll(cells.subList(at + more + 1, cells.size()));
    return fitted;
  }
}
