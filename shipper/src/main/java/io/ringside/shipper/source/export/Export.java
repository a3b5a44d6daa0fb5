package io.ringside.shipper.source.export;

import io.ringside.schemas.serde.EventJson;
import io.ringside.shipper.source.export.Entry.Labels;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;

/// The format of a log exported from a log store, recognised by its first bytes.
public enum Export {
  /// One JSON object per line: journalctl -o json, Fluent Bit, Vector, logcli -o jsonl. Other lines
  /// are kept as they are.
  LINES,
  /// One JSON document or several in a row: CloudWatch, Loki's API, Grafana, Cloud Logging.
  DOCUMENT,
  /// Comma-separated values with a head row that has a message column: CloudWatch, Insights,
  /// Grafana.
  CSV,
  /// A table as text: `aws logs … --output table` or `text`, Insights copied from the console.
  TABLE,
  /// A paste from a terminal that broke long lines.
  WRAPPED,
  /// Answers of Kubernetes or AWS about pods and jobs, saved beside logs.
  STATES,
  /// The file in which a torchrun process wrote the exception that ended it.
  ERROR_FILE,
  /// A log copied from a console that shows the newest line first.
  NEWEST_FIRST;

  /// Number of bytes from the beginning that suffice to recognise the format.
  public static final int HEAD = 64 * 1024;

  /// Number of entries read to find out whether they have a namespace.
  private static final int FIRST = 1_000;

  /// The format, or null if the bytes are a plain log or other data.
  ///
  /// @param head the first bytes, up to [#HEAD]
  public static @Nullable Export recognise(byte[] head, int length) {
    var text = new String(head, 0, length, StandardCharsets.UTF_8).stripLeading();
    if (StateEntries.recognises(start(head, length))) {
      return STATES;
    }
    if (ErrorFile.recognises(text)) {
      return ERROR_FILE;
    }
    if (CsvEntries.recognises(withoutMark(text))) {
      return CSV;
    }
    if (TableEntries.recognises(text)) {
      return TABLE;
    }
    var document = text.startsWith("{") || text.startsWith("[") ? document(head, length) : null;
    if (document != null) {
      return document;
    }
    var raw = new String(head, 0, length, StandardCharsets.UTF_8);
    if (Wrapping.width(raw, length < HEAD) > 0) {
      return WRAPPED;
    }
    return NewestFirst.recognises(raw, length < HEAD) ? NEWEST_FIRST : null;
  }

  /// Whether this is an answer about the state of pods or jobs rather than a log.
  public static boolean tellsOfStates(byte[] head) {
    return StateEntries.recognises(start(head, head.length));
  }

  /// Whether this is the exception file of a torchrun process rather than a log.
  public static boolean isErrorFile(byte[] head) {
    return ErrorFile.recognises(start(head, head.length));
  }

  static String start(byte[] head, int length) {
    return withoutMark(new String(head, 0, length, StandardCharsets.UTF_8)).stripLeading();
  }

  /// The text without its byte order mark, if it has one.
  public static String withoutMark(String text) {
    return text.startsWith("\ufeff") ? text.substring(1) : text;
  }

  private static @Nullable Export document(byte[] head, int length) {
    var text = new String(head, 0, length, StandardCharsets.UTF_8).stripLeading();
    var end = text.indexOf('\n');
    var first = Entries.parsed(end < 0 ? text : text.substring(0, end));
    if (first != null && first.isObject() && Entries.of(first, Labels.NONE) != null) {
      return isDockers(first) && !collects(text, length < HEAD) ? null : LINES;
    }
    try (var entries = new DocumentEntries(new ByteArrayInputStream(head, 0, length))) {
      return entries.next() == null ? null : DOCUMENT;
    } catch (JacksonException e) {
      return null;
    }
  }

