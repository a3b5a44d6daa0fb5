package io.ringside.streams.node;

import io.ringside.streams.parse.event.FailureEvent.Described;
import io.ringside.streams.parse.event.FailureEvent.Reported;
import io.ringside.streams.parse.failure.ContainerEnd;
import io.ringside.streams.parse.failure.DescribeLines;
import io.ringside.streams.parse.failure.ListedEnd;
import io.ringside.streams.parse.failure.PodRows;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads from the output of `kubectl describe pod` how a container ended. Remembered from chunk to
/// chunk. Owned by one stream thread.
///
/// ```text
///   Name:         llama-0
///       Image:          registry/train:7     a container; one beside the program shows nothing
///       State:          Running              the present container
///       Last State:     Terminated           the one before it
///         Reason:       OOMKilled
///         Exit Code:    137
///         nvidia.com/gpu:  8                 of several containers the one with GPUs is the job's
///   Conditions:
/// ```
final class PodDescription {
  private String pod = "";
  private int containers;
  private boolean beside;

  /// State of the present container, empty if not given.
  private String present = "";

  /// Whether the pod itself has failed.
  private boolean failed;

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
        failed = false;
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
      case "Status" -> {
        close();
        failed = value.equals("Failed");
      }
      case "Reason" -> {
        reason = reason.isEmpty() ? value : reason;
        return taken("");
      }
      case "Message" -> {
        return taken(value);
      }
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

  /// How the pod itself ended, which stands above its containers: `Reason: Evicted`, and `Message:
  /// The node was low on resource: memory.` below that.
  private Optional<Reported> taken(String message) {
    var words = message.isEmpty() ? reason : reason + ": " + message;
    return failed && !inState && !inLast
        ? PodRows.failure(reason, message)
            .map(it -> named(new Reported("", it, "pod " + words, true, true, false)))
        : Optional.empty();
  }

  /// The event with the name of the described pod, if there is one.
  Reported named(Reported event) {
    return pod.isEmpty() || !event.object().isEmpty() || !ListedEnd.is(event)
        ? event
        : new Reported(
            "pod/" + pod,
            event.failureClass(),
            event.words(),
            event.end(),
            event.ofOwn(),
            event.before());
  }

  private void close() {
    inState = false;
    inLast = false;
    reason = "";
  }

  /// If the present container has terminated, the end of the one before it does not matter.
  private Optional<Reported> ended(String code) {
    if (!inState && (!inLast || present.equals("Terminated")) || !code.matches("\\d{1,3}")) {
      return Optional.empty();
    }
    boolean before = inLast && present.equals("Running");
    return ContainerEnd.of(reason, Integer.parseInt(code))
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
}
