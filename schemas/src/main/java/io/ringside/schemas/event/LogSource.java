package io.ringside.schemas.event;

import java.util.Objects;
import java.util.regex.Pattern;

/// The origin of a log file. `file` is the path as the agent sees it and is unique on its node;
/// (`cluster`, `node`, `file`) identifies the source forever, and `epoch` in the chunk
/// distinguishes its incarnations. Fields that the agent cannot know are empty, never null.
public record LogSource(
    String cluster,
    String node,
    String namespace,
    String pod,
    String podUid,
    String container,
    String job,
    String file) {

  /// Node name of logs whose node is unknown.
  public static final String UNNAMED_NODE = "local";

  /// The job of lines that concern a node, and so any job that runs there. No real job has this
  /// name.
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

  /// A source of lines about a node, from this witness: `kernel`, `ras`.
  public static LogSource ofNode(String cluster, String node, String witness) {
    return new LogSource(cluster, node, "", WHOLE_NODE, "", "", WHOLE_NODE, witness);
  }

  /// Whether the lines are about the node rather than from a job: they concern all jobs that run
  /// there.
  public boolean speaksOfNode() {
    return job.equals(WHOLE_NODE);
  }

  /// The key of this source in a node's state, equal for every chunk of one file.
  public String id() {
    return node + "|" + file;
  }

  /// The node of the source with this name.
  public static String nodeOf(String id) {
    return id.substring(0, Math.max(0, id.indexOf('|')));
  }

  /// Whether the machine is known: an agent names it, and pods in one kubelet's folder tree share
  /// it. Logs collected by hand have no node.
  public boolean nodeKnown() {
    return !node.equals(UNNAMED_NODE) || !podUid.isEmpty();
  }

  /// Whether this is the log of the same container after a restart, or of a recreated pod of the
  /// same name. The kubelet names log files by the number of earlier restarts.
  public boolean replaces(LogSource earlier) {
    return !podUid.isEmpty()
        && !earlier.podUid.isEmpty()
        && pod.equals(earlier.pod)
        && namespace.equals(earlier.namespace)
        && container.equals(earlier.container)
        && (!podUid.equals(earlier.podUid) || restarts() > earlier.restarts());
  }

  /// 3 for `…/trainer/3.log`, -1 if the file's name has another form.
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
