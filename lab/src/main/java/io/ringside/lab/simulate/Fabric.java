package io.ringside.lab.simulate;

/// A network beyond the node.
public enum Fabric {
  /// TCP only.
  ETHERNET,
  EFA,
  INFINIBAND,
  ROCE,
  /// Google's gIB plugin over RoCE.
  GIB,
  /// Google's FasTrak plugin, TCPXO.
  FASTRAK;

  /// What NCCL and its edges call it.
  String network(NcclVersion version) {
    return switch (this) {
      case ETHERNET -> "Socket";
      case EFA -> version.libfabricName();
      case INFINIBAND, ROCE -> "IB";
      case GIB -> "gIB";
      case FASTRAK -> "FasTrak";
    };
  }

  /// Whether NCCL's own code drives it.
  boolean internal() {
    return this == INFINIBAND || this == ROCE;
  }
}
