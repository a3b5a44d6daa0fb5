package io.ringside.shipper.source.gpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// `nvidia-smi dmon`, a line at a time, as rows of nvidia-smi's CSV: a table in columns of text, or
/// with `--format csv`. Its head comes again every few rows, with the units below it; times are
/// there with `-o DT` alone. Of the violations those of the power limit are left out: full load
/// reaches it. Not thread-safe.
final class DmonText {
  private static final Pattern BETWEEN = Pattern.compile("[,\\s]+");
  private static final Pattern CELL = Pattern.compile("-|-?\\d+(?:\\.\\d+)?|\\d\\d:\\d\\d:\\d\\d");

  private static final String TIME = GpuField.TIMESTAMP.names.getFirst();
  private static final String HOT = GpuField.SW_THERMAL.names.getFirst();

  /// Of `tviol` the driver does not say whether it or the hardware held the clock down: the milder
  /// is told.
  private static final Map<String, String> FIELDS =
      Map.of(
          "gpu", GpuField.INDEX.names.getFirst(),
          "pwr", GpuField.POWER.names.getFirst(),
          "gtemp", GpuField.TEMPERATURE.names.getFirst(),
          "temp", GpuField.TEMPERATURE.names.getFirst(),
          "sm", GpuField.UTILIZATION.names.getFirst(),
          "pclk", GpuField.SM_CLOCK.names.getFirst(),
          "fb", GpuField.MEMORY_USED.names.getFirst(),
          "tviol", HOT);

  /// Columns that other tables in such a form do not have.
  private static final Set<String> OWN = Set.of("gtemp", "pclk", "tviol", "pviol", "rxpci", "mclk");

  private List<String> columns = List.of();
  private @Nullable String header;

  /// Whether the line is the table's head.
  static boolean recognises(String line) {
    if (!line.startsWith("#")) {
      return false;
    }
    var names = names(line);
    return names.contains("gpu") && names.stream().anyMatch(OWN::contains);
  }

  /// Whether a text with this beginning is nothing but such a table.
  static boolean alone(String beginning) {
    var lines = beginning.lines().filter(line -> !line.isBlank()).toList();
    return recognises(lines.getFirst())
        // the last one may be cut
        && lines.subList(1, Math.max(1, lines.size() - 1)).stream()
            .allMatch(line -> line.startsWith("#") || isRow(line));
  }

  private static boolean isRow(String line) {
    return Arrays.stream(BETWEEN.split(line.strip()))
        .allMatch(cell -> CELL.matcher(cell).matches());
  }

  /// The line as the CSV has it, a head or a row; empty if it is neither.
  Optional<String> line(String line) {
    if (recognises(line)) {
      columns = names(line);
      var next = String.join(", ", header());
      boolean again = next.equals(header);
      header = next;
      return again ? Optional.empty() : Optional.of(next);
    }
    var cells = BETWEEN.split(line.strip());
    return line.startsWith("#") || cells.length != columns.size() || !isRow(line)
        ? Optional.empty()
        : Optional.of(row(cells));
  }

  private List<String> header() {
    var names = new ArrayList<String>();
    if (timed()) {
      names.add(TIME);
    }
    columns.stream().filter(FIELDS::containsKey).map(FIELDS::get).forEach(names::add);
    return names;
  }

  private String row(String[] cells) {
    var row = new ArrayList<String>();
    if (timed()) {
      var date = cells[columns.indexOf("date")];
      row.add(
          date.length() == 8
              ? "%s/%s/%s %s.000"
                  .formatted(
                      date.substring(0, 4),
                      date.substring(4, 6),
                      date.substring(6),
                      cells[columns.indexOf("time")])
              : "N/A");
    }
    for (int at = 0; at < cells.length; at++) {
      var field = FIELDS.get(columns.get(at));
      if (field != null) {
        row.add(cell(field, cells[at]));
      }
    }
    return String.join(", ", row);
  }

  private static String cell(String field, String value) {
    if (value.equals("-")) {
      return "N/A";
    }
    return !field.equals(HOT) ? value : value.equals("0") ? "Not Active" : "Active";
  }

  /// Whether it tells the day as well.
  private boolean timed() {
    return columns.contains("date") && columns.contains("time");
  }

  private static List<String> names(String line) {
    return BETWEEN
        .splitAsStream(line.substring(1).strip().toLowerCase(Locale.ROOT))
        .collect(Collectors.toList());
  }
}
