package io.ringside.lab.simulate;

/// How a job is named, started and logged.
///
/// @param processAPod whether one process has all GPUs of its pod
public record Setting(Names names, LogCollection gathering, boolean processAPod) {

  /// A file a pod, a process a GPU, pods `job-node-i-j`.
  public static final Setting PLAIN = new Setting(Names.NODES, LogCollection.A_FILE_A_POD, false);
}
