package io.ringside.streams.parse.rdma;

import io.ringside.streams.parse.event.RdmaEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// The kernel's files with the counters of a port, as `grep . /sys/class/infiniband/*/ports/*/*/*`
/// prints them: one counter per line, with the file's path.
public final class PortFileLines {
  /// Counters that show traffic or trouble of every InfiniBand port
  /// (drivers/infiniband/core/sysfs.c); those of the drivers are in {@link RdmaLines}.
  private static final Set<String> OF_EVERY_PORT =
      Set.of(
          "port_rcv_packets",
          "port_xmit_packets",
          "port_rcv_data",
          "port_xmit_data",
          "symbol_error",
          "port_rcv_errors",
          "local_link_integrity_errors",
          "link_error_recovery",
          "port_xmit_discards");

  /// Counts are as long as in {@link RdmaLines}: they fit into a long.
  private static final Pattern FILE =
      Pattern.compile(
          "/sys/class/infiniband/([\\w.-]{1,60})/ports/(\\d{1,3})/(?:hw_)?counters/(\\w{1,60}):(\\d{1,18})\\s*");

  private PortFileLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of("/sys/class/infiniband/*/ports/#/*", "Linux, by grep", PortFileLines::counter));

  private static boolean counter(TextLine line) {
    var file = FILE.matcher(line.rest());
    if (!file.matches()) {
      return false;
    }
    var name = file.group(3);
    return (OF_EVERY_PORT.contains(name) || RdmaLines.NAMES.contains(name))
        && line.emit(
            new RdmaEvent.PortCounter(
                file.group(1) + "/" + file.group(2), name, Long.parseLong(file.group(4))));
  }
}
