package io.ringside.streams.parse.nccl;

import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.scan.Shape;
import java.util.List;

/// The first meeting of all ranks (src/bootstrap.cc).
final class BootstrapLines {

  private BootstrapLines() {}

  static final List<Shape<NcclMessage>> SHAPES =
      List.of(
          Shape.behind("Bootstrap: Using *", "2.24.3+", BootstrapLines::using),
          Shape.behind("Bootstrap : Using *", "to 2.23.4", BootstrapLines::using),
          Shape.behind("Bootstrap timings total *", "2.23.4+", BootstrapLines::timings),
          Shape.ignored("Init timings*", "2.22.3+"));

  /// `Using eth0:10.0.4.51<0>`, up to 2.8 `Using [0]eth0:…`.
  private static boolean using(NcclMessage message) {
    message.blanks();
    if (message.peek() == '[') {
      message.seek("]");
    }
    var address = message.rest();
    return address.indexOf(':') >= 0
        && address.indexOf('<', address.indexOf(':')) >= 0
        && message.emit(new NcclEvent.InterfaceChosen(address));
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
}
