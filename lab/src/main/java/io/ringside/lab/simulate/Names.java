package io.ringside.lab.simulate;

/// How pods and hosts of a job are called, by the tool that starts it.
public enum Names {
  /// `job-node-i-j`.
  NODES,
  /// Kubeflow's PyTorchJob: `job-master-0`, `job-worker-i`.
  MASTER,
  /// JobSet: `job-workers-0-i-x7k2p`, a random end.
  JOB_SET,
  /// A StatefulSet, LeaderWorkerSet or Indexed Job: `job-i`.
  ORDINAL,
  /// Volcano: `job-task-i`.
  TASK,
  /// Hosts of a cluster that say nothing of the job: `gpu-a-017`.
  HOSTS,
  /// Hosts of a cloud: `ip-10-4-0-17`.
  ADDRESSES;

  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

  /// Whether these are the machines' own names.
  boolean hosts() {
    return this == HOSTS || this == ADDRESSES;
  }

  String pod(String job, int pod, int podsPerNode) {
    return switch (this) {
      case NODES -> "%s-node-%d-%d".formatted(job, pod / podsPerNode, pod % podsPerNode);
      case MASTER -> pod == 0 ? job + "-master-0" : "%s-worker-%d".formatted(job, pod - 1);
      case JOB_SET -> "%s-workers-0-%d-%s".formatted(job, pod, end(job, pod));
      case ORDINAL -> "%s-%d".formatted(job, pod);
      case TASK -> "%s-task-%d".formatted(job, pod);
      case HOSTS -> "gpu-a-%03d".formatted(17 + pod);
      case ADDRESSES -> "ip-10-4-%d-%d".formatted(pod / 200, 17 + pod % 200);
    };
  }

  private static String end(String job, int pod) {
    int hash = (job.hashCode() * 31 + pod) * 0x9E37_79B9;
    var end = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      end.append(LETTERS.charAt(Math.floorMod(hash >> 5 * i, LETTERS.length())));
    }
    return end.toString();
  }
}
