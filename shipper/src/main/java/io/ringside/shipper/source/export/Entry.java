package io.ringside.shipper.source.export;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import java.util.ArrayList;
import java.util.List;

/// One entry of a log store.
///
/// @param message what the program wrote, one line or more
/// @param nanos epoch nanoseconds, or [io.ringside.schemas.event.LogChunk#NO_TIME]
record Entry(String message, long nanos, Labels labels) {

  /// The writer's names; empty where unknown.
  record Labels(String node, String namespace, String pod, String container) {
    static final Labels NONE = new Labels("", "", "", "");

    /// These labels, with empty ones filled in from the outer labels.
    Labels or(Labels outer) {
      return new Labels(
          node.isEmpty() ? outer.node : node,
          namespace.isEmpty() ? outer.namespace : namespace,
          pod.isEmpty() ? outer.pod : pod,
          pod.isEmpty() ? outer.container : container);
    }
  }

  /// The entry's lines in the form
  /// `2026-11-20T20:42:26.942Z [node/ip-10-0-0-1] [pod/llama-0/trainer] text`. Unknown parts are
  /// left out.
  List<String> lines() {
    var head = new StringBuilder();
    if (nanos != NO_TIME) {
      head.append(Nanos.instant(nanos)).append(' ');
    }
    if (!labels.node().isEmpty()) {
      head.append("[node/").append(word(labels.node())).append("] ");
    }
    if (!labels.pod().isEmpty()) {
      head.append("[pod/").append(word(labels.pod()));
      if (!labels.container().isEmpty()) {
        head.append('/').append(word(labels.container()));
      }
      head.append("] ");
    }
    var lines = new ArrayList<String>();
    for (var line : message.stripTrailing().split("\n", -1)) {
      lines.add(head + line);
    }
    return lines;
  }

  private static String word(String name) {
    return name.replace('/', '.').replace(']', '.').replace(' ', '_');
  }
}
