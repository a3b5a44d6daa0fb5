package io.ringside.lab.simulate;

/// How often a job starts, and where its later runs are.
///
/// @param runs at least 1; faults are in the last one, the others are cut short
public record Restarts(int runs, Kind kind) {

  /// A job that starts once.
  public static final Restarts NONE = new Restarts(1, Kind.NEW_CONTAINER);

  /// What is new in the next run, beside all processes.
  public enum Kind {
    /// Nothing: torchrun starts its workers again, who go on in the same files.
    SAME_FILE,
    /// The container: another file of the same pod.
    NEW_CONTAINER,
    /// The pods, by the same names.
    NEW_POD
  }
}
