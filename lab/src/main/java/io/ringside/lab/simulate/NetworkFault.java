package io.ringside.lab.simulate;

/// What is wrong with the ways that a job's bytes take. Such faults are in all runs of a job,
/// unless they are new in the last one.
public sealed interface NetworkFault extends Fault {

  /// The OFI plugin does not come up, and all ranks take sockets.
  record EfaFallback(Cause cause) implements NetworkFault {
    /// Why it does not come up.
    public enum Cause {
      NO_PROVIDER,
      PLUGIN_MISSING,
      GDR_REFUSED,
      OLD_LIBFABRIC
    }
  }

  /// No rank finds the fabric's interfaces, and all take sockets: InfiniBand, RoCE, Google's
  /// plugins.
  record FabricFallback() implements NetworkFault {}

  /// The ranks of one node find no interface of the fabric and take sockets; those of the others
  /// wait to connect to them in vain, and the job dies before its first step.
  record PartialFallback(int node) implements NetworkFault {}

  /// `NCCL_P2P_READ_ENABLE=1` where NCCL itself would write.
  record P2pReadForced() implements NetworkFault {}

  /// `NCCL_P2P_DISABLE=1`.
  record P2pDisabled() implements NetworkFault {}

  /// One rank's NIC does not reach its GPU.
  ///
  /// @param rank a rank with a network edge
  record GdrLost(int rank) implements NetworkFault {}

  /// `NCCL_NET_GDR_LEVEL=LOC`: no rank's NIC may reach its GPU.
  record GdrOff() implements NetworkFault {}

  /// The plugin finds fewer NICs in one pod than its GPUs deserve.
  record NicShortfall(int pod, int nics) implements NetworkFault {}

  /// Half the channels, as after `NCCL_MAX_NCHANNELS`. Wrong only beside a run that had more.
  record FewerChannels() implements NetworkFault {}

  /// The faults of the network, and several pods a node where there are, are new in the last run:
  /// the ones before had none.
  record NewInLastRun() implements NetworkFault {}
}
