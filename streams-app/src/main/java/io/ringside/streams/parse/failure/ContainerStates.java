package io.ringside.streams.parse.failure;

import io.ringside.schemas.event.FailureClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The part `containerStatuses` of a pod, as YAML or JSON, on several lines or on one, with the
/// fields of the pod itself that follow it:
///
/// ```text
///   containerStatuses:
///   - image: registry/train:7
///     lastState: {}
///     name: trainer
///     state:
///       terminated:
///         exitCode: 139
///         reason: Error
///   phase: Failed
/// ```
public final class ContainerStates {
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<![\\w.-])\"?(name|image|state|lastState|terminated|running|waiting|exitCode|reason|message"
              + "|phase|hostIP|containerStatuses|\\w+ontainerStatuses)\"?\\s*:(?=\\s|[\\[{\"\\d]|$)"
              + "\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\"|'([^']*)'|([^\\s,{}\\[\\]]*))");

  private static final Pattern HEAD =
      Pattern.compile(
          "\\s*\"?containerStatuses\"?\\s*:.*|\\s*\"?(?:state|lastState)\"?\\s*:\\s*\\{?");

  /// Marks a part that is written on one line and reports an end.
  public static final String CODE = "\"exitCode\"";

  private static final Pattern BRACKETS = Pattern.compile("[\\[\\]{},]+");

  private static final Pattern OBJECT =
      Pattern.compile("(?:apiVersion|kind|metadata|spec|status):.*");

  /// Usual names of the container that does the work; Kubeflow's operators require theirs.
  private static final Pattern WORK =
      Pattern.compile(".*(?:train|torch|tensorflow|worker|master|main|mpi|node).*");

  private final List<Container> containers = new ArrayList<>();
  private Container container = new Container();
  private State state = new State();
  private boolean others;
  private boolean begins;
  private boolean ofPod;
  private String message = "";
  private String reason = "";
  private String phase = "";
  private int podLine;

  private ContainerStates() {}

  private static final class State {
    private String kind = "";
    private int code = -1;
    private int line;
    private String reason = "";

    private Optional<FailureClass> failure() {
      return kind.equals("terminated") && code >= 0
          ? ContainerEnd.of(reason, code)
          : Optional.empty();
    }
  }

  private static final class Container {
    private String name = "";
    private String image = "";
    private State present = new State();
    private State last = new State();

    private boolean isBeside() {
      return DescribeLines.isBeside(name) || DescribeLines.isBeside(image);
    }

    /// The end of the container: its last one if it now waits to be restarted.
    private State end() {
      return present.kind.equals("waiting") && last.code >= 0 ? last : present;
    }
  }

  /// Whether such a part begins here.
  public static boolean isHead(String line) {
    return HEAD.matcher(line).matches() || line.contains(CODE);
  }

  /// Whether the line continues such a part: indented, an item of a list, or only brackets.
  public static boolean isRow(String line) {
    return line.startsWith(" ")
        || line.startsWith("- ")
        || BRACKETS.matcher(line.strip()).matches()
        || TOKEN.matcher(line).lookingAt()
        || OBJECT.matcher(line).matches()
        || line.contains(CODE);
  }

  /// Reads such a part.
  ///
  /// @param pod name of the pod, empty where it is not known
  public static List<ListedEnd> read(List<String> lines, String pod) {
    var read = new ContainerStates();
    for (int line = 0; line < lines.size(); line++) {
      var text = lines.get(line).strip();
      read.begins = text.startsWith("- ") || text.equals("{");
      var token = TOKEN.matcher(text);
      while (token.find()) {
        var quoted = token.group(2) == null ? token.group(3) : token.group(2);
        read.token(token.group(1), quoted == null ? token.group(4) : quoted, line);
      }
    }
    return read.ends(pod.isEmpty() ? "" : "pod/" + pod);
  }

  private void token(String key, String value, int line) {
    switch (key) {
      case "name" -> next(!container.name.isEmpty()).name = value;
      case "image" -> next(!container.image.isEmpty()).image = value;
      case "state" -> {
        next(container.present.line > 0);
        state = container.present = begun(line);
      }
      case "lastState" -> {
        next(container.last.line > 0);
        state = container.last = begun(line);
      }
      case "terminated", "running", "waiting" -> state.kind = key;
      case "exitCode" -> {
        state.code = value.matches("\\d{1,3}") ? Integer.parseInt(value) : -1;
        state.line = line + 1;
      }
      case "reason" -> {
        if (ofPod) {
          reason = value;
          podLine = line;
        } else {
          state.reason = value;
        }
      }
      case "message" -> message = value;
      case "hostIP" -> ofPod = true;
      case "phase" -> {
        phase = value;
        ofPod = true;
      }
      default -> {
        others = !key.equals("containerStatuses");
        next(true);
      }
    }
  }

  private State begun(int line) {
    ofPod = false;
    var state = new State();
    state.line = line + 1;
    return state;
  }

  /// The container that the next field belongs to: a new one if the current one already has the
  /// field.
  private Container next(boolean told) {
    if (told || begins || containers.isEmpty() && !others) {
      container = new Container();
      if (!others) {
        containers.add(container);
      }
    }
    begins = false;
    return container;
  }

  private List<ListedEnd> ends(String object) {
    var told =
        containers.stream()
            .filter(it -> !it.present.kind.isEmpty() || !it.last.kind.isEmpty())
            .filter(it -> !it.isBeside())
            .toList();
    var named = told.stream().filter(it -> WORK.matcher(it.name).matches()).toList();
    var own = named.size() == 1 ? named : told;
    var ends = new ArrayList<ListedEnd>();
    for (var it : own) {
      var end = it.end();
      boolean before = it.present.kind.equals("running") && it.last.failure().isPresent();
      var of = before || it.present.kind.isEmpty() ? it.last : end;
      of.failure()
          .map(
              failure ->
                  ListedEnd.of(
                      of.line - 1,
                      object,
                      failure,
                      "container %s %s, exit code %d".formatted(it.name, of.reason, of.code),
                      own.size() == 1,
                      true))
          .map(listed -> before ? listed.before() : listed)
          .ifPresent(ends::add);
    }
    if (phase.equals("Failed")) {
      PodRows.failure(reason, message)
          .map(
              it ->
                  ListedEnd.of(
                      podLine, object, it, ("pod " + reason + " " + message).strip(), true, true))
          .ifPresent(ends::add);
    }
    return ends;
  }
}
