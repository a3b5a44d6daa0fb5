package io.ringside.streams.parse.failure;

import io.ringside.schemas.event.FailureClass;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Rows of `kubectl get pods`, also with `-o wide`, `-A` and `-w` (kubectl's
/// pkg/printers/internalversion/printers.go, `printPod`):
/// `llama-worker-1   0/1   OOMKilled   2 (5m ago)   31m`.
public final class PodRows {
  private static final Pattern ROW =
      Pattern.compile(
          "\\s*(?:[a-z0-9-]+\\s+)?(?:pod/)?(?<name>[a-z0-9][a-z0-9.-]*)\\s+(?<ready>\\d+)/(?<all>\\d+)"
              + "\\s+(?<status>[A-Z]\\S*)\\s+\\d+(?: \\(\\S+ ago\\))?\\s+(?<age>(?:\\d+[smhdy])+|<\\w+>)"
              + "(?:\\s+(?:[\\d.]{7,}|[0-9a-f:]{3,}|<none>)\\s+(?<node>\\S+).*|\\s.*)?");

  private static final Pattern UNIT = Pattern.compile("(\\d+)([smhdy])");

  private static final Pattern CODE = Pattern.compile("(?:ExitCode|Signal):(\\d{1,3})");

  private PodRows() {}

  /// @param node name of the node, empty where the row does not give it
  private record Row(
      int line, String name, int ready, int containers, String status, long age, String node) {
    String words() {
      return "pod %s %s%s".formatted(name, status, node.isEmpty() ? "" : " on " + node);
    }

    boolean isOfService() {
      return MachineLines.isService(name);
    }

    Optional<FailureClass> failure() {
      return PodRows.failure(status);
    }

    /// Whether the program itself ended. In a pod with several containers, it may be another
    /// container that ended.
    boolean whole() {
      return containers == 1
          || ready == 0 && !status.endsWith("Error") && !status.endsWith("BackOff");
    }
  }

  /// Whether the line is the head of such a table.
  public static boolean isHead(String line) {
    return line.matches("\\s*(?:NAMESPACE\\s+)?NAME\\s+READY\\s+STATUS\\s+RESTARTS\\s+AGE\\b.*");
  }

  /// Whether the line is a row of such a table.
  public static boolean isRow(String line) {
    return ROW.matcher(line).matches();
  }

  /// Reads the pods that did not end well, and the others. For a pod that is listed several times,
  /// the last row counts.
  public static List<ListedEnd> read(List<String> lines) {
    var rows = new LinkedHashMap<String, Row>();
    for (int line = 0; line < lines.size(); line++) {
      var row = ROW.matcher(lines.get(line));
      if (row.matches()) {
        rows.put(row.group("name"), row(line, row));
      }
    }
    var teams = new HashSet<String>();
    rows.values().stream()
        .filter(row -> !row.isOfService())
        .forEach(row -> teams.add(PodName.team(row.name())));
    boolean only = teams.size() == 1;
    var ends = new ArrayList<ListedEnd>();
    for (var row : rows.values()) {
      var failure = row.failure();
      var object = "pod/" + row.name();
      if (failure.isPresent() && !row.isOfService()) {
        boolean proven = row.whole() && rows.values().stream().noneMatch(it -> excuses(it, row));
        ends.add(ListedEnd.of(row.line(), object, failure.get(), row.words(), proven, only));
      } else if (failure.isEmpty() && !row.isOfService()) {
        ends.add(ListedEnd.stands(row.line(), object, row.words()));
      }
    }
    return ends;
  }

  private static Row row(int line, Matcher row) {
    var node = row.group("node");
    return new Row(
        line,
        row.group("name"),
        Integer.parseInt(row.group("ready")),
        Integer.parseInt(row.group("all")),
        row.group("status"),
        seconds(row.group("age")),
        node == null || node.startsWith("<") ? "" : node);
  }

  /// Whether a pod replaced one that ended, or completed the work. In the second case the ended pod
  /// may only have lost contact with the completed one.
  private static boolean excuses(Row other, Row ended) {
    boolean error = ended.status().equals("Error");
    return other.failure().isEmpty()
        && (!other.name().equals(ended.name())
                && PodName.slot(other.name()).equals(PodName.slot(ended.name()))
                && other.age() < ended.age()
            || error
                && other.status().equals("Completed")
                && PodName.team(other.name()).equals(PodName.team(ended.name())));
  }

  private static long seconds(String age) {
    var unit = UNIT.matcher(age);
    long seconds = 0;
    while (unit.find()) {
      seconds +=
          Long.parseLong(unit.group(1))
              * switch (unit.group(2)) {
                case "s" -> 1L;
                case "m" -> 60L;
                case "h" -> 3_600L;
                case "d" -> 86_400L;
                default -> 31_536_000L;
              };
    }
    return seconds;
  }

  /// Why a pod ended, from the column STATUS. Empty for a pod that runs, waits, is done or was
  /// asked to end.
  static Optional<FailureClass> failure(String status) {
    var code = CODE.matcher(status);
    if (code.find()) {
      int number = Integer.parseInt(code.group(1));
      return ContainerEnd.of("Error", status.contains("Signal:") ? 128 + number : number);
    }
    return Optional.ofNullable(word(status.substring(status.indexOf(':') + 1)));
  }

  /// The same for the status of a pod itself, which has fewer reasons and a longer message.
  public static Optional<FailureClass> failure(String reason, String message) {
    return switch (reason) {
      case "Evicted" -> Optional.of(KubernetesLines.evicted(message));
      case "NodeLost", "NodeShutdown", "DeadlineExceeded", "Preempting" -> failure(reason);
      default -> Optional.empty();
    };
  }

  private static @Nullable FailureClass word(String status) {
    return switch (status) {
      case "OOMKilled" -> FailureClass.OUT_OF_MEMORY;
      case "Evicted" -> KubernetesLines.evicted("");
      case "DeadlineExceeded" -> FailureClass.TIME_LIMIT;
      case "Preempting", "Preempted" -> FailureClass.STOPPED;
      // `Unknown` is a pod whose node does not answer and that is being removed
      case "NodeLost", "Unknown", "NodeShutdown", "Shutdown", "Terminated" ->
          FailureClass.NODE_LOST;
      case "ContainerCannotRun", "StartError", "RunContainerError" -> FailureClass.CONFIGURATION;
      case "Error", "CrashLoopBackOff", "ContainerStatusUnknown", "Failed" -> FailureClass.UNKNOWN;
      default -> null;
    };
  }
}
