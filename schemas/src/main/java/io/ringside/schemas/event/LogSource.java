package io.ringside.schemas.event;

import java.util.Objects;

/// Where a log file belongs. `file` is the path as the agent sees it and is unique on its node;
/// (`cluster`, `node`, `file`) names the source for ever, `epoch` in the chunk tells its
/// incarnations apart. Fields that the agent cannot know are empty, never null.
public record LogSource(
    String cluster,
    String node,
    String namespace,
    String pod,
    String podUid,
    String container,
    String job,
    String file) {

  /// The node of logs that come without one.
  public static final String UNNAMED_NODE = "local";

  /// The job of lines that speak of a node, and so of whatever runs there. No job has such a name.
  private static final String WHOLE_NODE = "(node)";

  public LogSource {
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(podUid, "podUid");
    Objects.requireNonNull(container, "container");
    requireText(node, "node");
    requireText(pod, "pod");
    requireText(job, "job");
    requireText(file, "file");
  }

  /// Lines that speak of a node, by this witness: `kernel`, `ras`.
  public static LogSource ofNode(String cluster, String node, String witness) {
    return new LogSource(cluster, node, "", WHOLE_NODE, "", "", WHOLE_NODE, witness);
  }

  /// Whether the lines are no job's own: they concern the jobs that run on the node.
  public boolean speaksOfNode() {
    return job.equals(WHOLE_NODE);
  }

  /// The name under which a node's state keeps this source: equal for every chunk of one file.
  public String id() {
    return node + "|" + file;
  }

  /// Whether anybody named the machine: an agent does, and pods of one kubelet's tree share theirs.
  /// Logs that were gathered by hand come without.
  public boolean nodeKnown() {
    return !node.equals(UNNAMED_NODE) || !podUid.isEmpty();
  }

  private static void requireText(String value, String name) {
    if (Objects.requireNonNull(value, name).isEmpty()) {
      throw new IllegalArgumentException(name + " must not be empty");
    }
  }
}
