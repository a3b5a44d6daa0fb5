package io.ringside.lab.simulate;

import java.util.Locale;

/// Whether all hosts' lines come in one file, and how each is marked there. Forms from the manuals
/// of Slurm, Open MPI and kubectl.
public enum LogCollection {
  A_FILE_A_POD,
  /// `srun --label`: the task's number.
  SRUN,
  /// `mpirun --tag-output`: job and rank.
  MPIRUN,
  /// `kubectl logs --prefix -l …`: pod and container.
  KUBECTL,
  /// Bare lines, as in a Slurm job's `.out`.
  BARE;

  boolean oneFile() {
    return this != A_FILE_A_POD;
  }

  /// What stands before each line.
  ///
  /// @param ranks of the job: labels of one width
  String prefix(int rank, int ranks, String pod) {
    return switch (this) {
      case A_FILE_A_POD, BARE -> "";
      case SRUN ->
          ("%" + Integer.toString(ranks - 1).length() + "d: ")
              .formatted(rank)
              .toLowerCase(Locale.ROOT);
      case MPIRUN -> "[1,%d]<stdout>:".formatted(rank);
      case KUBECTL -> "[pod/%s/trainer] ".formatted(pod);
    };
  }
}
