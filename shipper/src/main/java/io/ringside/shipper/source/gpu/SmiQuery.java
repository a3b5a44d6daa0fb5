package io.ringside.shipper.source.gpu;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Converts `nvidia-smi -q` and `-q -x`, one line at a time, into rows of its CSV. Both name the
/// same fields, by sections and by XML elements (drivers 450 to 580). Takes only measured values;
/// pending repairs and recovery actions are read from the same file as a log. Not thread-safe.
final class SmiQuery {
  /// Header line for the rows.
  static final String HEADER =
      Stream.of(GpuField.values())
          .map(field -> field.names.getFirst())
          .collect(Collectors.joining(", "));

  private static final String BEGIN = "==============NVSMI LOG==============";
  private static final String BEGIN_XML = "<nvidia_smi_log>";

  private static final Pattern GPU =
      Pattern.compile("(?:GPU |<gpu id=\")([0-9A-Fa-f]+:[0-9A-Fa-f]+:[0-9A-Fa-f]+\\.\\d).*");
  private static final Pattern LEAF = Pattern.compile("<(\\w+)>([^<]*)</\\w+>");

  /// The prefix that an element repeats from the one around it:
  /// `<clocks_event_reasons><clocks_event_reason_hw_slowdown>`.
  private static final Pattern REPEATED =
      Pattern.compile("^clocks_(?:event|throttle)_reasons?_(?:counters_)?");

  private static final Pattern OPENED = Pattern.compile("<(\\w+)>");

  /// `Fri Nov 20 20:27:21 2026`.
  private static final DateTimeFormatter TOLD =
      DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss yyyy", Locale.ENGLISH);

  /// The CSV's format of times.
  static final DateTimeFormatter WRITTEN =
      DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss.SSS", Locale.ROOT);

  /// Fields by their path, with underscores of elements written as blanks.
  private static final Map<String, GpuField> FIELDS =
      Map.ofEntries(
          Map.entry("product name", GpuField.NAME),
          Map.entry("gpu uuid", GpuField.UUID),
          Map.entry("uuid", GpuField.UUID),
          Map.entry("utilization/gpu", GpuField.UTILIZATION),
          Map.entry("utilization/gpu util", GpuField.UTILIZATION),
          Map.entry("fb memory usage/used", GpuField.MEMORY_USED),
          Map.entry("fb memory usage/total", GpuField.MEMORY_TOTAL),
          Map.entry("power readings/power draw", GpuField.POWER),
          Map.entry("gpu power readings/power draw", GpuField.POWER),
          Map.entry("gpu power readings/average power draw", GpuField.POWER),
          Map.entry("power readings/enforced power limit", GpuField.POWER_LIMIT),
          Map.entry("gpu power readings/current power limit", GpuField.POWER_LIMIT),
          Map.entry("temperature/gpu current temp", GpuField.TEMPERATURE),
          Map.entry("temperature/gpu temp", GpuField.TEMPERATURE),
          Map.entry("clocks/sm", GpuField.SM_CLOCK),
          Map.entry("clocks/sm clock", GpuField.SM_CLOCK),
          Map.entry("max clocks/sm", GpuField.SM_CLOCK_MAX),
          Map.entry("max clocks/sm clock", GpuField.SM_CLOCK_MAX),
          Map.entry("pci/gpu link info/pcie generation/current", GpuField.PCIE_GEN),
          Map.entry("pci/pci gpu link info/pcie gen/current link gen", GpuField.PCIE_GEN),
          Map.entry("pci/gpu link info/pcie generation/max", GpuField.PCIE_GEN_MAX),
          Map.entry("pci/pci gpu link info/pcie gen/max link gen", GpuField.PCIE_GEN_MAX),
          Map.entry("pci/gpu link info/link width/current", GpuField.PCIE_WIDTH),
          Map.entry("pci/pci gpu link info/link widths/current link width", GpuField.PCIE_WIDTH),
          Map.entry("pci/gpu link info/link width/max", GpuField.PCIE_WIDTH_MAX),
          Map.entry("pci/pci gpu link info/link widths/max link width", GpuField.PCIE_WIDTH_MAX),
          Map.entry("clocks event reasons/sw power cap", GpuField.SW_POWER_CAP),
          Map.entry("clocks event reasons/hw slowdown", GpuField.HW_SLOWDOWN),
          Map.entry("clocks event reasons/hw slowdown/hw thermal slowdown", GpuField.HW_THERMAL),
          Map.entry(
              "clocks event reasons/hw slowdown/hw power brake slowdown", GpuField.POWER_BRAKE),
          Map.entry("clocks event reasons/sw thermal slowdown", GpuField.SW_THERMAL),
          Map.entry(
              "clocks event reasons counters/sw thermal slowdown", GpuField.SW_THERMAL_MICROS),
          Map.entry(
              "clocks event reasons counters/hw thermal slowdown", GpuField.HW_THERMAL_MICROS),
          Map.entry("clocks event reasons counters/hw power braking", GpuField.POWER_BRAKE_MICROS),
          Map.entry("clocks event reasons/hw thermal slowdown", GpuField.HW_THERMAL),
          Map.entry("clocks event reasons/hw power brake slowdown", GpuField.POWER_BRAKE),
          Map.entry("clocks event reasons counters/sw therm slowdown", GpuField.SW_THERMAL_MICROS),
          Map.entry("clocks event reasons counters/hw therm slowdown", GpuField.HW_THERMAL_MICROS),
          Map.entry("clocks event reasons counters/hw power brake", GpuField.POWER_BRAKE_MICROS));

