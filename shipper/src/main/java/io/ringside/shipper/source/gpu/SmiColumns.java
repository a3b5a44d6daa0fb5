package io.ringside.shipper.source.gpu;

import java.util.Arrays;

/// The index of each field's column, by the field's ordinal; -1 if there is no such column.
///
/// @param cells number of cells in a row
record SmiColumns(int[] byField, int cells) {
  /// Name of the time column, without which a line is no header.
  private static final String TIME = GpuField.TIMESTAMP.names.getFirst();

  /// Whether the line can be a header. Must be fast, since it is called for every row.
  static boolean mayBe(String line) {
    for (int i = line.length() - TIME.length(); i >= 0; i--) {
      if ((line.charAt(i) | 0x20) == 't' && line.regionMatches(true, i, TIME, 0, TIME.length())) {
        return true;
      }
    }
    return false;
  }

  static SmiColumns of(String header) {
    var columns = new int[GpuField.values().length];
    Arrays.fill(columns, -1);
    String[] names = header.split(",", -1);
    for (int i = names.length - 1; i >= 0; i--) {
      int column = i;
      GpuField.ofColumn(names[i]).ifPresent(field -> columns[field.ordinal()] = column);
    }
    return new SmiColumns(columns, names.length);
  }

  /// Whether the columns contain a time and identify the GPU.
  boolean tellGpus() {
    return has(GpuField.TIMESTAMP)
        && (has(GpuField.INDEX) || has(GpuField.BUS_ID) || has(GpuField.UUID));
  }

  /// Whether the columns identify the GPU but have no time, and have enough other fields of
  /// nvidia-smi.
  boolean tellGpusWithoutTime() {
    return !has(GpuField.TIMESTAMP)
        && (has(GpuField.INDEX) || has(GpuField.BUS_ID) || has(GpuField.UUID))
        && GpuField.MEASURED.stream().filter(this::has).count() >= 2;
  }

  boolean has(GpuField field) {
    return byField[field.ordinal()] >= 0;
  }
}
