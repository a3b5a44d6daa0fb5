package io.ringside.streams.examine;

import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.job.TrainingProcess;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/// The one or two commands that a person should run next, by kind of finding; defined only here. In
/// a pod they run through `kubectl`, with pod, pid and device filled in; elsewhere they run
/// directly on the host that the finding names.
record NextSteps(Place place) {
  /// Names from logs are copied into a shell, so a text that is not a plain name is replaced by a
  /// placeholder for the person to fill in.
  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,252}");

  private static final String VARIABLES = "env | grep -E '^(NCCL|FI)_'";

  /// Where the commands are run: a process of the run.
  ///
  /// @param namespace empty outside Kubernetes or if unknown
  /// @param node empty if the machine is unknown
  /// @param pid 0 if unknown
  /// @param busId empty if unknown
  record Place(String namespace, String pod, String node, int pid, String busId) {
    static final Place UNKNOWN = new Place("", "", "", 0, "");

    static Place of(TrainingProcess process) {
      var source = process.source();
      return new Place(
          source.namespace(),
          source.pod(),
          source.nodeKnown() ? process.node() : "",
          Math.max(0, process.pid()),
          Objects.requireNonNullElse(process.busId(), ""));
    }
  }

  /// @param about the processes that the finding is about, the main culprit first; may be empty
  static List<String> of(FindingKind kind, Collection<TrainingProcess> about) {
    return of(kind, about.stream().findFirst().map(Place::of).orElse(Place.UNKNOWN));
  }

  static List<String> of(FindingKind kind, Place place) {
    return new NextSteps(place).of(kind);
  }

  private List<String> of(FindingKind kind) {
    return switch (kind) {
      case EFA_FALLBACK -> List.of(inPod("fi_info -p efa"), inPod("ls /dev/infiniband"));
      case NETWORK_FALLBACK -> List.of(inPod("ibv_devinfo"), inPod(VARIABLES));
      case SOCKET_TRANSPORT -> List.of(inPod(VARIABLES), inPod("ibv_devinfo"));
      case SHM_FALLBACK -> List.of(inPod("nvidia-smi topo -p2p r"), inPod("env | grep NCCL_P2P"));
      case P2P_READ -> List.of(inPod("env | grep NCCL_P2P"));
      case SPLIT_PLACEMENT, PLACEMENT_ADVICE -> List.of(pods("-o wide"));
      case GDR_MISSING, GDR_DISAGREEMENT ->
          List.of(
              "lsmod | grep -E 'nvidia_peermem|gdrdrv|ib_core'",
              inPod("env | grep -E 'NCCL_NET_GDR|FI_EFA_USE_DEVICE_RDMA'"));
      case NIC_SHORTFALL -> List.of(inPod("fi_info -p efa"), describe("ls /sys/class/infiniband"));
      case OFFLOAD_MISSING -> List.of(inPod("env | grep -E 'NCCL_(NVLS|COLLNET|ALGO)'"));
      case LINK_DEGRADED ->
          List.of(inPod("nvidia-smi nvlink --status"), inPod("nvidia-smi nvlink --errorcounters"));
      case NETWORK_ERRORS ->
          List.of(
              "grep . /sys/class/infiniband/*/ports/*/counters/link_downed",
              "grep . /sys/class/infiniband/*/ports/*/hw_counters/retrans_pkts /sys/class/infiniband/*/ports/*/hw_counters/out_of_sequence");
      case TRANSPORT_REGRESSION ->
          List.of(inPod(VARIABLES), describe("ls /sys/class/infiniband /sys/class/net"));
      case NCCL_ERROR ->
          List.of(inPod(VARIABLES), describe("dmesg -T | grep -iE 'xid|nvrm|mlx5|efa'"));
      case VERSION_MISMATCH ->
          List.of(pods("-o 'custom-columns=NAME:.metadata.name,IMAGE:.spec.containers[*].image'"));
      case ENV_DRIFT -> List.of(inPod(VARIABLES));
      case STRAGGLER ->
          List.of(inPod(stack()), inPod("nvidia-smi" + gpu() + " -q -d PERFORMANCE,CLOCK"));
      case HANG -> List.of(inPod(stack()), inPod("nvidia-smi"));
      case BARRIER_WAIT -> List.of(inPod("nvidia-smi dmon -s pucm -c 10"));
      case LATE_START ->
          List.of(describe("ps -eo pid,lstart,args --sort=start_time | tail -n 20"), previousLog());
      case JOB_FAILED -> died(FailureClass.UNKNOWN);
      case STEP_REGRESSION -> List.of(inPod("nvidia-smi -q -d PERFORMANCE,CLOCK"));
      case GPU_THROTTLED ->
          List.of(inPod("nvidia-smi" + gpu() + " -q -d PERFORMANCE,TEMPERATURE,POWER"));
      case GPU_ERROR ->
          List.of(inPod("nvidia-smi" + gpu() + " -q -d ECC,ROW_REMAPPER"), "dcgmi diag -r 3");
      case BANDWIDTH_BELOW_EXPECTED -> List.of(inPod("nvidia-smi topo -m"), "dcgmi diag -r 3");
      case SENSOR_STALLED -> List.of("timeout 10 nvidia-smi", "dmesg -T | grep -i nvrm");
      case TELEMETRY_GAP -> List.of("kubectl -n ringside-agents get pods -o wide" + onNode());
      case TIMING_UNRELIABLE ->
          List.of(
              "export PYTHONUNBUFFERED=1 NCCL_DEBUG_TIMESTAMP_LEVELS=ALL NCCL_DEBUG_TIMESTAMP_FORMAT='[%F %T.%6f] '");
      case UNPARSED_LINES -> List.of(inPod("env | grep NCCL_DEBUG"));
    };
  }

  /// Commands for a failed job, by the class of its failure.
  ///
  /// @param about as for every finding
  static List<String> ofDeath(FailureClass failure, Collection<TrainingProcess> about) {
    var place = about.stream().findFirst().map(Place::of).orElse(Place.UNKNOWN);
    return new NextSteps(place).died(failure);
  }

  /// In Kubernetes, commands about the pod, which is gone; elsewhere, commands on the host.
  private List<String> died(FailureClass failure) {
    if (inKubernetes()) {
      return List.of("%s describe pod %s".formatted(kubectl(), pod()), previousLog());
    }
    return switch (failure) {
      case GPU_OUT_OF_MEMORY ->
          List.of("nvidia-smi --query-compute-apps=gpu_bus_id,pid,used_memory --format=csv");
      case DISK_FULL -> List.of("df -h", "df -i");
      case SEGFAULT -> List.of("coredumpctl list", "dmesg -T | grep -i segfault");
      case GPU_ERROR ->
          List.of("dmesg -T | grep -iE 'xid|nvrm'", "nvidia-smi -q -d ECC,ROW_REMAPPER");
      case NODE_LOST -> List.of("journalctl -k -b -1 -n 50");
      case NETWORK, NCCL -> List.of(VARIABLES, "dmesg -T | grep -iE 'xid|nvrm|mlx5|efa'");
      case CONFIGURATION -> List.of(VARIABLES, "ss -ltnp");
      case TIME_LIMIT, STOPPED ->
          List.of("sacct -X --starttime now-1day --format=JobID,State,Elapsed,Timelimit,ExitCode");
      case OUT_OF_MEMORY, KILLED, EXCEPTION, DATA, UNKNOWN ->
          List.of("dmesg -T | grep -iE 'oom|killed process|xid'", "journalctl -k --since -1h");
    };
  }

  /// Prints the stack of each thread of the process.
  private String stack() {
    return "py-spy dump --pid " + (place.pid() == 0 ? "PID" : place.pid());
  }

  private String gpu() {
    return place.busId().isEmpty() ? "" : " -i " + name(place.busId(), "GPU");
  }

  private String inPod(String command) {
    if (!inKubernetes()) {
      return command;
    }
    return command.contains("|")
        ? "%s exec %s -- sh -c \"%s\"".formatted(kubectl(), pod(), command)
        : "%s exec %s -- %s".formatted(kubectl(), pod(), command);
  }

  /// @param elsewhere equivalent command on a host without Kubernetes
  private String describe(String elsewhere) {
    return inKubernetes() ? "%s describe pod %s".formatted(kubectl(), pod()) : elsewhere;
  }

  private String previousLog() {
    return inKubernetes()
        ? "%s logs %s --previous --tail=100".formatted(kubectl(), pod())
        : "journalctl -k --since -1h";
  }

  private String pods(String options) {
    return kubectl() + " get pods " + options;
  }

  private String onNode() {
    return place.node().isEmpty()
        ? ""
        : " --field-selector spec.nodeName=" + name(place.node(), "NODE");
  }

  private boolean inKubernetes() {
    return !place.namespace().isEmpty();
  }

  private String kubectl() {
    return inKubernetes() ? "kubectl -n " + name(place.namespace(), "NAMESPACE") : "kubectl";
  }

  private String pod() {
    return name(place.pod(), "POD");
  }

  private static String name(String name, String placeholder) {
    return PLAIN_NAME.matcher(name).matches() ? name : placeholder;
  }
}
