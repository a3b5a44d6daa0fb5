package io.ringside.shipper.source.export;

import io.ringside.schemas.serde.EventJson;
import io.ringside.shipper.source.export.Entry.Labels;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;

/// A log that a log store handed out, told by its first bytes.
public enum Export {
  /// An object a line: journalctl -o json, Fluent Bit, Vector, logcli -o jsonl; other lines stay as
  /// they are.
  LINES,
  /// One document, or some one behind the other: CloudWatch, Loki's API, Grafana, Cloud Logging.
  DOCUMENT,
  /// Comma-separated values with a head that names a message: CloudWatch, Insights, Grafana.
  CSV,
  /// A table as text: `aws logs … --output table` or `text`, Insights copied from the console.
  TABLE,
  /// Pasted from a terminal that cut its lines.
  WRAPPED,
  /// What Kubernetes or AWS answers about pods and jobs, saved beside logs.
  STATES,
  /// What a process of torchrun's wrote of its own end.
  ERROR_FILE,
  /// A log as a console shows it that has the newest line first.
  NEWEST_FIRST;

  /// Bytes of the beginning that are enough to know.
  public static final int HEAD = 64 * 1024;

  /// Entries by which it shows whether they name what is looked for.
  private static final int FIRST = 1_000;

  /// What it is, or null if it is none: a log as programs write it, or data.
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

  /// Whether it is no log, but an answer about the state of pods or jobs.
  public static boolean tellsOfStates(byte[] head) {
    return StateEntries.recognises(start(head, head.length));
  }

  /// Whether it is no log, but what a process of torchrun's wrote of its own end.
  public static boolean isErrorFile(byte[] head) {
    return ErrorFile.recognises(start(head, head.length));
  }

  static String start(byte[] head, int length) {
    return withoutMark(new String(head, 0, length, StandardCharsets.UTF_8)).stripLeading();
  }

  /// The text behind its byte order mark, if it has one.
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

  /// Whether Docker's lines hold those of a collector that runs in a container, some of its own
  /// before them: Fluent Bit or Vector that print to their output.
  ///
  /// @param whole whether the last line is
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

  /// Whether it is a record of a collector or of another Docker, not a program's own.
  private static boolean isCollected(@Nullable JsonNode record) {
    return record != null
        && Entries.of(record, Labels.NONE) != null
        && (record.path("kubernetes").isObject()
            || record.path("source_type").isString()
            || isDockers(record));
  }

  /// The agent reads Docker's files itself, partial lines and all.
  private static boolean isDockers(JsonNode line) {
    return line.path("log").isString()
        && line.path("stream").isString()
        && line.path("time").isString()
        && !line.has("kubernetes");
  }

  /// The lines that it holds, as bytes.
  public InputStream lines(InputStream in) throws IOException {
    return new ExportedLines(
        entries(in), this == NEWEST_FIRST ? entry -> List.of(entry.message()) : Entry::lines);
  }

  /// The namespaces that its entries name, in the order in which they come: jobs of two may be
  /// called alike. None where none of the first entries names one.
  ///
  /// @param most more are not looked for
  public Set<String> namespaces(InputStream in, int most) throws IOException {
    var namespaces = new LinkedHashSet<String>();
    try (var entries = entries(in)) {
      int read = 0;
      for (var entry = entries.next();
          entry != null && namespaces.size() < most && !(namespaces.isEmpty() && read > FIRST);
          entry = entries.next()) {
        read++;
        if (!entry.labels().namespace().isEmpty()) {
          namespaces.add(entry.labels().namespace());
        }
      }
    }
    return namespaces;
  }

  /// Of its entries those of some namespaces, as an export of [#LINES].
  ///
  /// @param wanted is asked for the empty name where an entry names none
  public InputStream of(Predicate<String> wanted, InputStream in) throws IOException {
    var all = entries(in);
    return new ExportedLines(
        new Source() {
          @Override
          public @Nullable Entry next() throws IOException {
            var entry = all.next();
            while (entry != null && !wanted.test(entry.labels().namespace())) {
              entry = all.next();
            }
            return entry;
          }

          @Override
          public void close() throws IOException {
            all.close();
          }
        },
        entry -> List.of(Entries.written(entry)));
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

  /// Gives one entry after the other.
  interface Source extends AutoCloseable {
    /// The next one, or null at the end.
    @Nullable Entry next() throws IOException;

    @Override
    void close() throws IOException;
  }

  /// Reads a document bit by bit.
  static JsonParser parser(InputStream in) {
    return EventJson.MAPPER.createParser(in);
  }
}
