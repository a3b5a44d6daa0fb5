package io.ringside.shipper.source.export;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Turns one pod of `kubectl describe pod` back into the JSON object that it was printed from,
/// limited to fields that tell how containers ended:
///
/// ```text
///   Name:             llama-2
///   Status:           Failed
///   Reason:           Evicted
///   Containers:
///     train:
///       State:          Terminated
///         Reason:       OOMKilled
///         Exit Code:    137
///   Events:
///     Warning  Evicted  5m  kubelet  The node was low on resource: memory.
/// ```
///
/// The text may also be a part without the pod's name: the states of a container, or the events.
final class DescribedPod {
  private static final Pattern FIELD = Pattern.compile("( *)([A-Z][A-Za-z ]*): *(.*)");
  private static final Pattern CONTAINER = Pattern.compile(" {2}([a-z0-9][a-z0-9-]*):\\s*");
  private static final Pattern GAP = Pattern.compile(" {2,}");
  private static final int EVENT_COLUMNS = 5;
  private static final int MOST_CONTAINERS = 64;

  private final ObjectNode pod = JsonNodeFactory.instance.objectNode();
  private String section = "";
  private ObjectNode container = JsonNodeFactory.instance.objectNode();
  private ObjectNode state = JsonNodeFactory.instance.objectNode();
  private final boolean part;

  private DescribedPod(boolean part) {
    this.part = part;
  }

  static DescribedPod whole() {
    return new DescribedPod(false);
  }

  /// A pod whose name is in the command that printed it.
  static DescribedPod named(String name) {
    var described = whole();
    described.top("Name", name);
    return described;
  }

  /// A pasted part lacks the pod's name and may have any indentation.
  static DescribedPod part() {
    var described = new DescribedPod(true);
    described.pod.withObject("/metadata").put("name", "unnamed");
    described.section = "Containers";
    described.container("");
    return described;
  }

  /// Takes the next line.
  ///
  /// @return a line that is complete on its own: an event, in the form of the table of events
  Optional<String> line(String line) {
    var field = FIELD.matcher(line);
    if (section.equals("Events") && line.startsWith("  ")) {
      return event(line);
    }
    if (part) {
      return ofPart(line, field);
    }
    if (section.equals("Containers") && CONTAINER.matcher(line).matches()) {
      container(line.strip().replace(":", ""));
    } else if (field.matches()) {
      switch (field.group(1).length()) {
        case 0 -> top(field.group(2), field.group(3).strip());
        case 4 -> state(field.group(2), field.group(3).strip());
        case 6 -> detail(field.group(2), field.group(3).strip());
        default -> {
          // a field that does not concern the end
        }
      }
    }
    return Optional.empty();
  }

  private Optional<String> ofPart(String line, Matcher field) {
    if (!field.matches()) {
      return Optional.of(line);
    }
    var name = field.group(2);
    var value = field.group(3).strip();
    switch (name) {
      case "Events" -> section = name;
      case "State", "Last State" -> state(name, value);
      default -> detail(name, value);
    }
    return Optional.empty();
  }

  private void top(String name, String value) {
    section = name;
    switch (name) {
      case "Name" -> pod.withObject("/metadata").put("name", value);
      case "Status" -> pod.withObject("/status").put("phase", value);
      case "Reason" -> pod.withObject("/status").put("reason", value);
      case "Message" -> pod.withObject("/status").put("message", value);
      default -> {
        // a field that does not concern the end
      }
    }
  }

  private void container(String name) {
    var all = pod.withArray("/status/containerStatuses");
    container = JsonNodeFactory.instance.objectNode().put("name", name);
    if (all.size() < MOST_CONTAINERS) {
      all.add(container);
    }
  }

  private void state(String name, String value) {
    state = JsonNodeFactory.instance.objectNode();
    if (section.equals("Containers") && (name.equals("State") || name.equals("Last State"))) {
      var which = name.equals("State") ? "state" : "lastState";
      state =
          container.withObject(
              "/" + which + "/" + (value.equals("Terminated") ? "terminated" : "waiting"));
    }
  }

  private void detail(String name, String value) {
    switch (name) {
      case "Reason" -> state.put("reason", value);
      case "Message" -> state.put("message", value);
      case "Exit Code" -> {
        if (value.matches("\\d{1,3}")) {
          state.put("exitCode", Integer.parseInt(value));
        }
      }
      case "Finished" -> state.put("finishedAt", iso(value));
      default -> {
        // a field that does not concern the end
      }
    }
  }

  private static String iso(String time) {
    try {
      return OffsetDateTime.parse(time, DateTimeFormatter.RFC_1123_DATE_TIME).toString();
    } catch (DateTimeException e) {
      return "";
    }
  }

  /// `Warning  Evicted  5m (x2 over 6m)  kubelet  The node was low on resource: memory.`
  private Optional<String> event(String line) {
    var cells = GAP.split(line.strip(), EVENT_COLUMNS);
    return cells.length == EVENT_COLUMNS && cells[0].equals("Warning")
        ? Optional.of(
            "%s   Warning   %s   pod/%s   %s"
                .formatted(cells[2], cells[1], pod.at("/metadata/name").asString(""), cells[4]))
        : Optional.empty();
  }

  /// The pod. If a part holds only a last state, that becomes the state, since it says why the
  /// container ended before its restart.
  JsonNode pod() {
    if (part && !container.has("state") && container.has("lastState")) {
      container.set("state", container.get("lastState"));
    }
    return pod;
  }
}
