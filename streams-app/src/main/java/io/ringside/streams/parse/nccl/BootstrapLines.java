package io.ringside.streams.parse.nccl;

import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.scan.Shape;
import java.util.List;

/// The first meeting of all ranks (src/bootstrap.cc) and the times of an init (src/init.cc).
final class BootstrapLines {

  private BootstrapLines() {}

  static final List<Shape<NcclMessage>> SHAPES =
      List.of(
          Shape.of("Bootstrap: Using *", "2.24.3+", BootstrapLines::using),
          Shape.of("Bootstrap : Using *", "to 2.23.4", BootstrapLines::using),
          Shape.of("Bootstrap timings total *", "2.23.4+", BootstrapLines::timings),
          Shape.of("Init timings*", "2.22.3+", BootstrapLines::initTimings));

  /// `Using eth0:10.0.4.51<0>`, up to 2.8 `Using [0]eth0:…`.
  private static boolean using(NcclMessage message) {
    message.seek("Using ").blanks();
    if (message.peek() == '[') {
      message.seek("]");
    }
    var name = message.until(':');
    var address = message.expect(":").until('<');
    return message.good() && message.emit(new NcclEvent.InterfaceChosen(name, address.strip()));
  }

  private static boolean timings(NcclMessage message) {
    var total = message.expect("Bootstrap timings total ").decimal();
    var create = message.expect(" (create ").decimal();
    var send = message.expect(", send ").decimal();
    var recv = message.expect(", recv ").decimal();
    var ring = message.expect(", ring ").decimal();
    var delay = message.expect(", delay ").decimal();
    message.expect(")");
    return message.good()
        && message.emit(new NcclEvent.BootstrapTimings(total, create, send, recv, ring, delay));
  }

  private static boolean initTimings(NcclMessage message) {
    message.expect("Init timings");
    var api = message.skip(" - ") ? message.until(':') : "";
    var rank = message.expect(": rank ").integer();
    var nranks = message.expect(" nranks ").integer();
    var total = message.expect(" total ").decimal();
    message.expect(" (");
    var parts = new double[Part.values().length];
    java.util.Arrays.fill(parts, Double.NaN);
    do {
      var name = message.until(' ');
      var seconds = message.expect(" ").decimal();
      for (var part : Part.values()) {
        if (part.name().equals(name)) {
          parts[part.ordinal()] = seconds;
        }
      }
    } while (message.good() && message.skip(", "));
    message.expect(")");
    return message.good()
        && message.emit(
            new NcclEvent.InitTimings(
                api,
                rank,
                nranks,
                total,
                parts[Part.bootstrap.ordinal()],
                parts[Part.rest.ordinal()],
                parts[Part.kernels.ordinal()],
                parts[Part.alloc.ordinal()],
                parts[Part.allgathers.ordinal()],
                parts[Part.topo.ordinal()],
                parts[Part.graphs.ordinal()],
                parts[Part.connections.ordinal()]));
  }

  /// The names in the brackets, as NCCL prints them.
  private enum Part {
    kernels,
    alloc,
    bootstrap,
    allgathers,
    topo,
    graphs,
    connections,
    rest
  }
}