  /// Uncorrected errors since the driver was loaded, by kind of memory or, on older drivers, in
  /// total.
  private static final Pattern UNCORRECTED =
      Pattern.compile(
          "ecc errors/volatile/(?:[sd]ram uncorrectable.*|double bit/(?:total|device memory))");

  private final List<String> sections = new ArrayList<>();
  private final Map<GpuField, String> told = new EnumMap<>(GpuField.class);
  private @Nullable Long uncorrected;
  private String at = "";
  private int index;

  /// Whether such a text begins with this line.
  static boolean recognises(String line) {
    return line.startsWith(BEGIN) || line.startsWith(BEGIN_XML);
  }

  /// Takes one line. Returns the row of the previous GPU if this line begins another.
  Optional<String> line(String line) {
    var plain = line.strip();
    if (plain.isEmpty()) {
      return Optional.empty();
    }
    var gpu = GPU.matcher(plain);
    if (gpu.matches() && (line.startsWith("GPU ") || plain.startsWith("<"))) {
      var row = row();
      told.put(GpuField.BUS_ID, gpu.group(1));
      sections.clear();
      return row;
    }
    if (plain.startsWith("<")) {
      element(plain);
      return Optional.empty();
    }
    int depth = (line.length() - line.stripLeading().length()) / 4;
    int colon = plain.indexOf(" : ");
    var name = (colon < 0 ? plain : plain.substring(0, colon)).strip();
    enter(Math.max(0, depth - 1), name);
    if (colon >= 0) {
      if (depth == 0 && name.equals("Timestamp")) {
        return begins(plain.substring(colon + 3));
      }
      value(plain.substring(colon + 3).strip());
    }
    return Optional.empty();
  }

  /// The row of the last GPU.
  Optional<String> finish() {
    return row();
  }

  private void element(String plain) {
    var leaf = LEAF.matcher(plain);
    if (leaf.matches()) {
      if (leaf.group(1).equals("timestamp")) {
        time(leaf.group(2));
        index = 0;
        return;
      }
      enter(sections.size(), REPEATED.matcher(leaf.group(1)).replaceFirst(""));
      value(leaf.group(2).strip());
      sections.removeLast();
      return;
    }
    var opened = OPENED.matcher(plain);
    if (opened.matches()) {
      sections.add(opened.group(1));
    } else if (plain.startsWith("</") && !sections.isEmpty()) {
      sections.removeLast();
    }
  }

  private Optional<String> begins(String when) {
    var row = row();
    time(when);
    index = 0;
    return row;
  }

  private void time(String when) {
    try {
      at = WRITTEN.format(LocalDateTime.parse(when.strip().replaceAll(" +", " "), TOLD));
    } catch (DateTimeParseException e) {
      at = "";
    }
  }

  private void enter(int depth, String name) {
    while (sections.size() > depth) {
      sections.removeLast();
    }
    sections.add(name);
  }

  private void value(String value) {
    var path =
        String.join("/", sections)
            .toLowerCase(Locale.ROOT)
            .replace('_', ' ')
            .replace("clocks throttle reasons", "clocks event reasons");
    var field = FIELDS.get(path);
    if (field != null) {
      told.putIfAbsent(field, cell(field, value));
    } else if (UNCORRECTED.matcher(path).matches() && value.matches("\\d{1,18}")) {
      uncorrected = (uncorrected == null ? 0 : uncorrected) + Long.parseLong(value);
    }
  }

  /// The value as the CSV spells it: errors in brackets, lanes without `x`.
  private static String cell(GpuField field, String value) {
    if (value.equals("Unknown Error")
        || value.startsWith("GPU is")
        || value.startsWith("GPU req")) {
      return "[" + value + "]";
    }
    return field == GpuField.PCIE_WIDTH || field == GpuField.PCIE_WIDTH_MAX
        ? value.replace("x", "")
        : value.replace(',', ' ');
  }

  /// The values as a row below {@link #HEADER}.
  static String row(Map<GpuField, String> told) {
    return Stream.of(GpuField.values())
        .map(field -> told.getOrDefault(field, "N/A"))
        .collect(Collectors.joining(", "));
  }

  private Optional<String> row() {
    if (at.isEmpty() || !told.containsKey(GpuField.BUS_ID)) {
      return Optional.empty();
    }
    told.put(GpuField.TIMESTAMP, at);
    told.put(GpuField.INDEX, String.valueOf(index++));
    if (uncorrected != null) {
      told.put(GpuField.ECC_UNCORRECTED, uncorrected.toString());
    }
    var row = row(told);
    told.clear();
    uncorrected = null;
    return Optional.of(row);
  }
}
