package io.ringside.shipper.source.gpu;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Converts the table that `nvidia-smi` prints without arguments, one line at a time, into rows of
/// its CSV: the time above it, and two lines for each GPU (drivers 410 to 590). A GPU with a torn
/// line or without numbers gets no row. Not thread-safe.
///
/// ```text
///   Mon Feb  9 09:00:00 2026
///   | NVIDIA-SMI 570.124.06             Driver Version: 570.124.06     CUDA Version: 12.8     |
///   |   0  NVIDIA H100 80GB HBM3           On  |   00000000:1B:00.0 Off |                    0 |
///   | N/A   65C    P0             616W /  700W |   71200MiB /  81559MiB |    100%      Default |
/// ```
final class SmiTable {
  private static final String TITLE = "| NVIDIA-SMI ";

  private static final Pattern TIME =
      Pattern.compile(
          "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\\w{3} +\\d{1,2} \\d\\d:\\d\\d:\\d\\d \\d{4}) *");

  private static final DateTimeFormatter TOLD =
      DateTimeFormatter.ofPattern("MMM d HH:mm:ss yyyy", Locale.ENGLISH);

  private static final Pattern GPU =
      Pattern.compile(
          "\\| +(\\d{1,3}) +(\\S.{0,60}?) +(?:On|Off|N/A) +\\| +([0-9A-Fa-f]+:[0-9A-Fa-f]+:[0-9A-Fa-f]+\\.\\d)"
              + " +\\S+ \\| +(\\S.{0,20}?) \\| *");

  private static final Pattern VALUES =
      Pattern.compile(
          "\\| ?\\S+ +(\\d+)C +P\\d+ +(\\d+)W */ +(\\d+)W \\| +(\\d+)MiB */ +(\\d+)MiB \\| +(\\d+)% .*");

  private final Map<GpuField, String> told = new EnumMap<>(GpuField.class);
  private String at = "";
  private boolean begun;

  /// Number of tables in a text that have a time.
  static long count(String text) {
    return text.contains(TITLE)
        ? text.lines().filter(line -> TIME.matcher(line).matches()).count()
        : 0;
  }

  /// Takes one line. Returns a GPU's row once this line completes it.
  Optional<String> line(String line) {
    if (line.startsWith(TITLE)) {
      begun = !at.isEmpty();
      return Optional.empty();
    }
    if (!line.startsWith("|")) {
      time(line);
      return Optional.empty();
    }
    if (!begun) {
      return Optional.empty();
    }
    var gpu = GPU.matcher(line);
    if (gpu.matches()) {
      told.clear();
      told.put(GpuField.TIMESTAMP, at);
      told.put(GpuField.INDEX, gpu.group(1));
      told.put(GpuField.NAME, gpu.group(2));
      told.put(GpuField.BUS_ID, gpu.group(3));
      told.put(GpuField.ECC_UNCORRECTED, gpu.group(4));
      return Optional.empty();
    }
    var values = VALUES.matcher(line);
    return values.matches() && !told.isEmpty()
        ? row(
            Map.of(
                GpuField.TEMPERATURE, values.group(1),
                GpuField.POWER, values.group(2),
                GpuField.POWER_LIMIT, values.group(3),
                GpuField.MEMORY_USED, values.group(4),
                GpuField.MEMORY_TOTAL, values.group(5),
                GpuField.UTILIZATION, values.group(6)))
        : Optional.empty();
  }

  private void time(String line) {
    var time = TIME.matcher(line);
    if (time.matches()) {
      begun = false;
      try {
        at =
            SmiQuery.WRITTEN.format(LocalDateTime.parse(time.group(1).replaceAll(" +", " "), TOLD));
      } catch (DateTimeParseException e) {
        at = "";
      }
    }
  }

  private Optional<String> row(Map<GpuField, String> values) {
    told.putAll(values);
    var row = SmiQuery.row(told);
    told.clear();
    return Optional.of(row);
  }
}
