package io.ringside.shipper.source.pod;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/// How a pod or one of its containers ended, if it did not end well.
///
/// @param line `kubernetes: pod/llama-2 OOMKilled (container train, exit code 137): …`
/// @param nanos epoch nanoseconds of the end, or [io.ringside.schemas.event.LogChunk#NO_TIME]
public record PodEnd(String line, long nanos) {
  private static final int LONGEST_MESSAGE = 400;
  private static final int MOST = 64;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,252}");
  private static final Pattern REASON = Pattern.compile("[A-Za-z][A-Za-z0-9]{0,127}");
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  /// The ends in a pod's current state; none for a pod that runs or has completed. How a container
  /// ended before it was started again no longer counts, but it does while the container waits to
  /// be started again.
  public static List<PodEnd> of(JsonNode pod) {
    var name = pod.at("/metadata/name").asString("");
    var status = pod.path("status");
    if (!NAME.matcher(name).matches() || status.path("phase").asString("").equals("Succeeded")) {
      return List.of();
    }
    var ends = new ArrayList<PodEnd>();
    containers(name, status.path("containerStatuses"), ends);
    var reason = word(status.path("reason"));
    if (!reason.isEmpty()) {
      ends.add(new PodEnd(line(name, reason, "", status.path("message")), last(ends)));
    } else {
      disruption(name, status.path("conditions"), ends);
    }
    return ends;
  }

  private static void containers(String pod, JsonNode statuses, List<PodEnd> ends) {
    for (var container : statuses) {
      var state = container.path("state").path("terminated");
      if (container.at("/state/waiting/reason").asString("").equals("CrashLoopBackOff")) {
        state = container.path("lastState").path("terminated");
      }
      int code = state.path("exitCode").asInt(0);
      var reason = word(state.path("reason"));
      if (ends.size() < MOST && (code != 0 || reason.equals("OOMKilled"))) {
        var which = container.path("name").asString("");
        var words =
            NAME.matcher(which).matches()
                ? " (container %s, exit code %d)".formatted(which, code)
                : " (exit code %d)".formatted(code);
        ends.add(
            new PodEnd(
                line(pod, reason.isEmpty() ? "Error" : reason, words, state.path("message")),
                nanos(state.path("finishedAt"))));
      }
    }
  }

  /// Adds the reason why Kubernetes deletes the pod, if the pod's state has no reason.
  private static void disruption(String pod, JsonNode conditions, List<PodEnd> ends) {
    for (var condition : conditions) {
      var reason = word(condition.path("reason"));
      if (condition.path("type").asString("").equals("DisruptionTarget")
          && condition.path("status").asString("").equals("True")
          && !reason.isEmpty()) {
        ends.add(
            new PodEnd(
                line(pod, reason, "", condition.path("message")),
                nanos(condition.path("lastTransitionTime"))));
        return;
      }
    }
  }

  /// The state of a pod that has not ended: its phase, and how its containers ended before they
  /// were started again.
  public static Optional<PodEnd> standing(JsonNode pod) {
    var name = pod.at("/metadata/name").asString("");
    var phase = word(pod.at("/status/phase"));
    if (!NAME.matcher(name).matches() || phase.isEmpty()) {
      return Optional.empty();
    }
    var before = new StringJoiner(", ").setEmptyValue("");
    for (var container : pod.at("/status/containerStatuses")) {
      var last = container.at("/lastState/terminated");
      var reason = word(last.path("reason"));
      if (!reason.isEmpty() && before.length() < LONGEST_MESSAGE) {
        before.add(
            "a container ended before, %s %d".formatted(reason, last.path("exitCode").asInt(0)));
      }
    }
    return Optional.of(
        new PodEnd(line(name, phase, "", StringNode.valueOf(before.toString())), NO_TIME));
  }

  /// The end of a pod of which only the reason is known.
  public static PodEnd of(String pod, String reason) {
    return new PodEnd("kubernetes: pod/%s %s".formatted(pod, reason), NO_TIME);
  }

  private static String line(String pod, String reason, String words, JsonNode message) {
    var said = BLANKS.matcher(message.asString("").strip()).replaceAll(" ");
    var cut = said.substring(0, Math.min(said.length(), LONGEST_MESSAGE));
    return "kubernetes: pod/%s %s%s%s"
        .formatted(pod, reason, words, cut.isEmpty() ? "" : ": " + cut);
  }

  private static String word(JsonNode node) {
    var text = node.asString("");
    return REASON.matcher(text).matches() ? text : "";
  }

  private static long last(List<PodEnd> ends) {
    return ends.stream().mapToLong(PodEnd::nanos).max().orElse(NO_TIME);
  }

  private static long nanos(JsonNode time) {
    try {
      return time.isString()
          ? Nanos.of(OffsetDateTime.parse(time.stringValue()).toInstant())
          : NO_TIME;
    } catch (DateTimeException e) {
      return NO_TIME;
    }
  }
}
