package io.ringside.shipper.source.export;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.serde.EventJson;
import io.ringside.shipper.source.export.Entry.Labels;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Finds message, time and writer in an object, by the field names of log stores and collectors:
///
/// ```text
///   CloudWatch     message timestamp (ms) logStreamName; Insights @message @timestamp @logStream
///   Loki, Grafana  line timestamp (ns) fields/labels
///   journald       MESSAGE __REALTIME_TIMESTAMP (µs) _HOSTNAME
///   Fluent Bit     log date/time kubernetes{pod_name, host, container_name}
///   Vector         message timestamp kubernetes{pod_name, …}
///   HyperPod       details{message, timestamp} of its health monitoring agent; its msg is no use
///   Cloud Logging  textPayload timestamp resource{labels{pod_name, …}}
///   Elasticsearch  _source{message, @timestamp, kubernetes{pod{name}}}
/// ```
///
/// A message may itself be such an object, for example Fluent Bit's within CloudWatch's.
final class Entries {
  private static final List<String> MESSAGES =
      List.of(
          "message", "MESSAGE", "log", "line", "textPayload", "@message", "msg", "body", "text");

  private static final List<String> TIMES =
      List.of(
          "timestamp",
          "@timestamp",
          "time",
          "_SOURCE_REALTIME_TIMESTAMP",
          "__REALTIME_TIMESTAMP",
          "ts",
          "date");

  private static final List<String> PODS =
      List.of("pod_name", "pod", "k8s_pod_name", "podName", "logStreamName", "@logStream");

  private static final List<String> NAMESPACES =
      List.of("namespace_name", "pod_namespace", "namespace");

  private static final List<String> CONTAINERS = List.of("container_name", "container");

  private static final List<String> NODES =
      List.of("node_name", "pod_node_name", "node", "_HOSTNAME", "host", "hostname");

  /// Fields whose objects hold labels, outermost first.
  private static final List<String> HOLDERS =
      List.of("resource", "labels", "fields", "stream", "kubernetes", "metadata");

  /// Fields whose objects hold the entry. `details: ` is spelled like this in the source.
  private static final List<String> WRAPPERS =
      List.of("_source", "jsonPayload", "details", "details: ");

  private static final int DEEPEST = 3;

  private Entries() {}

  /// The entry in this object, or null if there is none.
  ///
  /// @param outer labels of the objects around it
  static @Nullable Entry of(JsonNode object, Labels outer) {
    return of(object, outer, NO_TIME, 0);
  }

  private static @Nullable Entry of(JsonNode object, Labels outer, long outerNanos, int depth) {
    if (!object.isObject()) {
      return null;
    }
    var labels = labels(object).or(outer);
    var time = time(object);
    var nanos = time == NO_TIME ? outerNanos : time;
    for (var holder : WRAPPERS) {
      var inner = object.path(holder);
      var entry = depth < DEEPEST && inner.isObject() ? of(inner, labels, nanos, depth + 1) : null;
      if (entry != null) {
        return entry;
      }
    }
    var message = message(object);
    if (message == null) {
      return null;
    }
    var inner = depth < DEEPEST && message.startsWith("{") ? parsed(message) : null;
    var nested = inner == null ? null : of(inner, labels, nanos, depth + 1);
    return nested == null ? new Entry(message, nanos, labels) : nested;
  }

  /// The entry as a JSON object that [#of] can read again.
  static String written(Entry entry) {
    var object = EventJson.MAPPER.createObjectNode().put("message", entry.message());
    if (entry.nanos() != NO_TIME) {
      object.put("timestamp", Nanos.instant(entry.nanos()).toString());
    }
    var labels = entry.labels();
    object
        .putObject("kubernetes")
        .put("node_name", labels.node())
        .put("namespace_name", labels.namespace())
        .put("pod_name", labels.pod())
        .put("container_name", labels.container());
    return object.toString();
  }

  private static @Nullable String message(JsonNode object) {
    for (var name : MESSAGES) {
      var value = object.path(name);
      if (value.isString()) {
        return value.stringValue();
      }
      // the journal writes text that is not plain UTF-8, such as colours, as an array of bytes
      if (value.isArray() && name.equals("MESSAGE")) {
        var bytes = new byte[value.size()];
        for (var i = 0; i < bytes.length; i++) {
          bytes[i] = (byte) value.get(i).asInt(0);
        }
        return new String(bytes, StandardCharsets.UTF_8);
      }
    }
    return null;
  }

  private static long time(JsonNode object) {
    for (var name : TIMES) {
      var nanos = Times.nanos(object.path(name));
      if (nanos != NO_TIME) {
        return nanos;
      }
    }
    return NO_TIME;
  }

  /// The labels in an object and in the objects it holds; inner ones take precedence.
  static Labels labels(JsonNode object) {
    var labels =
        new Labels(
            first(object, NODES),
            first(object, NAMESPACES),
            first(object, PODS),
            first(object, CONTAINERS));
    for (var holder : HOLDERS) {
      if (object.path(holder).isObject()) {
        labels = labels(object.path(holder)).or(labels);
      }
    }
    return labels;
  }

  private static String first(JsonNode object, List<String> names) {
    for (var name : names) {
      var value = object.path(name);
      var text = value.isObject() ? value.path("name") : value;
      if (text.isString() && !text.stringValue().isBlank()) {
        return text.stringValue();
      }
    }
    return "";
  }

  /// The text parsed as JSON, or null if it is not JSON.
  static @Nullable JsonNode parsed(String text) {
    try {
      return EventJson.MAPPER.readTree(text);
    } catch (JacksonException e) {
      return null;
    }
  }
}
