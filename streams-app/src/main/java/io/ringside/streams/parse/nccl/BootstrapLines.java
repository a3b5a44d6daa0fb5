package io.ringside.streams.parse.nccl;

import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.scan.Shape;
import java.util.List;

/// The first meeting of all ranks (src/bootstrap.cc) and the times of an init (src/init.cc).
final class BootstrapLines {

  private BootstrapLines() {}

  static final List<Shape<NcclMessage>> SHAPES =
      List.of(
          Shape.behind("Bootstrap: Using *", "2.24.3+", BootstrapLines::using),
          Shape.behind("Bootstrap : Using *", "to 2.23.4", BootstrapLines::using),
          Shape.behind("Bootstrap timings total *", "2.23.4+", BootstrapLines::timings),
          Shape.behind("Init timings*", "2.22.3+", BootstrapLines::initTimings));

  /// `Using eth0:10.0.4.51<0>`, up to 2.8 `Using [0]eth0:…`.
  private static boolean using(NcclMessage message) {
    message.blanks();
    if (message.peek() == '[') {
      message.seek("]");
    }
    var name = message.until(':');
    var address = message.expect(":").until('<');
    return message.good() && message.emit(new NcclEvent.InterfaceChosen(name, address.strip()));
  }

  private static boolean timings(NcclMessage message) {
    var total = message.decimal();
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
    var api = message.skip(" - ") ? message.until(':') : "";
    var rank = message.expect(": rank ").integer();
    var nranks = message.expect(" nranks ").integer();
    var total = message.expect(" total ").decimal();
    message.expect(" (");
    var kernels = part(message, "kernels ");
    var alloc = part(message, "alloc ");
    var bootstrap = part(message, "bootstrap ");
    var allgathers = part(message, "allgathers ");
    var topo = part(message, "topo ");
    var graphs = part(message, "graphs ");
    var connections = part(message, "connections ");
    var rest = part(message, "rest ");
    return message.good()
        && message.peek() == ')'
        && message.emit(
            new NcclEvent.InitTimings(
                api,
                rank,
                nranks,
                total,
                bootstrap,
                rest,
                kernels,
                alloc,
                allgathers,
                topo,
                graphs,
                connections));
  }

  /// Seconds of a part, which stand in this order; NaN for one that the version does not have.
  private static double part(NcclMessage message, String name) {
    if (!message.skip(name)) {
      return Double.NaN;
    }
    var seconds = message.decimal();
    message.skip(", ");
    return seconds;
  }
}
