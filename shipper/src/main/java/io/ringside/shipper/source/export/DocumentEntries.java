package io.ringside.shipper.source.export;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.shipper.source.export.Entry.Labels;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Reads entries from anywhere in a document, holding one at a time:
///
/// ```text
///   CloudWatch  {"events": [ {entry}, … ]}, or any array of entries
///   Insights    {"results": [ [{"field": "@message", "value": "…"}, …], … ]}
///   Loki        {"data": {"result": [ {"stream": {labels}, "values": [["ns", "line"], …]} ]}}
/// ```
///
/// A document that breaks off ends the entries without an error. Not thread-safe.
final class DocumentEntries implements Export.Source {
  /// Objects that contain entries and are not fields of an entry.
  private static final Set<String> FRAMES = Set.of("data", "hits", "response");

  private final JsonParser parser;
  private final Deque<Frame> open = new ArrayDeque<>();
  private final Deque<Entry> ready = new ArrayDeque<>();
  private String name = "";
  private boolean ended;

  DocumentEntries(InputStream in) {
    this.parser = Export.parser(in);
  }

  /// An object or array being read.
  ///
  /// @param own its fields, or those of an Insights row
  /// @param values the first two strings in it, if it is an array
  /// @param outer labels of the objects around it
  private record Frame(boolean array, ObjectNode own, List<String> values, Labels outer) {}

  @Override
  public @Nullable Entry next() {
    while (ready.isEmpty() && !ended) {
      try {
        token(parser.nextToken());
      } catch (JacksonException e) {
        ended = true;
      }
    }
    return ready.poll();
  }

  private void token(@Nullable JsonToken token) {
    var frame = open.peek();
    if (token == null) {
      ended = true;
    } else if (token == JsonToken.PROPERTY_NAME) {
      name = parser.currentName();
    } else if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
      if (frame == null || frame.array() || isFrame(token)) {
        open(frame, token == JsonToken.START_ARRAY);
      } else {
        frame.own().set(name, parser.<JsonNode>readValueAsTree());
      }
    } else if (frame != null && token.isStructEnd()) {
      open.pop();
      close(frame);
    } else if (frame != null && !frame.array()) {
      frame.own().set(name, parser.<JsonNode>readValueAsTree());
    } else if (frame != null && token == JsonToken.VALUE_STRING && frame.values().size() < 2) {
      frame.values().add(parser.getString());
    }
  }

  /// Whether the token opens a frame of its own. The journal's MESSAGE may be an array of bytes,
  /// which is no frame.
  private boolean isFrame(JsonToken token) {
    return token == JsonToken.START_ARRAY ? !name.equals("MESSAGE") : FRAMES.contains(name);
  }

  private void open(@Nullable Frame around, boolean array) {
    var outer = around == null ? Labels.NONE : Entries.labels(around.own()).or(around.outer());
    open.push(new Frame(array, JsonNodeFactory.instance.objectNode(), new ArrayList<>(2), outer));
  }

  private void close(Frame frame) {
    var around = open.peek();
    if (around != null && around.array() && frame.own().has("field") && frame.own().has("value")) {
      around.own().set(frame.own().path("field").asString(""), frame.own().path("value"));
      return;
    }
    var entry = Entries.of(frame.own(), frame.outer());
    if (entry == null && frame.values().size() == 2) {
      var time = Times.nanos(frame.values().getFirst());
      entry = time == NO_TIME ? null : new Entry(frame.values().getLast(), time, frame.outer());
    }
    if (entry != null) {
      ready.add(entry);
    }
  }

  @Override
  public void close() {
    parser.close();
  }
}
