package io.ringside.streams.parse.failure;

import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// What `nvidia-smi -q` says of a GPU's memory and of what the driver wants to be done with it (drivers 418 to 590). Only flags: they
/// hold for the present, while counts are of the GPU's whole life.
public final class GpuFlagLines {
  private static final Pattern GPU =
      Pattern.compile("GPU [0-9A-Fa-f]{4}([0-9A-Fa-f]{4}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\\.[0-7])");

  private static final Pattern FLAG =
      Pattern.compile(
          "([A-Z][A-Za-z ]{1,60}?) {0,80}: (Yes|No|None|Reset|Reboot|Drain P2P|Drain and Reset)");

  private GpuFlagLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of("GPU 0000*:*:*.*", "all", GpuFlagLines::gpu),
          Shape.of("WARNING: infoROM is corrupted at gpu *", "nvidia-smi", GpuFlagLines::infoRom),
          flag("Pending Page Blacklist"),
          flag("Pending"),
          flag("Remapping Failure Occurred"),
          flag("Channel Repair Pending"),
          flag("TPC Repair Pending"),
          flag("Unrepairable Memory"),
          flag("SRAM Threshold Exceeded"),
          flag("Reset Required"),
          flag("GPU Recovery Action"));

  private static Shape<TextLine> flag(String name) {
    return Shape.of(name + " *: *", "nvidia-smi -q", GpuFlagLines::flag);
  }

  /// The heading of a GPU's part: `GPU 00000000:9B:00.0`.
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

  /// `        Remapping Failure Occurred        : No`; what is not supported is `N/A`.
  private static boolean flag(TextLine line) {
    var flag = FLAG.matcher(line.rest().strip());
    if (!flag.matches()) {
      return false;
    }
    var value = flag.group(2);
    return line.emit(
        new FailureEvent.GpuFlag(
            "", flag.group(1), value.equals("No") || value.equals("None") ? "" : value));
  }
}
