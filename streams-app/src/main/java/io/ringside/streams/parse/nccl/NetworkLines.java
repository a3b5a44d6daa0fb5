package io.ringside.streams.parse.nccl;

import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.scan.Shape;
import java.util.ArrayList;
import java.util.List;

/// NCCL's own networks and GPUDirect RDMA (src/transport/net_ib, net_socket.cc,
/// src/graph/paths.cc).
final class NetworkLines {

  private NetworkLines() {}

  static final List<Shape<NcclMessage>> SHAPES =
      List.of(
          Shape.of("NET/IB : No device found*", "all", NetworkLines::noDevice),
          Shape.of("NET/IB : Using *", "all", m -> devices(m, "IB")),
          Shape.of("NET/Socket : Using *", "all", m -> devices(m, "Socket")),
          Shape.of("NET/* : GPU Direct RDMA * for HCA # '*", "2.13.4+", NetworkLines::gdrSupport),
          Shape.ignored("GPU Direct RDMA Enabled for *", "to 2.29; TRACE from 2.30.3"),
          Shape.ignored("GPU Direct RDMA Disabled for *", "to 2.29; TRACE from 2.30.3"),
          Shape.of("NET/IB: [#] *", "2.27.3+", NetworkLines::port),
          Shape.of("NET/IB : Made virtual device *", "2.24.3+", NetworkLines::virtualDevice),
          Shape.ignored("NET/*", "lines of network plugins"),
          Shape.ignored("P2P plugin *", "HPC-X plugin"),
          Shape.ignored("Plugin Path : *", "HPC-X plugin"),
          Shape.ignored("PXN Disabled as plugin is *", "2.12+"),
          Shape.ignored("Sharp rank #/# initialized on *", "SHARP plugin"),
          Shape.ignored("NET_*", "lines of network plugins"));

  private static boolean noDevice(NcclMessage message) {
    return message.emit(new NcclEvent.NoIbDevice());
  }

  /// `Using [0]mlx5_0:1/IB [1]={[0] mlx5_1:1/IB, [1] mlx5_2:1/IB} [RO]; OOB eth0:10.0.0.1<0>`.
  private static boolean devices(NcclMessage message, String network) {
    message.seek(": Using").blanks();
    var names = new ArrayList<String>();
    while (message.skip("[")) {
      if (message.peek() < '0' || message.peek() > '9') {
        break;
      }
      message.integer();
      message.expect("]");
      var name = message.skip("={") ? message.before("}") : message.word();
      if (message.bad()) {
        return false;
      }
      var last = name.endsWith(";");
      names.add(last ? name.substring(0, name.length() - 1) : name);
      message.blanks();
      if (last) {
        break;
      }
    }
    return message.emit(new NcclEvent.NetDevices(network, List.copyOf(names)));
  }

  /// `NET/IB: [0] mlx5_0:uverbs0:1/IB provider=Mlx5 speed=400000 context=0x… pciPath=… ar=1`.
  private static boolean port(NcclMessage message) {
    message.seek("[").integer();
    var name = message.expect("] ").before(":");
    var mbps = message.seek(" speed=").number();
    return message.good() && message.emit(new NcclEvent.IbPort(name, mbps));
  }

  /// `NET/IB : Made virtual device [0] name=mlx5_0 speed=400000 ndevs=1`.
  private static boolean virtualDevice(NcclMessage message) {
    var name = message.seek(" name=").word();
    var mbps = message.seek("speed=").number();
    return message.good() && message.emit(new NcclEvent.IbPort(name, mbps));
  }

  /// `NET/Socket : GPU Direct RDMA Disabled for HCA 0 'eth0'`.
  private static boolean gdrSupport(NcclMessage message) {
    var network = message.expect("NET/").before(" : GPU Direct RDMA ");
    var enabled = message.skip("Enabled");
    if (!enabled) {
      message.expect("Disabled");
    }
    return message.good() && message.emit(new NcclEvent.GdrSupport(network, enabled));
  }
}
