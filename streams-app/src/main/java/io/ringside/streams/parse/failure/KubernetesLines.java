package io.ringside.streams.parse.failure;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.event.PodTeam;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The table of `kubectl get events` and of `kubectl events`: age, type, reason, object and
/// message, at least two blanks between them. Kubernetes 1.33 (pkg/kubelet/eviction,
/// pkg/controller/job, pkg/scheduler). Also the lines that the agent and `analyze` make from a
/// pod's state and from AWS's answers:
/// `kubernetes: pod/llama-2 OOMKilled (container train, exit code 137)`.
public final class KubernetesLines {
  private static final int COLUMNS = 5;

  private static final Pattern GAP = Pattern.compile(" {2,}");

  private static final Pattern STATE =
      Pattern.compile(
          "(pod|job)/(\\S{1,300}) (\\w+)(?: \\((?:container \\S+, )?exit code (-?\\d{1,4})\\))?(?:: (.*))?");

  private static final Pattern EXIT_CODE = Pattern.compile("(?i)exit ?code:? \"?(\\d{1,3})\\b");

  /// The reason of the event with which the kubelet rejects a pod.
  private static final String REJECTED = "UnexpectedAdmissionError";

  private static final int SIGINT = 130;
  private static final int SIGKILL = 137;
  private static final int SIGSEGV = 139;
  private static final int SIGTERM = 143;

  private KubernetesLines() {}

  /// The family's shapes: events by the format of their age, and states.
  public static final List<Shape<TextLine>> SHAPES =
      Stream.concat(
              Stream.of("#s", "#m", "#m#s", "#h", "#h#m", "#d", "#d#h")
                  .map(age -> Shape.of(age + " *Warning *", "kubectl", KubernetesLines::event)),
              Stream.<Shape<TextLine>>of(
                  Shape.of("Warning  *", "kubectl, behind a time", KubernetesLines::event),
                  Shape.of("The node was low on resource: *", "kubelet", KubernetesLines::low),
                  Shape.of(
                      "command terminated with exit code #",
                      "kubectl exec",
                      KubernetesLines::executed),
                  Shape.of("kubernetes: pod/* *", "Ringside", KubernetesLines::pod),
                  Shape.of("aws: job/* *", "Ringside", KubernetesLines::job)))
          .toList();

  /// An event, after its age or its time, which is read like the time of any line:
  /// `4m2s        Warning   Evicted                pod/vision-w-2     The node was low on resource:
  /// ephemeral-storage. …`.
  private static boolean event(TextLine line) {
    var cells = GAP.split(line.rest().strip());
    int type = List.of(cells).indexOf("Warning");
    boolean old = type > 2;
    int message = type + (old ? 3 : COLUMNS - 2);
    if (type < 0 || cells.length <= message) {
      return false;
    }
    if (type == 0 && cells[2].indexOf('/') < 0) {
      return ofDescribed(line, cells[1], cells[COLUMNS - 1]);
    }
    var object = old ? object(cells, type) : cells[type + 2];
    if (object.indexOf('/') < 0
        || MachineLines.isService(object.substring(object.indexOf('/') + 1))) {
      return false;
    }
    var reason = cells[type + 1];
    var said = String.join("  ", List.of(cells).subList(message, cells.length));
    var words = "%s %s: %s".formatted(reason, object, said);
    return failure(reason, object, said)
        .map(
            it ->
                line.emit(
                    new FailureEvent.Reported(
                        object, it, Statements.shortened(words), reason.equals(REJECTED))))
        .orElse(false);
  }

  /// An event below a description that names the pod:
  /// `Warning  Evicted  2m  kubelet  The node was low on …`.
  private static boolean ofDescribed(TextLine line, String reason, String said) {
    var words = Statements.shortened("pod %s: %s".formatted(reason, said));
    return failure(reason, "pod/", said)
        .map(
            it ->
                line.emit(
                    new FailureEvent.Reported(
                        "", it, words, !reason.equals("NodeNotReady"), true, false)))
        .orElse(false);
  }

  /// The object of an event in the columns of kubectl up to 1.12: last seen, first seen, count, the
  /// event's name, the object's kind and part, type, reason, source, message. The event's name is
  /// the object's name, a dot and a number.
  private static String object(String[] cells, int type) {
    for (int at = 2; at < type; at++) {
      int dot = cells[at - 1].lastIndexOf('.');
      if (dot > 0 && (cells[at].equals("Pod") || cells[at].equals("Job"))) {
        return cells[at].toLowerCase(Locale.ROOT) + "/" + cells[at - 1].substring(0, dot);
      }
    }
    return "";
  }

  private static Optional<FailureClass> failure(String reason, String object, String words) {
    return switch (reason) {
      case "Evicted" -> Optional.of(evicted(words));
      case "DeadlineExceeded" -> Optional.of(FailureClass.TIME_LIMIT);
      case "Preempted" -> Optional.of(FailureClass.STOPPED);
      case REJECTED -> rejected(words);
      case "NodeNotReady" ->
          object.startsWith("pod/") ? Optional.of(FailureClass.NODE_LOST) : Optional.empty();
      default -> Optional.empty();
    };
  }

  /// `Allocate failed due to no healthy devices present; cannot allocate unhealthy devices
  /// nvidia.com/gpu, which is unexpected`: the device plugin reports the node's GPUs as broken, and
  /// the pod fails for good (pkg/kubelet/cm/devicemanager/manager.go).
  private static Optional<FailureClass> rejected(String words) {
    return words.contains("no healthy devices present") && words.contains("gpu")
        ? Optional.of(FailureClass.GPU_ERROR)
        : Optional.empty();
  }

