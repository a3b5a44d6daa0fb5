package io.ringside.streams.topology;

/// Names of the topology's steps. They appear in metrics, in `Topology.describe()` and, for
/// repartitions, in the names of internal topics.
final class Steps {
  static final String LOGS = "logs";
  static final String GPU = "gpu";
  static final String NODE_TOPOLOGY = "node-topology";
  static final String NODE_REPORTS = "node-reports";

  /// Before the name of a source: the step that decodes its values.
  static final String DECODE = "decode-";

  static final String READ_LOGS = "read-logs";
  static final String PLACE_GPUS = "place-gpus";
  static final String PLACE_TOPOLOGY = "place-topology";
  static final String PLACE_REPORTS = "place-reports";
  static final String LOGS_AND_GPU = "logs-and-gpu";
  static final String WITH_TOPOLOGY = "with-topology";
  static final String FACTS = "facts";
  static final String BY_JOB = "by-job";
  static final String JUDGE = "judge";
  static final String BLAMES = "blames";
  static final String BLAMES_BY_NODE = "blames-by-node";
  static final String REMEMBER_BLAMES = "remember-blames";
  static final String FINDINGS = "findings";
  static final String TO_FINDINGS = "to-findings";
  static final String RUNS = "runs";
  static final String TO_RUNS = "to-runs";

  private Steps() {}
}
