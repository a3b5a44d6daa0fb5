package io.ringside.shipper.source.gpu;

import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.PcieLink;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// One line of nvidia-smi's CSV, with access to its cells by field. Cells are parsed in place: a
/// day of one node has a million rows, and making a string of every cell took longer than
/// everything else.
///
/// @param commas offsets at which the cells end
record SmiRow(SmiColumns columns, String line, int[] commas, KnownValues known) {
  /// `2026/11/20 20:27:26.054`, in the node's time zone.
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss.SSS", Locale.ROOT);

  private static final int TIMESTAMP_LENGTH = 23;

  /// Bits of `clocks_event_reasons.active` (nvml.h).
  private static final Map<GpuField, Long> REASONS =
      Map.of(
          GpuField.SW_POWER_CAP, 0x4L,
          GpuField.HW_SLOWDOWN, 0x8L,
          GpuField.SW_THERMAL, 0x20L,
          GpuField.HW_THERMAL, 0x40L,
          GpuField.POWER_BRAKE, 0x80L);

  /// Numbers with up to this many digits and the power of ten below them are exact as doubles, so
  /// their quotient is rounded correctly.
  private static final int EXACT_DIGITS = 15;

  private static final double[] POWERS_OF_TEN = new double[EXACT_DIGITS + 1];

  static {
    double power = 1;
    for (int i = 0; i <= EXACT_DIGITS; i++) {
      POWERS_OF_TEN[i] = power;
      power *= 10;
    }
  }

  static SmiRow of(SmiColumns columns, String line, KnownValues known) {
    var commas = new int[24];
    int cells = 0;
    for (int at = line.indexOf(','); at >= 0; at = line.indexOf(',', at + 1)) {
      if (cells + 1 == commas.length) {
        commas = Arrays.copyOf(commas, 2 * commas.length);
      }
      commas[cells++] = at;
    }
    commas[cells++] = line.length();
    return new SmiRow(columns, line, Arrays.copyOf(commas, cells), known);
  }

