package io.ringside.lab.simulate;

/// What is wrong with a GPU of a job that goes on as fast as ever.
public sealed interface GpuFault extends Fault {

  /// It is throttled, but the program waits for other things.
  ///
  /// @param toStep exclusive
  /// @param reasons bits of `clocks_event_reasons.active` (nvml.h)
  record Throttled(int rank, int fromStep, int toStep, long reasons) implements GpuFault {}

  /// It fails.
  record Broken(int rank, int step, Sign sign) implements GpuFault {
    /// How it shows.
    public enum Sign {
      /// A reading says `ERR!`.
      READING,
      /// Uncorrected ECC errors are counted.
      ECC
    }
  }
}
