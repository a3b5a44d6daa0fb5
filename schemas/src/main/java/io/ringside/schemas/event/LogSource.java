package io.ringside.schemas.event;

import java.util.Objects;
import java.util.regex.Pattern;

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

  private static final Pattern RESTARTS = Pattern.compile("/(\\d{1,9})\\.log$");

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

  /// Whether it is of the same container, started again, or of a pod of the same name that was made
  /// anew. A kubelet's files are called by how often the container was started again before.
  public boolean replaces(LogSource earlier) {
    return !podUid.isEmpty()
        && !earlier.podUid.isEmpty()
        && pod.equals(earlier.pod)
        && namespace.equals(earlier.namespace)
        && container.equals(earlier.container)
        && (!podUid.equals(earlier.podUid) || restarts() > earlier.restarts());
  }

  /// 3 of `…/trainer/3.log`, -1 if the file is not called so.
  private int restarts() {
    var matcher = RESTARTS.matcher(file);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : -1;
  }

  private static void requireText(String value, String name) {
    if (Objects.requireNonNull(value, name).isEmpty()) {
      throw new IllegalArgumentException(name + " must not be empty");
    }
  }
}