  /// When the row was written, null if unknown.
  @Nullable LocalDateTime time() {
    int from = from(GpuField.TIMESTAMP);
    int to = to(GpuField.TIMESTAMP);
    if (from >= to) {
      return null;
    }
    if (to - from == TIMESTAMP_LENGTH
        && line.charAt(from + 4) == '/'
        && line.charAt(from + 7) == '/'
        && line.charAt(from + 10) == ' '
        && line.charAt(from + 13) == ':'
        && line.charAt(from + 16) == ':'
        && line.charAt(from + 19) == '.') {
      try {
        return LocalDateTime.of(
            digits(from, 4),
            digits(from + 5, 2),
            digits(from + 8, 2),
            digits(from + 11, 2),
            digits(from + 14, 2),
            digits(from + 17, 2),
            1_000_000 * digits(from + 20, 3));
      } catch (DateTimeException e) {
        // fall back to the formatter below
      }
    }
    try {
      return LocalDateTime.parse(line.substring(from, to), TIMESTAMP);
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  /// The number made of the given count of digits, -1 if they are not all digits.
  private int digits(int from, int count) {
    int number = 0;
    for (int i = from; i < from + count; i++) {
      int digit = line.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = 10 * number + digit;
    }
    return number;
  }

  /// @param more bits of reasons besides those in the row
  GpuReading reading(int fallbackIndex, long more) {
    var errors = new ArrayList<String>(0);
    var index = count(GpuField.INDEX, null);
    var recovery = text(GpuField.RECOVERY);
    if (!recovery.isEmpty() && !recovery.equals("None")) {
      errors.add("recovery action " + recovery);
    }
    return new GpuReading(
        index == null ? fallbackIndex : index.intValue(),
        known.of(text(GpuField.BUS_ID), BusId::normal),
        known.of(text(GpuField.UUID), UnaryOperator.identity()),
        known.of(text(GpuField.NAME), UnaryOperator.identity()),
        number(GpuField.UTILIZATION, errors),
        number(GpuField.MEMORY_USED, errors),
        number(GpuField.MEMORY_TOTAL, errors),
        number(GpuField.POWER, errors),
        number(GpuField.POWER_LIMIT, errors),
        number(GpuField.TEMPERATURE, errors),
        number(GpuField.SM_CLOCK, errors),
        number(GpuField.SM_CLOCK_MAX, errors),
        reasons(more, errors),
        count(GpuField.ECC_UNCORRECTED, errors),
        errors.isEmpty() ? null : String.join("; ", errors),
        pcie());
  }

  /// The PCIe link, null if its current speed or width is unknown. An unknown highest generation is
  /// taken to equal the current one. An unknown number of lanes is 0: such a slot is compared with
  /// the other GPUs'.
  private @Nullable PcieLink pcie() {
    var gen = count(GpuField.PCIE_GEN, null);
    var width = count(GpuField.PCIE_WIDTH, null);
    var genMax = count(GpuField.PCIE_GEN_MAX, null);
    var widthMax = count(GpuField.PCIE_WIDTH_MAX, null);
    return gen == null || width == null
        ? null
        : new PcieLink(
            gen,
            Objects.requireNonNullElse(genMax, gen),
            width,
            Objects.requireNonNullElse(widthMax, 0L));
  }

  /// Whether this is a row rather than other text: it has as many cells as its header and
  /// identifies a GPU.
  boolean tellsGpu() {
    return columns.cells() == commas.length
        && (!text(GpuField.BUS_ID).isEmpty()
            || !text(GpuField.UUID).isEmpty()
            || count(GpuField.INDEX, null) != null);
  }

  /// A whole number, null if there is none.
  @Nullable Long count(GpuField field) {
    return count(field, null);
  }

  /// Where the cell begins, without leading blanks. For an empty cell this is at or after its end.
  private int from(GpuField field) {
    int column = columns.byField()[field.ordinal()];
    if (column < 0 || column >= commas.length) {
      return 0;
    }
    int from = column == 0 ? 0 : commas[column - 1] + 1;
    while (from < commas[column] && Character.isWhitespace(line.charAt(from))) {
      from++;
    }
    return from;
  }

  private int to(GpuField field) {
    int column = columns.byField()[field.ordinal()];
    if (column < 0 || column >= commas.length) {
      return 0;
    }
    int first = column == 0 ? 0 : commas[column - 1] + 1;
    int to = commas[column];
    while (to > first && Character.isWhitespace(line.charAt(to - 1))) {
      to--;
    }
    return to;
  }

  /// The cell's text, empty if nvidia-smi had no value.
  private String text(GpuField field) {
    int from = from(field);
    int to = to(field);
    if (from >= to) {
      return "";
    }
    var text = line.substring(from, to);
    return isAbsent(text) || isError(text) ? "" : text;
  }

  private @Nullable Double number(GpuField field, List<String> errors) {
    int from = from(field);
    int to = to(field);
    if (from >= to || isNone(field, from, to, errors)) {
      return null;
    }
    int end = withoutUnit(from, to);
    long number = 0;
    int digits = 0;
    int point = -1;
    for (int i = from; i < end; i++) {
      char c = line.charAt(i);
      if (c == '.' && point < 0) {
        point = digits;
      } else if (c >= '0' && c <= '9' && digits < EXACT_DIGITS) {
        number = 10 * number + (c - '0');
        digits++;
      } else {
        return otherDecimal(line.substring(from, end));
      }
    }
    return digits == 0
        ? otherDecimal(line.substring(from, end))
        : known.of(number / POWERS_OF_TEN[point < 0 ? 0 : digits - point]);
  }

  private static @Nullable Double otherDecimal(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /// @param errors receives read errors; null to ignore them
  private @Nullable Long count(GpuField field, @Nullable List<String> errors) {
    int from = from(field);
    int to = to(field);
    if (from >= to || isNone(field, from, to, errors)) {
      return null;
    }
    return whole(from, withoutUnit(from, to), 10);
  }

  /// The bits of all reasons, either from one column or from one column per reason that says
  /// `Active` or `Not Active`.
  private @Nullable Long reasons(long more, List<String> errors) {
    var all = bits(GpuField.THROTTLE_REASONS, errors);
    if (more != 0) {
      all = (all == null ? 0 : all) | more;
    }
    for (var reason : REASONS.entrySet()) {
      var told = text(reason.getKey());
      if (told.equals("Active")) {
        all = (all == null ? 0 : all) | reason.getValue();
      } else if (told.equals("Not Active") && all == null) {
        all = 0L;
      }
    }
    return all;
  }

  private @Nullable Long bits(GpuField field, List<String> errors) {
    int from = from(field);
    int to = to(field);
    if (from >= to || isNone(field, from, to, errors)) {
      return null;
    }
    return line.startsWith("0x", from) ? hex(from + 2, to) : whole(from, to, 10);
  }

  private @Nullable Long whole(int from, int to, int radix) {
    try {
      return Long.parseLong(line, from, to, radix);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private @Nullable Long hex(int from, int to) {
    try {
      return Long.parseUnsignedLong(line, from, to, 16);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /// The end of the number: `81.29 W` ends before the blank.
  private int withoutUnit(int from, int to) {
    int space = line.indexOf(' ', from, to);
    return space < 0 ? to : space;
  }

  /// Whether a cell that is not empty holds no value. Records read errors.
  private boolean isNone(GpuField field, int from, int to, @Nullable List<String> errors) {
    char first = line.charAt(from);
    if (first >= '0' && first <= '9') {
      return false;
    }
    var text = line.substring(from, to);
    boolean error = isError(text);
    if (error && errors != null) {
      errors.add(field.names.getFirst() + " " + text);
    }
    return error || isAbsent(text);
  }

  /// Whether the value is absent: `[N/A]`, `[Not Supported]`, `N/A`, and what MIG and vGPU print.
  private static boolean isAbsent(String text) {
    return text.isEmpty()
        || text.equals("N/A")
        || text.startsWith("[N/A")
        || text.startsWith("[Not ")
        || text.startsWith("[Insufficient")
        || text.startsWith("[Requested");
  }

  /// Whether the value is a read error: `ERR!`, `[Unknown Error]`, `[GPU is lost]`,
  /// `[GPU requires reset]`.
  private static boolean isError(String text) {
    return text.startsWith("ERR!") || (text.startsWith("[") && !isAbsent(text));
  }
}
