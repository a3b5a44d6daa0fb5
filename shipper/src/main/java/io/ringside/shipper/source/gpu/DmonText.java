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

/// Converts `nvidia-smi dmon`, one line at a time, into rows of nvidia-smi's CSV. The input is a
/// table in text columns, or has the form of `--format csv`. Its head row is repeated every few
/// rows, with a row of units below it; only `-o DT` adds times. Power limit violations (`pviol`)
/// are left out, since full load reaches the limit. Not thread-safe.
final class DmonText {
  private static final Pattern BETWEEN = Pattern.compile("[,\\s]+");
  private static final Pattern CELL = Pattern.compile("-|-?\\d+(?:\\.\\d+)?|\\d\\d:\\d\\d:\\d\\d");

  private static final String TIME = GpuField.TIMESTAMP.names.getFirst();
  private static final String HOT = GpuField.SW_THERMAL.names.getFirst();

  /// For `tviol` the driver does not say whether software or hardware slowed the clock, so the
  /// milder field is used.
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

  /// Columns by which dmon differs from other tables of this form.
  private static final Set<String> OWN = Set.of("gtemp", "pclk", "tviol", "pviol", "rxpci", "mclk");

  private List<String> columns = List.of();
  private @Nullable String header;

  /// Whether the line is the table's head row.
  static boolean recognises(String line) {
    if (!line.startsWith("#")) {
      return false;
    }
    var names = names(line);
    return names.contains("gpu") && names.stream().anyMatch(OWN::contains);
  }

  /// Whether a text with this beginning contains only such a table.
  static boolean alone(String beginning) {
    var lines = beginning.lines().filter(line -> !line.isBlank()).toList();
    return recognises(lines.getFirst())
        // the last line may be cut
        && lines.subList(1, Math.max(1, lines.size() - 1)).stream()
            .allMatch(line -> line.startsWith("#") || isRow(line));
  }

  private static boolean isRow(String line) {
    return Arrays.stream(BETWEEN.split(line.strip()))
        .allMatch(cell -> CELL.matcher(cell).matches());
  }

  /// The line in CSV form, as a header or a row; empty if it is neither.
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

  /// Whether the table has both date and time.
  private boolean timed() {
    return columns.contains("date") && columns.contains("time");
  }

  private static List<String> names(String line) {
    return BETWEEN
        .splitAsStream(line.substring(1).strip().toLowerCase(Locale.ROOT))
        .collect(Collectors.toList());
  }
}
