package io.ringside.streams.job;

import io.ringside.streams.parse.event.Transport;

/// Names of transports as NCCL prints them, without what differs from edge to edge.
public final class Transports {
  private Transports() {}

  /// For example `P2P/CUMEM/read`, `SHM/direct/direct`, `NET/Socket`, `NET/Libfabric/GDRDMA`.
  public static String label(Transport transport) {
    return switch (transport) {
      case Transport.P2p p2p ->
          "P2P/" + p2p.kind() + (p2p.read() ? "/read" : "") + (p2p.copyEngine() ? "/CE" : "");
      case Transport.Shm shm -> "SHM/" + shm.mode();
      case Transport.Net net -> "NET/" + net.network() + (net.gdr() ? "/GDRDMA" : "");
      case Transport.CollNet net -> "COLLNET/" + net.name() + (net.gdr() ? "/GDRDMA" : "");
    };
  }

  /// Whether this is NCCL's TCP transport.
  public static boolean socket(Transport transport) {
    return transport instanceof Transport.Net net && net.network().equals("Socket");
  }

  /// Whether NVLink joins two machines, as in racks of GB200 (`P2P/MNNVL`).
  public static boolean joinsMachines(Transport transport) {
    return transport instanceof Transport.P2p p2p && p2p.kind().equals("MNNVL");
  }

  /// Whether a network's name is one of the OFI plugin's: `Libfabric`, `AWS Libfabric`, `OFI`.
  public static boolean libfabric(String network) {
    var lower = network.toLowerCase(java.util.Locale.ROOT);
    return lower.contains("libfabric") || lower.contains("ofi");
  }
}
