package io.ringside.streams.parse.failure;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The table of `kubectl get events` and of `kubectl events`: how long ago, type, reason, object and message, two blanks apart
/// at least. Kubernetes 1.33 (pkg/kubelet/eviction, pkg/controller/job, pkg/scheduler).
public final class KubernetesLines {
  private static final int COLUMNS = 5;

  private static final Pattern GAP = Pattern.compile(" {2,}");

  private KubernetesLines() {}

  /// The family's shapes, by the forms of an age.
  public static final List<Shape<TextLine>> SHAPES =
      Stream.of("#s", "#m", "#m#s", "#h", "#h#m", "#d", "#d#h")
          .map(age -> Shape.of(age + " *Warning *", "kubectl", KubernetesLines::event))
          .toList();

  /// `4m2s        Warning   Evicted                pod/vision-w-2     The node was low on resource: ephemeral-storage. …`.
  private static boolean event(TextLine line) {
    var columns = GAP.split(line.rest().strip(), COLUMNS);
    if (columns.length < COLUMNS || columns[3].indexOf('/') < 0) {
      return false;
    }
    var message = columns[4];
    var words = "%s %s: %s".formatted(columns[2], columns[3], message);
    return failure(columns[2], columns[3], message)
        .map(
            it ->
                line.emit(new FailureEvent.Reported(columns[3], it, FailureLines.shortened(words))))
        .orElse(false);
  }

  private static Optional<FailureClass> failure(String reason, String object, String words) {
    return switch (reason) {
      case "Evicted" -> Optional.of(evicted(words));
      case "DeadlineExceeded" -> Optional.of(FailureClass.TIME_LIMIT);
      case "Preempted" -> Optional.of(FailureClass.STOPPED);
      case "NodeNotReady" ->
          object.startsWith("pod/") ? Optional.of(FailureClass.NODE_LOST) : Optional.empty();
      default -> Optional.empty();
    };
  }

  /// `The node was low on resource: memory. …`, `The node had condition: [DiskPressure].`
  private static FailureClass evicted(String words) {
    if (words.contains("ephemeral-storage") || words.contains("DiskPressure")) {
      return FailureClass.DISK_FULL;
    }
    return words.contains("resource: memory") || words.contains("MemoryPressure")
        ? FailureClass.OUT_OF_MEMORY
        : FailureClass.STOPPED;
  }
}
