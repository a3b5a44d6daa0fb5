package io.ringside.streams.observe;

import java.util.List;
import java.util.stream.Stream;

/// All metrics of the service with type, labels and meaning, defined only here. `docs/metrics.md`
/// is generated from this list, and the build compares the two.
public enum Metric {
  JOB_INFO(
      Type.INFO,
      "ringside_job_info",
      "The job's newest run: who it is and which versions it runs.",
      Of.JOB,
      "run",
      "instance_type",
      "nccl_version",
      "plugin_version",
      "libfabric_version"),
  JOB_VERDICT(
      Type.GAUGE,
      "ringside_job_verdict",
      "Worst active finding of the job: 0 none, 1 info, 2 warning, 3 critical; -1 if there is none and nothing could be judged.",
      Of.JOB),
  JOB_RUNNING(
      Type.GAUGE, "ringside_job_running", "1 while a run still gives lines, else 0.", Of.JOB),
  JOB_STATE(
      Type.GAUGE,
      "ringside_job_state",
      "1 for the state of the newest run that goes on, else of the newest run: starting, running, paused or silent; ended, failed, stopped, lost or superseded.",
      Of.JOB,
      "state"),
  JOB_TEAM(
      Type.INFO,
      "ringside_job_team_info",
      "Who pays for the job: the team that a label of its pods names (the agent's teamLabel), else its namespace.",
      Of.JOB,
      "team"),
  JOB_ATTEMPT(
      Type.GAUGE,
      "ringside_job_attempt",
      "Which start of the job the newest run is: 1 the first, then one more per restart.",
      Of.JOB),
  JOB_LAST_LINE(
      Type.GAUGE,
      "ringside_job_last_line_timestamp_seconds",
      "Time of the newest line of the newest run, Unix seconds; absent if lines carry no times.",
      Of.JOB),
  JOB_NODES(Type.GAUGE, "ringside_job_nodes", "Nodes of the newest run.", Of.JOB),
  JOB_CHANNELS(
      Type.GAUGE,
      "ringside_job_channels",
      "NCCL channels of the newest run's world communicator.",
      Of.JOB),
  JOB_RANKS_SEEN(
      Type.GAUGE, "ringside_job_ranks_seen", "Ranks of the newest run that have lines.", Of.JOB),
  JOB_RANKS_EXPECTED(
      Type.GAUGE,
      "ringside_job_ranks_expected",
      "Size of the newest run's world communicator.",
      Of.JOB),
  TRANSPORT_INFO(
      Type.INFO,
      "ringside_job_transport_info",
      "The network NCCL says it uses in the newest run.",
      Of.JOB,
      "network"),
  TRANSPORT_EDGES(
      Type.GAUGE,
      "ringside_job_transport_edges",
      "Edges of the newest run by class (intra-pod, intra-node, inter-pod, inter-node) and transport.",
      Of.JOB,
      "edge_class",
      "transport"),
  TRANSPORT_EXPECTED(
      Type.INFO,
      "ringside_job_transport_expected_info",
      "What the machines should use for a class of edges, where it is known.",
      Of.JOB,
      "edge_class",
      "expected"),
  CHECKLIST(
      Type.GAUGE,
      "ringside_checklist_status",
      "Pre-flight checklist of the newest run: 1 pass, 0 fail, -1 unknown.",
      Of.JOB,
      "check"),
  ROUNDS(
      Type.COUNTER,
      "ringside_job_rounds_total",
      "Collective rounds of the newest run in which all ranks were seen to arrive.",
      Of.JOB),
  LATE_ROUNDS(
      Type.COUNTER,
      "ringside_job_late_rounds_total",
      "Rounds of the newest run in which somebody waited for long.",
      Of.JOB),
  ROUNDS_LEFT_OUT(
      Type.COUNTER,
      "ringside_job_rounds_left_out_total",
      "Rounds of the newest run that were not looked at, because its ranks call more often than processing.callsPerSecond; their waits are estimated.",
      Of.JOB),
  WAIT_SECONDS(
      Type.COUNTER,
      "ringside_job_wait_seconds_total",
      "Wall-clock seconds of the newest run in which all others waited for a last rank.",
      Of.JOB),
  WAIT_GPU_SECONDS(
      Type.COUNTER,
      "ringside_job_wait_gpu_seconds_total",
      "GPU-seconds of the newest run lost in those waits: seconds times the ranks that waited.",
      Of.JOB),
  NETWORK_BYTES(
      Type.COUNTER,
      "ringside_job_network_bytes_total",
      "Bytes that the network cards of the newest run's nodes carried, both ways: rdma (EFA, InfiniBand, RoCE) and ethernet.",
      Of.JOB,
      "network"),
  BLAMED_SECONDS(
      Type.COUNTER,
      "ringside_job_wait_blamed_seconds_total",
      "Seconds in which this rank alone kept the others waiting; the worst ranks only.",
      Of.JOB,
      "rank",
      "node",
      "pod",
      "gpu"),
  ROUND_WAIT(
      Type.HISTOGRAM,
      "ringside_job_round_wait_seconds",
      "Waits of single ranks in single rounds of the newest run; absent above 1,024 ranks.",
      Of.JOB),
  RANK_WAIT(
      Type.COUNTER,
      "ringside_job_rank_wait_seconds_total",
      "Seconds of the newest run in which this rank waited; all ranks of a small job, else those waited for the longest.",
      Of.JOB,
      "rank"),
  STEPS(
      Type.COUNTER,
      "ringside_job_steps_total",
      "Training steps of the newest run, where a framework prints them.",
      Of.JOB),
  STEP_SECONDS(
      Type.GAUGE,
      "ringside_job_step_seconds",
      "Median time of the newest steps, where a framework prints them.",
      Of.JOB),
  STEP_BASELINE(
      Type.GAUGE,
      "ringside_job_step_baseline_seconds",
      "The newest run's own normal time of a step.",
      Of.JOB),
  SAMPLE_RATE(
      Type.GAUGE,
      "ringside_job_samples_per_second",
      "Samples trained on per second, where known.",
      Of.JOB),
  GPU_POWER(
      Type.GAUGE, "ringside_job_gpu_power_watts", "Median power of the newest run's GPUs.", Of.JOB),
  GPU_CLOCK(
      Type.GAUGE,
      "ringside_job_gpu_clock_hertz",
      "Median SM clock of the newest run's GPUs.",
      Of.JOB),
  GPU_BUSY(
      Type.GAUGE,
      "ringside_job_gpu_utilization_ratio",
      "Median utilization of the newest run's GPUs.",
      Of.JOB),
  GPU_HEAT(
      Type.GAUGE,
      "ringside_job_gpu_temperature_celsius",
      "Median temperature of the newest run's GPUs.",
      Of.JOB),
  GPU_OUTLIERS(
      Type.GAUGE,
      "ringside_job_gpu_outliers",
      "Ranks whose GPU differs from its peers by more than 15 % in power, clock or utilization, or is throttled.",
      Of.JOB),
  RANK_GPU_POWER(
      Type.GAUGE,
      "ringside_job_rank_gpu_power_watts",
      "Power of a rank's GPU; the ranks that differ most from their peers only.",
      Of.JOB,
      "rank",
      "node",
      "gpu"),
  RANK_GPU_CLOCK(
      Type.GAUGE,
      "ringside_job_rank_gpu_clock_hertz",
      "SM clock of a rank's GPU; the ranks that differ most from their peers only.",
      Of.JOB,
      "rank",
      "node",
      "gpu"),
  RANK_GPU_BUSY(
      Type.GAUGE,
      "ringside_job_rank_gpu_utilization_ratio",
      "Utilization of a rank's GPU; the ranks that differ most from their peers only.",
      Of.JOB,
      "rank",
      "node",
      "gpu"),
  RANK_GPU_THROTTLED(
      Type.GAUGE,
      "ringside_job_rank_gpu_throttled_ratio",
      "Share of samples in which the clocks of a rank's GPU are held down; the ranks that differ most only.",
      Of.JOB,
      "rank",
      "node",
      "gpu"),
  LINES(
      Type.COUNTER,
      "ringside_job_lines_total",
      "Lines read of the job, all its runs together.",
      Of.JOB),
  NCCL_LINES(
      Type.COUNTER,
      "ringside_job_nccl_lines_total",
      "NCCL lines read of the job, all its runs together.",
      Of.JOB),
  UNPARSED_LINES(
      Type.COUNTER,
      "ringside_job_unparsed_lines_total",
      "NCCL lines of the job that no parser knows, all its runs together.",
      Of.JOB),
  FINDINGS_ACTIVE(
      Type.GAUGE,
      "ringside_findings_active",
      "Active findings about the job and its live runs that follow from no other, by the worst severity of each and of what follows from it.",
      Of.JOB,
      "kind",
      "severity"),
  FINDINGS_TOLD(
      Type.GAUGE,
      "ringside_findings_told",
      "Findings about the start or end of a run that is over, for ten minutes after they were raised: job-failed, nccl-error, late-start, gpu-error, bandwidth-below-expected.",
      Of.JOB,
      "kind",
      "severity"),
  SYMPTOMS_ACTIVE(
      Type.GAUGE,
      "ringside_symptoms_active",
      "Active findings that follow from another one, by the kind of that one; no alert is raised for them.",
      Of.JOB,
      "kind",
      "severity",
      "cause"),
  FINDING_SINCE(
      Type.GAUGE,
      "ringside_finding_since_timestamp_seconds",
      "When the oldest active finding of the kind began, Unix seconds.",
      Of.JOB,
      "kind",
      "severity"),
  FINDING_LOST(
      Type.GAUGE,
      "ringside_finding_lost_gpu_seconds",
      "GPU-seconds that the active findings of the kind have cost so far, where known.",
      Of.JOB,
      "kind"),
  FINDING_SLOWDOWN(
      Type.GAUGE,
      "ringside_finding_slowdown_ratio",
      "How many times slower than it should be, worst active finding of the kind, where known.",
      Of.JOB,
      "kind"),
  LOST(
      Type.COUNTER,
      "ringside_lost_gpu_seconds_total",
      "GPU-seconds by which all runs of the job would have been sooner without this cause: the bills of its runs, by the kind of the finding that is to blame.",
      Of.JOB,
      "cause"),
  LOST_MONEY(
      Type.COUNTER,
      "ringside_lost_money_total",
      "The same in money, where the expectations name a costPerGpuHour of its machines.",
      Of.JOB,
      "cause"),
  LOSING(
      Type.GAUGE,
      "ringside_losing_gpus",
      "GPUs whose time the job goes on to lose to this cause as long as nobody acts: GPU-hours an hour; absent where it is not known.",
      Of.JOB,
      "cause"),
  GPU_HOUR_COST(
      Type.GAUGE,
      "ringside_job_gpu_hour_cost",
      "What an hour of one of the newest run's GPUs costs, where the expectations name it.",
      Of.JOB),
  JOBS(
      Type.GAUGE,
      "ringside_jobs",
      "Jobs of this instance by verdict and state, also those without series of their own.",
      "verdict",
      "state"),
  FOLDED(
      Type.GAUGE,
      "ringside_metrics_folded",
      "What has no series of its own: jobs above the limit, jobs long ended, ranks below the worst (blamed), ranks without a series of waits, GPUs like their peers.",
      "what"),
  VIEWS_AVAILABLE(
      Type.GAUGE,
      "ringside_views_available",
      "1 if the results could be read for this scrape, 0 while they move between instances."),
  NODE_SUSPECT(
      Type.GAUGE,
      "ringside_node_suspect",
      "How many runs blame the node or one of its GPUs within the memory of nodes; suspects only.",
      Of.NODE),
  NODES_BLAMED(
      Type.GAUGE,
      "ringside_nodes_blamed",
      "Nodes that any run blames within the memory of nodes, also those that are not suspect."),
  NODES_FOLDED(
      Type.GAUGE,
      "ringside_nodes_folded",
      "Nodes without series of their own that should have them: suspects and agents that are not well, above the limit.",
      "what"),
  AGENTS(
      Type.GAUGE,
      "ringside_agents",
      "Agents by state: ok, sensor (nvidia-smi hangs or ends), behind (lines wait to be delivered), stuck (a loop stands still), silent (not heard; after metrics.retireAfter such a one counts no more).",
      "state"),
  AGENT_SENSORS(
      Type.GAUGE,
      "ringside_agents_gpu_sensors",
      "Agents that are heard, by how their nvidia-smi fares: ok, starting, stalled, failing, missing, off.",
      "state"),
  AGENTS_SENSOR_AGE(
      Type.GAUGE,
      "ringside_agents_gpu_sensor_age_max_seconds",
      "Longest time since the last poll of the GPUs, among agents that are heard, as they said last."),
  AGENTS_LAG(
      Type.GAUGE,
      "ringside_agents_log_lag_max_seconds",
      "Longest time for which lines have waited to be delivered, among agents that are heard, as they said last."),
  AGENTS_LAG_BYTES(
      Type.GAUGE,
      "ringside_agents_log_lag_bytes",
      "Bytes of lines that wait to be delivered, over all agents that are heard, as they said last."),
  AGENTS_LEFT_BEHIND(
      Type.GAUGE,
      "ringside_agents_left_behind_bytes",
      "Bytes of log files that were gone before they were read, since each agent that is heard started."),
  AGENT_TROUBLE(
      Type.GAUGE,
      "ringside_agent_trouble",
      "1 for an agent that is not well, by its worst trouble; the worst agents only.",
      Of.NODE,
      "state"),
  AGENT_REPORT_AGE(
      Type.GAUGE,
      "ringside_agent_report_age_seconds",
      "Time since an agent that is not well was last heard; the worst agents only.",
      Of.NODE),
  AGENT_SENSOR_AGE(
      Type.GAUGE,
      "ringside_agent_gpu_sensor_age_seconds",
      "Time since the last poll of the GPUs of an agent that is not well, as it said last; the worst agents only.",
      Of.NODE),
  AGENT_LAG(
      Type.GAUGE,
      "ringside_agent_log_lag_seconds",
      "Time for which lines of an agent that is not well have waited, as it said last; the worst agents only.",
      Of.NODE),
  BUILD(
      Type.INFO,
      "ringside_build_info",
      "Which build of which program runs: shipper or streams.",
      "program",
      "version",
      "revision"),
  LINKS(
      Type.INFO,
      "ringside_links_info",
      "Where people's browsers reach the page and the runbooks, as metrics.page and metrics.runbooks say; dashboards and alerts take their links from it.",
      "page",
      "runbooks"),
  EXPECTATIONS_REFUSED(
      Type.GAUGE,
      "ringside_expectations_refused",
      "1 if the file of expectations as it is now cannot be used and an older one is in force."),
  EXPECTATIONS_SINCE(
      Type.GAUGE,
      "ringside_expectations_since_timestamp_seconds",
      "Since when the expectations in force are, Unix seconds."),
  EXPECTATIONS_CHANGES(
      Type.COUNTER,
      "ringside_expectations_changes_total",
      "Changes of the file of expectations since the start, applied or refused.",
      "result"),
  JUDGING_FAILURES(
      Type.COUNTER,
      "ringside_judging_failures_total",
      "Judgements of a run in which this detector failed: its findings are missing. The error is within Ringside.",
      "detector"),
  STATE_DROPPED(
      Type.COUNTER,
      "ringside_state_dropped_total",
      "Keys of this store whose state could not be read and was dropped: it is damaged or of a version that is not understood.",
      "store"),
  STREAM_RUNNING(
      Type.GAUGE,
      "ringside_streams_running",
      "1 while the stream is RUNNING, 0 in every other state of Kafka Streams."),
  STREAM_THREADS(Type.GAUGE, "ringside_streams_threads", "Stream threads alive."),
  STREAM_FAILURES(
      Type.COUNTER,
      "ringside_streams_thread_failures_total",
      "Stream threads that died of an exception."),
  STREAM_SET_ASIDE(
      Type.COUNTER,
      "ringside_streams_set_aside_records_total",
      "Offsets passed over, since their records unpack to more than fits into memory."),
  STREAM_LAG(
      Type.GAUGE,
      "ringside_streams_lag_records",
      "Records of the topic that this instance has still to read, over its partitions.",
      "topic"),
  STREAM_RECORDS(
      Type.COUNTER, "ringside_streams_records_total", "Records read from the topic.", "topic"),
  STREAM_DROPPED(
      Type.COUNTER,
      "ringside_streams_dropped_records_total",
      "Records dropped: too late, without key, or undecodable."),
  STREAM_LATENCY(
      Type.GAUGE,
      "ringside_streams_latency_seconds",
      "Longest recent time from a record's stamp to its arrival at this step of the topology.",
      "step");

  private final Type type;
  private final String metricName;
  private final String help;
  private final List<String> labels;

  Metric(Type type, String metricName, String help, String... labels) {
    this(type, metricName, help, Of.SERVICE, labels);
  }

  Metric(Type type, String metricName, String help, Of of, String... more) {
    this.type = type;
    this.metricName = metricName;
    this.help = help;
    this.labels = Stream.concat(of.labels.stream(), Stream.of(more)).toList();
  }

  /// The subject of a metric's series, which determines their common labels.
  private enum Of {
    SERVICE,
    JOB("cluster", "namespace", "job"),
    NODE("cluster", "node");

    private final List<String> labels;

    Of(String... labels) {
      this.labels = List.of(labels);
    }
  }

  /// Prometheus' type of the metric.
  public enum Type {
    GAUGE,
    COUNTER,
    HISTOGRAM,
    INFO
  }

  public Type type() {
    return type;
  }

  /// The name as exposed.
  public String metricName() {
    return metricName;
  }

  public String help() {
    return help;
  }

  public List<String> labels() {
    return labels;
  }
}
