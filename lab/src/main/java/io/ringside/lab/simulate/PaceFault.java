package io.ringside.lab.simulate;

/// What makes a job slow or stops it.
public sealed interface PaceFault extends Fault {

  /// One rank is late again and again. Several of them are late in the same steps.
  ///
  /// @param toStep exclusive
  /// @param every in each how many of these steps it is late
  /// @param share delay as a share of the healthy step
  record Straggler(int rank, int fromStep, int toStep, int every, double share, Cause cause)
      implements PaceFault {
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

    /// Whether it is late in this step.
    boolean in(int step) {
      return step >= fromStep && step < toStep && (step - fromStep) % every == 0;
    }
  }

  /// In each step another rank is late, drawn anew.
  ///
  /// @param toStep exclusive
  /// @param share delay as a share of the healthy step
  record MovingLoad(int fromStep, int toStep, double share) implements PaceFault {}

  /// All ranks need longer for each step from one step on.
  ///
  /// @param ratio times longer
  record SlowerSteps(int fromStep, double ratio) implements PaceFault {}

  /// All ranks need longer for each step than in the runs before.
  ///
  /// @param ratio times longer
  record SlowerRun(double ratio) implements PaceFault {}

  /// One rank starts late.
  record LateStart(int rank, double seconds) implements PaceFault {}

  /// One rank stops before a step.
  ///
  /// @param timeoutSeconds of PyTorch's watchdog
  /// @param watchdog whether the watchdogs of the others print
  /// @param culpritAnswers whether the stopped rank's process still prints its own state
  record Hang(int rank, int step, double timeoutSeconds, boolean watchdog, boolean culpritAnswers)
      implements PaceFault {}
}
