package io.ringside.standalone.simulate;

/// What is made to go wrong in a job.
public sealed interface Fault {

  /// The OFI plugin does not come up, and all ranks take sockets.
  record EfaFallback(Cause cause) implements Fault {
    /// Why it does not come up.
    public enum Cause {
      NO_PROVIDER,
      PLUGIN_MISSING,
      GDR_REFUSED,
      OLD_LIBFABRIC
    }
  }

  /// `NCCL_P2P_READ_ENABLE=1` where NCCL itself would write.
  record P2pReadForced() implements Fault {}

  /// `NCCL_P2P_DISABLE=1`.
  record P2pDisabled() implements Fault {}

  /// One rank's NIC does not reach its GPU.
  ///
  /// @param rank a rank with a network edge
  record GdrLost(int rank) implements Fault {}

  /// One rank is late again and again.
  ///
  /// @param share delay as a share of the healthy step
  /// @param toStep exclusive
  record Straggler(int rank, int fromStep, int toStep, double share, Cause cause) implements Fault {
    /// Why it is slow.
    public enum Cause {
      HOST("host"),
      GPU_THROTTLED("gpu-throttled"),
      GPU_CONTENDED("gpu-contended");

      private final String label;

      Cause(String label) {
        this.label = label;
      }

      /// As findings spell it.
      public String label() {
        return label;
      }

      /// Whether its GPU is slow rather than its program.
      boolean gpu() {
        return this != HOST;
      }
    }
  }

  /// One rank starts late.
  record LateStart(int rank, double seconds) implements Fault {}

  /// One rank stops before a step.
  ///
  /// @param timeoutSeconds of PyTorch's watchdog
  /// @param watchdog whether the watchdogs of the others print
  /// @param culpritAnswers whether the stopped rank's process still prints its own state
  record Hang(int rank, int step, double timeoutSeconds, boolean watchdog, boolean culpritAnswers)
      implements Fault {}
}
