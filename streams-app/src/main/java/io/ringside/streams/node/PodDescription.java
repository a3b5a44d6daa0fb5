package io.ringside.streams.node;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.parse.event.FailureEvent.Described;
import io.ringside.streams.parse.event.FailureEvent.Reported;
import io.ringside.streams.parse.failure.DescribeLines;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Puts together what `kubectl describe pod` tells of a container's end. Remembered from chunk to
/// chunk. Owned by one stream thread.
///
/// ```text
///   Name:         llama-0
///       Image:          registry/train:7     a container: one beside the program tells nothing of it
///       State:          Running              the one that is there
///       Last State:     Terminated           the one before it
///         Reason:       OOMKilled
///         Exit Code:    137
///         nvidia.com/gpu:  8                 of several containers the one with GPUs is the job's
///   Conditions:
/// ```
final class PodDescription {
  private static final int SIGINT = 130;
  private static final int SIGKILL = 137;
  private static final int SIGSEGV = 139;
  private static final int SIGTERM = 143;

  private String pod = "";
  private int containers;
  private boolean beside;

  /// What the present container does, empty where it is not told.
  private String present = "";

  private boolean inState;
  private boolean inLast;
  private String reason = "";
  private @Nullable Reported waiting;

  Optional<Reported> read(Described line) {
    var value = line.value();
    switch (line.field()) {
      case "Name" -> {
        close();
        pod = value;
        containers = 0;
        waiting = null;
      }
      case "Image" -> {
        close();
        containers++;
        present = "";
        waiting = null;
        beside = DescribeLines.isBeside(value);
      }
      case "State" -> {
        close();
        present = value;
        inState = true;
      }
      case "Last State" -> {
        close();
        inLast = true;
      }
      case "Reason" -> reason = reason.isEmpty() ? value : reason;
      case "Exit Code" -> {
        var ended = ended(value);
        close();
        if (containers == 0) {
          return ended;
        }
        waiting = ended.filter(_ -> !beside).orElse(waiting);
      }
      case "Conditions" -> {
        var only = containers == 1 ? waiting : null;
        containers = 0;
        waiting = null;
        present = "";
        return Optional.ofNullable(only);
      }
      default -> {
        var ofGpus = waiting;
        waiting = null;
        return Optional.ofNullable(ofGpus);
      }
    }
    return Optional.empty();
  }

  private void close() {
    inState = false;
    inLast = false;
    reason = "";
  }

  /// Of a container that ended by itself what came before it is no more of interest.
  private Optional<Reported> ended(String code) {
    if (!inState && (!inLast || present.equals("Terminated")) || !code.matches("\\d{1,3}")) {
      return Optional.empty();
    }
    boolean before = inLast && present.equals("Running");
    return failure(Integer.parseInt(code))
        .map(
            failure ->
                new Reported(
                    pod.isEmpty() ? "" : "pod/" + pod,
                    failure,
                    "%s, exit code %s".formatted(reason.isEmpty() ? "Terminated" : reason, code),
                    true,
                    true,
                    before));
  }

  /// SIGTERM and SIGINT are how pods are taken away after their work as well.
  private Optional<FailureClass> failure(int code) {
    if (reason.equals("OOMKilled")) {
      return Optional.of(FailureClass.OUT_OF_MEMORY);
    }
    return switch (code) {
      case 0, SIGTERM, SIGINT -> Optional.empty();
      case SIGKILL -> Optional.of(FailureClass.KILLED);
      case SIGSEGV -> Optional.of(FailureClass.SEGFAULT);
      default ->
          Optional.of(
              reason.equals("ContainerCannotRun") || reason.equals("StartError")
                  ? FailureClass.CONFIGURATION
                  : FailureClass.UNKNOWN);
    };
  }
}