  /// Whether Docker's lines contain the records of a collector that runs in a container, perhaps
  /// after lines of its own: Fluent Bit or Vector printing to stdout.
  ///
  /// @param whole whether the last line is complete
  private static boolean collects(String text, boolean whole) {
    var lines = text.split("\n", -1);
    return Arrays.stream(lines, 0, whole ? lines.length : lines.length - 1)
        .map(Entries::parsed)
        .filter(line -> line != null && isDockers(line))
        .map(line -> line.path("log").stringValue())
        .filter(log -> log.startsWith("{"))
        .map(Entries::parsed)
        .anyMatch(Export::isCollected);
  }

  /// Whether this is a record of a collector or of another Docker, rather than the program's own.
  private static boolean isCollected(@Nullable JsonNode record) {
    return record != null
        && Entries.of(record, Labels.NONE) != null
        && (record.path("kubernetes").isObject()
            || record.path("source_type").isString()
            || isDockers(record));
  }

  /// Whether this is a line of Docker's json-file log. The agent reads such files itself, including
  /// partial lines.
  private static boolean isDockers(JsonNode line) {
    return line.path("log").isString()
        && line.path("stream").isString()
        && line.path("time").isString()
        && !line.has("kubernetes");
  }

  /// The lines of its entries, as bytes.
  public InputStream lines(InputStream in) throws IOException {
    return new ExportedLines(
        entries(in), this == NEWEST_FIRST ? entry -> List.of(entry.message()) : Entry::lines);
  }

  /// Who wrote an entry, by its labels; empty where unknown.
  public record Origin(String namespace, String node, String pod) {
    static Origin of(Entry entry) {
      var labels = entry.labels();
      return new Origin(labels.namespace(), labels.node(), labels.pod());
    }

    boolean isKnown() {
      return !namespace.isEmpty() || !pod.isEmpty();
    }
  }

  /// Where entries of an origin go.
  @FunctionalInterface
  public interface Distribution {
    /// @throws IOException if no stream can be opened for it
    OutputStream of(Origin origin) throws IOException;
  }

  /// The origins of its entries in order of appearance. Empty if none of the first entries names a
  /// namespace or a pod.
  ///
  /// @param most stops after so many
  public Set<Origin> origins(InputStream in, int most) throws IOException {
    var origins = new LinkedHashSet<Origin>();
    try (var entries = entries(in)) {
      int read = 0;
      for (var entry = entries.next();
          entry != null && origins.size() < most && !(origins.isEmpty() && read > FIRST);
          entry = entries.next()) {
        read++;
        var origin = Origin.of(entry);
        if (origin.isKnown()) {
          origins.add(origin);
        }
      }
    }
    return origins;
  }

  /// Writes its entries in the format [#LINES], each to where those of its origin go.
  public void distribute(InputStream in, Distribution into) throws IOException {
    try (var entries = entries(in)) {
      for (var entry = entries.next(); entry != null; entry = entries.next()) {
        var line = Entries.written(entry) + "\n";
        into.of(Origin.of(entry)).write(line.getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private Source entries(InputStream in) throws IOException {
    return switch (this) {
      case LINES -> new OldestFirst(new LineEntries(in));
      case DOCUMENT -> new OldestFirst(new DocumentEntries(in));
      case CSV -> new OldestFirst(new CsvEntries(in));
      case TABLE -> new OldestFirst(new TableEntries(in));
      case WRAPPED -> new WrappedEntries(in);
      case STATES -> StateEntries.open(in);
      case ERROR_FILE -> new ErrorFile(in);
      case NEWEST_FIRST -> new OldestFirst(new NewestFirst(in));
    };
  }

  /// Returns one entry after the other.
  interface Source extends AutoCloseable {
    /// The next one, or null at the end.
    @Nullable Entry next() throws IOException;

    @Override
    void close() throws IOException;
  }

  /// A streaming parser of a document.
  static JsonParser parser(InputStream in) {
    return EventJson.MAPPER.createParser(in);
  }
}
