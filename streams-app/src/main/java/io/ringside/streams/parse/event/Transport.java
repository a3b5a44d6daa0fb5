package io.ringside.streams.parse.event;

/// How two ranks exchange data: the text after `via`. NCCL chooses it in src/transport.cc.
public sealed interface Transport {

  /// `P2P/CUMEM/read`: GPU to GPU, over NVLink or PCIe.
  ///
  /// @param kind `direct pointer`, `IPC`, `CUMEM`, `MNNVL` or `indirect`
  /// @param read whether the receiver pulls the data; without `/read` the sender pushes it
  /// @param copyEngine whether `cudaMemcpy` copies (`/CE`), not the kernel
  record P2p(String kind, boolean read, boolean copyEngine) implements Transport {}

  /// `SHM/direct/direct`, `SHM/direct` (2.30.7) or `direct shared memory` (before 2.13).
  ///
  /// @param mode the text after `SHM/`, or `direct`
  record Shm(String mode) implements Transport {}

  /// `NET/Libfabric/0(3)/GDRDMA/Shared`.
  ///
  /// @param network name of the network: Socket, IB, Libfabric, AWS Libfabric, ...
  /// @param gdr whether GPUDirect RDMA is used
  record Net(String network, boolean gdr) implements Transport {}

  /// `COLLNET/SHARP/0/GDRDMA`: reduction in the network.
  record CollNet(String name, boolean gdr) implements Transport {}
}
