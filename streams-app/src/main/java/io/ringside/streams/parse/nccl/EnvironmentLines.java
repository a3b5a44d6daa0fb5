package io.ringside.streams.parse.nccl;

import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.scan.Shape;
import java.util.List;

/// Variables that NCCL took from the environment, and the framework's configuration
/// (src/misc/param.cc, src/init.cc).
final class EnvironmentLines {

  private static final String IB_HCA = "NCCL_IB_HCA";

  private EnvironmentLines() {}

  static final List<Shape<NcclMessage>> SHAPES =
      List.of(
          Shape.of("NCCL_*", "all", EnvironmentLines::variable),
          Shape.behind(
              "NET/Plugin: Plugin name set by env to *",
              "2.11 to 2.27.7",
              m -> plugin(m, "NCCL_NET_PLUGIN")),
          Shape.behind("Plugin name set by env to *", "2.11+", m -> plugin(m, "NCCL_NET_PLUGIN")),
          Shape.behind(
              "TUNER/Plugin: Plugin name set by env to *",
              "2.19 to 2.27.7",
              m -> plugin(m, "NCCL_TUNER_PLUGIN")),
          Shape.behind(
              "PROFILER/Plugin: Plugin name set by env to *",
              "2.23 to 2.27.7",
              m -> plugin(m, "NCCL_PROFILER_PLUGIN")),
          Shape.behind(
              "Comm config netName reset to NCCL_NET=*", "2.30+", EnvironmentLines::netName),
          Shape.behind("Comm config * set to *", "2.17+", EnvironmentLines::config),
          Shape.ignored("Comm config *", "2.17+"),
          Shape.ignored("Invalid value * for *, using default *", "all"),
          Shape.ignored("NCCL_* set to *", "2.28"),
          Shape.ignored("DEBUG file is '*'", "all"));

  /// `NCCL_PROTO set by environment to simple`. Old versions print `from environment`, and the
  /// InfiniBand network prints `NCCL_IB_HCA set to mlx5` (src/transport/net_ib). A line with the
  /// name alone was cut.
  private static boolean variable(NcclMessage message) {
    var name = message.word();
    if (message.atEnd()) {
      return message.emit(new NcclEvent.Spliced());
    }
    message.expect(" set ");
    // blanks at the end of a line are removed, so an empty value leaves no text here
    boolean said = message.skip("by environment to") || name.equals(IB_HCA) && message.skip("to");
    if (!said) {
      message.expect("from environment to");
    }
    if (!message.atEnd()) {
      message.expect(" ");
    }
    var value = message.good() ? integerWithoutDot(message.restWithoutNote()) : "";
    return message.good() && message.emit(new NcclEvent.EnvironmentSet(name, value, false));
  }

  /// Integers are printed with a trailing full stop (param.cc), strings are not.
  private static String integerWithoutDot(String value) {
    var last = value.length() - 1;
    if (last < 1 || value.charAt(last) != '.') {
      return value;
    }
    for (var i = 0; i < last; i++) {
      var c = value.charAt(i);
      if ((c < '0' || c > '9') && (c != '-' || i > 0)) {
        return value;
      }
    }
    return value.substring(0, last);
  }

  private static boolean plugin(NcclMessage message, String variable) {
    var value = message.rest();
    return message.good() && message.emit(new NcclEvent.EnvironmentSet(variable, value, false));
  }

  private static boolean netName(NcclMessage message) {
    var value = message.rest();
    return message.good() && message.emit(new NcclEvent.EnvironmentSet("NCCL_NET", value, false));
  }

  /// Of the framework's configuration, only the network is of use.
  private static boolean config(NcclMessage message) {
    var field = message.before(" set to ");
    return message.good()
        && (field.equalsIgnoreCase("net name") || field.equalsIgnoreCase("netName"))
        && netName(message);
  }
}
