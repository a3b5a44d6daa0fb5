package io.ringside.shipper.source.export;

import java.util.ArrayList;
import java.util.List;

/// Cells of a row whose message may hold what parts them.
final class Cells {
  private Cells() {}

  /// As many cells as there are columns: what is too much belongs to the message.
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
