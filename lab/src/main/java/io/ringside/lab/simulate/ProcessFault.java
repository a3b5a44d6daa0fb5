package io.ringside.lab.simulate;

/// What is wrong with the programs: other libraries or settings than the other ranks', or a crash.
public sealed interface ProcessFault extends Fault {

  /// The pods of one node have another version.
  record VersionMismatch(int node, Library library) implements ProcessFault {
    /// Whose version. NCCL's own is not among them: since 2.23 NCCL refuses to start then, and
    /// before only rank 0 prints it.
    public enum Library {
      PLUGIN,
      LIBFABRIC
    }
  }

  /// A variable has another value in one pod.
  record EnvironmentDrift(int pod, Variable variable) implements ProcessFault {
    /// With NCCL's words for it.
    public enum Variable {
      BUFFER_SIZE(
          "NCCL_BUFFSIZE set by environment to 8388608.",
          "NCCL_BUFFSIZE set by environment to 4194304."),
      PROTOCOL("NCCL_PROTO set by environment to simple", "NCCL_PROTO set by environment to LL");

      private final String usual;
      private final String other;

      Variable(String usual, String other) {
        this.usual = usual;
        this.other = other;
      }

      String words(boolean odd) {
        return odd ? other : usual;
      }
    }
  }

  /// One rank fails in the middle of a run, the others lose their connections to it, and the run
  /// ends.
  record Crash(int rank, int step, Cause cause) implements ProcessFault {
    /// What it says.
    public enum Cause {
      /// A CUDA call fails.
      CUDA,
      /// The plugin's request fails.
      NETWORK,
      /// Nothing: it was killed.
      KILLED
    }
  }

  /// The job dies, or is ended, in the middle of a run.
  ///
  /// @param rank the first to fail; of no meaning where the scheduler ends it
  record Death(int rank, int step, Cause cause) implements ProcessFault {
    /// Of what, with the class that the contract of findings names, and the process's exit code.
    public enum Cause {
      GPU_OUT_OF_MEMORY("gpu-out-of-memory", 1),
      KILLED("killed", -9),
      EXCEPTION("exception", 1),
      SEGFAULT("segfault", -11),
      ECC("gpu-error", 1),
      HANDSHAKE("network", 1),
      DATA("data", 1),
      DISK_FULL("disk-full", 1),
      STOPPED("stopped", -15),
      TIME_LIMIT("time-limit", -15);

      private final String label;
      private final int exitCode;

      Cause(String label, int exitCode) {
        this.label = label;
        this.exitCode = exitCode;
      }

      String label() {
        return label;
      }

      int exitCode() {
        return exitCode;
      }

      /// Whether the scheduler ends it.
      boolean asked() {
        return this == STOPPED || this == TIME_LIMIT;
      }
    }
  }

  /// No rank gets as far as a communicator.
  record NoInterface() implements ProcessFault {}
}
