package io.ringside.streams.ledger;

/// How good a transport is, worst first.
public enum TransportGrade {
  SOCKET("TCP sockets"),
  NET("a network without GPUDirect RDMA"),
  GDR("a network with GPUDirect RDMA"),
  SHM("shared memory"),
  P2P_READ("P2P in read mode"),
  P2P("P2P");

  private final String words;

  TransportGrade(String words) {
    this.words = words;
  }

  /// Grade of a transport in NCCL's words: `P2P/CUMEM/read`, `SHM/direct`, `NET/Socket`,
  /// `NET/Libfabric/GDRDMA`.
  public static TransportGrade of(String transport) {
    if (transport.startsWith("P2P")) {
      return transport.contains("/read") ? P2P_READ : P2P;
    }
    if (transport.startsWith("SHM")) {
      return SHM;
    }
    if (transport.equals("NET/Socket")) {
      return SOCKET;
    }
    return transport.endsWith("/GDRDMA") ? GDR : NET;
  }

  /// For a sentence: `from P2P to shared memory`.
  public String words() {
    return words;
  }
}
