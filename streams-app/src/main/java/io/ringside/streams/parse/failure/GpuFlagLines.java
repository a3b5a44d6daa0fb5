package io.ringside.streams.parse.failure;

import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Flags that `nvidia-smi -q` and `-q -x` print about a GPU's memory, about the reasons that slow
/// its clocks down, and about actions that the driver asks for (drivers 418 to 590). Reads flags
/// only: they describe the present, while counts cover the GPU's whole life. The exception is the
/// count of pages retired for double-bit errors, which is small.
public final class GpuFlagLines {
  private static final Pattern GPU =
      Pattern.compile(
          "(?:GPU |<gpu id=\")[0-9A-Fa-f]{4}([0-9A-Fa-f]{4}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\\.[0-7])(?:\">)?");

  private static final String VALUES =
      "(Yes|No|None|Active|Not Active|Reset|Reboot|Drain P2P|Drain and Reset|(?<=ECC {1,80}: )\\d{1,9})";

  private static final Pattern FLAG = Pattern.compile("([A-Z][A-Za-z ]{1,60}?) {0,80}: " + VALUES);

  private static final Pattern ELEMENT = Pattern.compile("<(\\w{1,60})>" + VALUES + "</\\1>");

  private static final Set<String> OFF = Set.of("No", "None", "Not Active", "0");

  /// XML elements with the same meaning as a flag.
  private static final Map<String, String> ELEMENTS =
      Map.ofEntries(
          Map.entry("pending_blacklist", "Pending Page Blacklist"),
          Map.entry("pending_retirement", "Pending Page Blacklist"),
          Map.entry("remapped_row_pending", "Pending"),
          Map.entry("remapped_row_failure", "Remapping Failure Occurred"),
          Map.entry("channel_repair_pending", "Channel Repair Pending"),
          Map.entry("tpc_repair_pending", "TPC Repair Pending"),
          Map.entry("unrepairable_memory", "Unrepairable Memory"),
          Map.entry("sram_threshold_exceeded", "SRAM Threshold Exceeded"),
          Map.entry("reset_required", "Reset Required"),
          Map.entry("gpu_recovery_action", "GPU Recovery Action"),
          Map.entry("clocks_throttle_reason_hw_slowdown", "HW Slowdown"),
          Map.entry("clocks_event_reason_hw_slowdown", "HW Slowdown"),
          Map.entry("clocks_throttle_reason_hw_thermal_slowdown", "HW Thermal Slowdown"),
          Map.entry("clocks_event_reason_hw_thermal_slowdown", "HW Thermal Slowdown"),
          Map.entry("clocks_throttle_reason_hw_power_brake_slowdown", "HW Power Brake Slowdown"),
          Map.entry("clocks_event_reason_hw_power_brake_slowdown", "HW Power Brake Slowdown"),
          Map.entry("clocks_throttle_reason_sw_thermal_slowdown", "SW Thermal Slowdown"),
          Map.entry("clocks_event_reason_sw_thermal_slowdown", "SW Thermal Slowdown"));

  private GpuFlagLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      Stream.of(
              Stream.of(
                  Shape.of("GPU 0000*:*:*.*", "all", GpuFlagLines::gpu),
                  Shape.of("<gpu id=\"*", "nvidia-smi -q -x", GpuFlagLines::gpu),
                  Shape.of(
                      "WARNING: infoROM is corrupted at gpu *",
                      "nvidia-smi",
                      GpuFlagLines::infoRom),
                  flag("Double Bit ECC")),
              ELEMENTS.values().stream().distinct().sorted().map(GpuFlagLines::flag),
              ELEMENTS.keySet().stream()
                  .sorted()
                  .map(
                      name ->
                          Shape.of("<" + name + ">*", "nvidia-smi -q -x", GpuFlagLines::element)))
          .flatMap(shapes -> shapes)
          .toList();

  private static Shape<TextLine> flag(String name) {
    return Shape.of(name + " *: *", "nvidia-smi -q", GpuFlagLines::flag);
  }

  /// The heading of a GPU's section: `GPU 00000000:9B:00.0`.
  private static boolean gpu(TextLine line) {
    var gpu = GPU.matcher(line.rest().strip());
    return gpu.matches()
        && line.emit(new FailureEvent.GpuListed(gpu.group(1).toLowerCase(Locale.ROOT)));
  }

  /// `WARNING: infoROM is corrupted at gpu 0008:00:00.0`, below the table or the list.
  private static boolean infoRom(TextLine line) {
    var busId = line.expect("WARNING: infoROM is corrupted at gpu ").rest().strip();
    line.emit(new FailureEvent.GpuListed(busId.toLowerCase(Locale.ROOT)));
    return line.emit(new FailureEvent.GpuFlag("", "infoROM", "corrupted"));
  }

  /// `        Remapping Failure Occurred        : No`; an unsupported flag has the value `N/A`.
  private static boolean flag(TextLine line) {
    var flag = FLAG.matcher(line.rest().strip());
    return flag.matches() && told(line, flag.group(1), flag.group(2));
  }

  /// `<pending_retirement>Yes</pending_retirement>`.
  private static boolean element(TextLine line) {
    var element = ELEMENT.matcher(line.rest().strip());
    var name = element.matches() ? ELEMENTS.get(element.group(1)) : null;
    return name != null && told(line, name, element.group(2));
  }

  private static boolean told(TextLine line, String flag, String value) {
    return line.emit(new FailureEvent.GpuFlag("", flag, OFF.contains(value) ? "" : value));
  }
}
