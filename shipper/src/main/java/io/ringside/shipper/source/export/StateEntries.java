package io.ringside.shipper.source.export;

import io.ringside.shipper.source.pod.PodEnd;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Reads answers of Kubernetes and AWS about pods and jobs, as one line for each that did not end
/// well:
///
/// ```text
///   {"kind": "Pod", …}, {"items": [{"kind": "Pod", …}, …]}   kubectl get pods -o json
///   {"jobs": [{"jobId": …}, …]}                              aws batch describe-jobs
///   {"TrainingJobName": …}                                   aws sagemaker describe-training-job
/// ```
///
/// An answer that breaks off ends the entries without an error. Not thread-safe.
final class StateEntries implements Export.Source {
  private static final Pattern POD =
      Pattern.compile("\"kind\"\\s*:\\s*\"(?:Pod|PodList)\"\\s*[,}]");
  private static final Pattern BEGIN_OF_POD =
      Pattern.compile("\\{\\s*\"(?:apiVersion|items|kind|metadata|type)\"\\s*:");
  private static final Pattern BATCH =
      Pattern.compile("(?:\\{\\s*\"jobs\"\\s*:\\s*)?\\[?\\s*\\{\\s*\"\\w+\"\\s*:");

  private final JsonParser parser;
  private final Deque<Entry> ready = new ArrayDeque<>();
  private final AwsJobs aws = new AwsJobs();
  private ObjectNode own = JsonNodeFactory.instance.objectNode();
  private boolean ended;

  StateEntries(InputStream in) {
    this.parser = Export.parser(in);
  }

  /// A reader for an answer in JSON or text.
  static Export.Source open(InputStream in) throws IOException {
    var head = in.readNBytes(Export.HEAD);
    var whole = new SequenceInputStream(new ByteArrayInputStream(head), in);
    return isJson(Export.start(head, head.length)) ? new StateEntries(whole) : new StateText(whole);
  }

  /// Whether a text begins like such an answer.
  static boolean recognises(String text) {
    return isJson(text)
        ? BEGIN_OF_POD.matcher(text).lookingAt() && POD.matcher(text).find()
            || text.contains("\"TrainingJobName\"") && text.contains("\"TrainingJobStatus\"")
            || text.contains("\"jobId\"")
                && text.contains("\"jobName\"")
                && text.contains("\"status\"")
                && BATCH.matcher(text).lookingAt()
        : StateText.recognises(text);
  }

  private static boolean isJson(String text) {
    return text.startsWith("{") || text.startsWith("[");
  }

  @Override
  public @Nullable Entry next() {
    while (ready.isEmpty() && !ended) {
      try {
        token(parser.nextToken());
      } catch (JacksonException e) {
        finish();
      }
    }
    return ready.poll();
  }

  /// Collects the members of the outermost object, except its list of objects, which are read one
  /// by one.
  private void token(@Nullable JsonToken token) {
    if (token == null) {
      finish();
    } else if (token == JsonToken.START_OBJECT) {
      if (parser.streamReadContext().getParent().inRoot()) {
        own = JsonNodeFactory.instance.objectNode();
      } else {
        object(parser.readValueAsTree());
      }
    } else if (token == JsonToken.END_OBJECT) {
      object(own);
      own = JsonNodeFactory.instance.objectNode();
    } else if (token == JsonToken.PROPERTY_NAME) {
      var name = parser.currentName();
      if (parser.nextToken() != JsonToken.START_ARRAY
          || !name.equals("items") && !name.equals("jobs")) {
        own.set(name, parser.<JsonNode>readValueAsTree());
      }
    }
  }

  private void object(JsonNode object) {
    var watched = object.path("object").isObject() ? object.path("object") : object;
    PodEnd.of(watched).forEach(end -> add(end.line(), end.nanos()));
    aws.take(object);
  }

  private void finish() {
    ended = true;
    object(own);
    aws.ends().forEach(ready::add);
  }

  private void add(String line, long nanos) {
    ready.add(new Entry(line, nanos, Entry.Labels.NONE));
  }

  @Override
  public void close() {
    parser.close();
  }
}
