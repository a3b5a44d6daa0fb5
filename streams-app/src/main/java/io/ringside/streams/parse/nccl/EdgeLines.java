package io.ringside.streams.parse.nccl;

import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.NcclEvent.Direction;
import io.ringside.streams.parse.event.Transport;
import io.ringside.streams.parse.scan.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rings and the edges between ranks, with the transport that carries them (src/transport/*.cc,
/// src/init.cc).
final class EdgeLines {

  private EdgeLines() {}

  static final List<Shape<NcclMessage>> SHAPES =
      List.of(
          Shape.behind("Channel #*", "all", EdgeLines::channel),
          Shape.of("Ring # : #* via *", "to 2.6", EdgeLines::oldRing),
          Shape.of("CollNet # : # [*] via *", "2.9.6+", EdgeLines::collNet),
          Shape.of("CollNet #/# : # [*] via *", "2.9.6+", EdgeLines::collNet),
          Shape.of("Coll # : # [*] via *", "2.6 to 2.8", EdgeLines::collNet),
          Shape.behind("Connected all rings*", "2.8+", EdgeLines::rings),
          Shape.of("Connected all trees", "2.8+", EdgeLines::trees),
          Shape.of("Connected binomial trees", "2.23.4+", EdgeLines::trees),
          Shape.ignored("Ring # : # -> # -> #", "all, GRAPH"),
          Shape.ignored("Connected to proxy localRank # -> connection *", "2.12+"),
          Shape.ignored("New proxy send connection # from *", "2.12+"),
          Shape.ignored("New proxy recv connection # from *", "2.12+"));

  /// `Channel 00/24 : 0 1 2 3` is a ring; `Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM` is an edge.
  private static boolean channel(NcclMessage message) {
    message.integer();
    if (message.skip("/")) {
      message.integer();
    }
    var first = message.expect(" :").blanks().integer();
    if (message.bad()) {
      return false;
    }
    return message.peek() == '['
        ? edge(message, first)
        : message.atEnd() || message.peek() == ' '; // a ring, which no reader needs
  }

  private static boolean oldRing(NcclMessage message) {
    message.expect("Ring ").integer();
    var source = message.expect(" :").blanks().good() ? message.integer() : -1;
    return message.good() && edge(message, source);
  }

  private static boolean edge(NcclMessage message, int source) {
    var sourceBracket = bracket(message);
    var target = message.expect(" -> ").integer();
    var targetBracket = bracket(message);
    var direction =
        message.skip(" [send]")
            ? Direction.SEND
            : message.skip(" [receive]") ? Direction.RECEIVE : Direction.NONE;
    message.expect(" via ");
    var transport = message.good() ? transport(message) : null;
    if (transport != null && message.skip(" comm ")) {
      // RCCL 2.12+, NCCL 2.14 to 2.18: `… via P2P/IPC comm 0x95cdeb0 nRanks 08`
      message.pointer();
      message.expect(" nRanks ").integer();
    }
    return transport != null
        && message.done()
        && message.emit(
            new NcclEvent.Edge(source, target, direction, transport, sourceBracket, targetBracket));
  }

  /// `[101d0]`; up to 2.4 NET edges have no brackets.
  private static long bracket(NcclMessage message) {
    if (!message.skip('[')) {
      return -1;
    }
    var value = message.hex();
    message.expect("]");
    return value;
  }

  /// `CollNet 00/0 : 3 [send] via COLLNET/SHARP/0/GDRDMA`: one end is the network itself.
  private static boolean collNet(NcclMessage message) {
    message.expect("Coll");
    message.skip("Net");
    message.expect(" ").integer();
    if (message.skip("/")) {
      message.integer();
    }
    var rank = message.expect(" : ").integer();
    var send = message.skip(" [send]");
    if (!send) {
      message.expect(" [receive]");
    }
    message.expect(" via ");
    var transport = message.good() ? transport(message) : null;
    return transport != null
        && message.emit(
            new NcclEvent.Edge(
                send ? rank : -1,
                send ? -1 : rank,
                send ? Direction.SEND : Direction.RECEIVE,
                transport));
  }

  private static @Nullable Transport transport(NcclMessage message) {
    var from = message.at();
    var known = message.recentTransport().at(from, message.end());
    if (known != null) {
      message.back(message.end());
      return known;
    }
    var read = newTransport(message);
    if (read != null && message.done()) {
      message.recentTransport().remember(from, message.end(), read);
    }
    return read;
  }

  private static @Nullable Transport newTransport(NcclMessage message) {
    if (message.skip("P2P/")) {
      return p2p(message);
    }
    if (message.skip("SHM/")) {
      return new Transport.Shm(message.rest());
    }
    if (message.skip("NET/")) {
      return net(message);
    }
    if (message.skip("COLLNET/")) {
      var name = message.until('/');
      message.expect("/").integer();
      var gdr = message.skip("/GDRDMA");
      message.skip("/Shared");
      return new Transport.CollNet(name, gdr);
    }
    return message.skip("direct shared memory") ? new Transport.Shm("direct") : null;
  }

  private static @Nullable Transport p2p(NcclMessage message) {
    var kind = kind(message);
    if (kind.equals("indirect")) {
      message.expect("/").integer();
      message.expect("[").hex();
      message.expect("]");
    }
    var read = message.skip("/read");
    var copyEngine = message.skip("/CE");
    return message.bad() ? null : new Transport.P2p(kind, read, copyEngine);
  }

  private static String kind(NcclMessage message) {
    if (message.skip("CUMEM")) {
      return "CUMEM";
    }
    if (message.skip("IPC")) {
      return "IPC";
    }
    if (message.skip("direct pointer")) {
      return "direct pointer";
    }
    if (message.skip("MNNVL")) {
      return "MNNVL";
    }
    return message.skip("indirect") ? "indirect" : message.until('/');
  }

  /// `Libfabric/0(3)/GDRDMA(PCI)/Shared`: `(3)` is the rank whose NIC is used (PXN), `(PCI)` since
  /// 2.26.2.
  private static @Nullable Transport net(NcclMessage message) {
    var network = network(message);
    message.expect("/").integer();
    if (message.skip("(")) {
      message.integer();
      message.expect(")");
    }
    var gdr = message.skip("/GDRDMA");
    message.skip("(PCI)");
    message.skip("/Shared");
    return message.bad() ? null : new Transport.Net(network, gdr);
  }

  private static String network(NcclMessage message) {
    if (message.skip("Socket")) {
      return "Socket";
    }
    if (message.skip("Libfabric")) {
      return "Libfabric";
    }
    return message.until('/');
  }

  /// `Connected all rings, use ring PXN 0 GDR 1`; up to 2.23.4 without the numbers.
  private static boolean rings(NcclMessage message) {
    if (message.skip(", use ring PXN ")) {
      message.integer();
    }
    var gdr = message.skip(" GDR ") ? message.integer() : -1;
    return message.done() && message.emit(new NcclEvent.RingsConnected(gdr));
  }

  private static boolean trees(NcclMessage message) {
    return message.emit(new NcclEvent.TreesConnected());
  }
}