  /// `The node was low on resource: memory. …`, `The node had condition: [DiskPressure].`
  static FailureClass evicted(String words) {
    if (words.contains("ephemeral-storage") || words.contains("DiskPressure")) {
      return FailureClass.DISK_FULL;
    }
    return words.contains("resource: memory") || words.contains("MemoryPressure")
        ? FailureClass.OUT_OF_MEMORY
        : FailureClass.STOPPED;
  }

  /// The message of an eviction alone, as somebody copied it (kubelet's
  /// pkg/kubelet/eviction/helpers.go).
  private static boolean low(TextLine line) {
    var words = Statements.shortened(line.rest());
    return line.emit(new FailureEvent.Said(line.rank(), evicted(words), words));
  }

  /// How the program of `kubectl exec` ended. Other codes may come from any command that somebody
  /// ran to look at the job, and 130 from an interruption of it.
  private static boolean executed(TextLine line) {
    var words = line.ahead();
    return switch (line.expect("command terminated with exit code ").integer()) {
      case SIGKILL -> command(line, FailureClass.KILLED, words);
      case SIGSEGV -> command(line, FailureClass.SEGFAULT, words);
      default -> false;
    };
  }

  private static boolean command(TextLine line, FailureClass failure, String words) {
    return line.done()
        && line.emit(new FailureEvent.Reported("", failure, words, true, true, false));
  }

  private static boolean pod(TextLine line) {
    var state = STATE.matcher(line.expect("kubernetes: ").rest());
    if (!state.matches()) {
      return false;
    }
    var message = said(state.group(5));
    return switch (state.group(3)) {
      case "OOMKilled" -> ended(line, state, FailureClass.OUT_OF_MEMORY);
      case "Evicted" -> ended(line, state, evicted(message));
      case "DeadlineExceeded" -> ended(line, state, FailureClass.TIME_LIMIT);
      case "Preempted", "Preempting", "PreemptionByScheduler", "EvictionByEvictionAPI" ->
          ended(line, state, FailureClass.STOPPED);
      case "NodeLost", "NodeShutdown", "DeletionByTaintManager", "DeletionByPodGC" ->
          ended(line, state, FailureClass.NODE_LOST);
      case "NodeNotReady" -> told(line, state, FailureClass.NODE_LOST, false);
      case "NodeMemoryPressure" -> told(line, state, FailureClass.OUT_OF_MEMORY, false);
      case "NodeDiskPressure" -> told(line, state, FailureClass.DISK_FULL, false);
      case "Terminated", "Shutdown" ->
          message.contains("node shutdown") && ended(line, state, FailureClass.NODE_LOST);
      case REJECTED -> ended(line, state, rejected(message).orElse(FailureClass.UNKNOWN));
      case "ContainerCannotRun", "StartError" -> ended(line, state, FailureClass.CONFIGURATION);
      case "Error", "CrashLoopBackOff", "ContainerStatusUnknown" ->
          coded(line, state, state.group(4));
      case "Team" -> line.emit(new PodTeam(message));
      case "Pending", "Running", "Succeeded", "Unknown" -> stands(line, state);
      default -> state.group(4) != null && coded(line, state, state.group(4));
    };
  }

  /// Reads Batch's `statusReason` and `reason`, SageMaker's `SecondaryStatus` and `FailureReason`.
  private static boolean job(TextLine line) {
    var state = STATE.matcher(line.expect("aws: ").rest());
    if (!state.matches()) {
      return false;
    }
    var status = state.group(3);
    var message = said(state.group(5));
    if (message.contains("OutOfMemoryError: Container killed")
        || message.contains("instance type with more memory")) {
      return ended(line, state, FailureClass.OUT_OF_MEMORY);
    }
    if (message.startsWith("Host EC2 ") || status.equals("Interrupted")) {
      return ended(line, state, FailureClass.NODE_LOST);
    }
    if (status.equals("MaxRuntimeExceeded")
        || status.equals("MaxWaitTimeExceeded")
        || message.contains("attempt duration exceeded timeout")) {
      return ended(line, state, FailureClass.TIME_LIMIT);
    }
    if (status.equals("Stopped")) {
      return ended(line, state, FailureClass.STOPPED);
    }
    var code = EXIT_CODE.matcher(message);
    return coded(
        line, state, state.group(4) == null && code.find() ? code.group(1) : state.group(4));
  }

  /// SIGTERM and SIGINT count as no failure: pods are also removed this way after their work is
  /// done.
  private static boolean coded(TextLine line, Matcher state, @Nullable String code) {
    return switch (code == null ? 1 : Integer.parseInt(code)) {
      case 0, SIGTERM, SIGINT -> stands(line, state);
      case SIGKILL -> ended(line, state, FailureClass.KILLED);
      case SIGSEGV -> ended(line, state, FailureClass.SEGFAULT);
      default -> ended(line, state, FailureClass.UNKNOWN);
    };
  }

  private static boolean ended(TextLine line, Matcher state, FailureClass failure) {
    return told(line, state, failure, true);
  }

  /// A state that is no end. Its presence shows which listing was saved.
  private static boolean stands(TextLine line, Matcher state) {
    return told(line, state, FailureClass.UNKNOWN, false);
  }

  private static boolean told(TextLine line, Matcher state, FailureClass failure, boolean end) {
    var object = (state.group(1).equals("pod") ? "pod/" : "aws/") + state.group(2);
    return line.emit(
        new FailureEvent.Reported(object, failure, Statements.shortened(state.group()), end));
  }

  private static String said(@Nullable String message) {
    return message == null ? "" : message;
  }
}
