package io.ringside.shipper.source.gpu;

import java.util.Arrays;

/// Which column holds a field, by ordinal, -1 where none does.
///
/// @param cells of a row
record SmiColumns(int[] byField, int cells) {
  /// What the column of the time is called, without which no line is a header.
  private static final String TIME = GpuField.TIMESTAMP.names.getFirst();

  /// Whether the line can be a header: quickly, for every row is asked.
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

  /// Whether they tell when, and of which GPU.
  boolean tellGpus() {
    return has(GpuField.TIMESTAMP)
        && (has(GpuField.INDEX) || has(GpuField.BUS_ID) || has(GpuField.UUID));
  }

  /// Whether they tell of which GPU, not when, and enough for a table of nvidia-smi.
  boolean tellGpusWithoutTime() {
    return !has(GpuField.TIMESTAMP)
        && (has(GpuField.INDEX) || has(GpuField.BUS_ID) || has(GpuField.UUID))
        && GpuField.MEASURED.stream().filter(this::has).count() >= 2;
  }

  boolean has(GpuField field) {
    return byField[field.ordinal()] >= 0;
  }
}
