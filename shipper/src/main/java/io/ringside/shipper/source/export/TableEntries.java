package io.ringside.shipper.source.export;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.shipper.source.export.Entry.Labels;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Tables as text:
///
/// ```text
///   ||  ingestionTime | message | timestamp ||       aws --output table, between borders
///   | @timestamp | @message |                        Insights, copied from the console
///   EVENTS <tab> 1795207347000 <tab> text <tab> 1795207346942      aws --output text
/// ```
///
/// Not thread-safe.
final class TableEntries implements Export.Source {
  /// Lines searched for the head row, after borders, a title or tokens of the next page.
  private static final int BEFORE_HEAD = 20;

  private static final String EVENTS = "EVENTS\t";
  private static final Columns GET = new Columns(3, 1, 2, -1, -1);
  private static final Columns FILTER = new Columns(5, 3, 4, 2, -1);

  private final BufferedReader in;
  private @Nullable Columns columns;

  TableEntries(InputStream in) {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8), 64 * 1024);
  }

  /// Whether a text is such a table.
  static boolean recognises(String text) {
    var first = text.stripLeading();
    if (first.startsWith(EVENTS)) {
      return true;
    }
    if (!first.startsWith("|") && !first.startsWith("+--") && !first.startsWith("----------")) {
      return false;
    }
    return first.lines().limit(BEFORE_HEAD).anyMatch(line -> head(line).isPresent());
  }

  private static Optional<Columns> head(String line) {
    var cells = cells(line);
    return cells.size() < 2 ? Optional.empty() : Optional.ofNullable(Columns.of(cells));
  }

  @Override
  public @Nullable Entry next() throws IOException {
    for (var line = in.readLine(); line != null; line = in.readLine()) {
      var entry = line.startsWith(EVENTS) ? event(line) : row(line);
      if (entry != null) {
        return entry;
      }
    }
    return null;
  }

  private static Entry event(String line) {
    var cells = Arrays.asList(line.substring(EVENTS.length()).split("\t", -1));
    var columns = isTime(cells.getFirst()) ? GET : FILTER;
    return cells.size() < columns.size()
        ? new Entry(line, NO_TIME, Labels.NONE)
        : columns.entry(RowCells.fitted(cells, columns, "\t"));
  }

  /// Whether the cell is a time in milliseconds. An event's id has about fifty digits.
  private static boolean isTime(String cell) {
    return cell.length() == 13 && Times.nanos(cell) != NO_TIME;
  }

  private @Nullable Entry row(String line) {
    var text = line.strip();
    if (!text.startsWith("|")) {
      boolean said =
          text.isEmpty() || text.startsWith("+-") || text.startsWith("--") || listed(text);
      return said ? null : new Entry(line, NO_TIME, Labels.NONE); // a continuation of a message
    }
    var head = head(text);
    if (head.isPresent()) {
      columns = head.get();
      return null;
    }
    var known = columns;
    var cells = cells(text);
    if (known == null || cells.size() < known.size() || isBorder(text)) {
      return null;
    }
    return known.entry(RowCells.fitted(cells, known, "|"));
  }

  private static boolean listed(String text) {
    return text.startsWith("SEARCHEDLOGSTREAMS\t");
  }

  private static boolean isBorder(String text) {
    return text.chars().allMatch(c -> c == '|' || c == '-' || c == '+' || c == ' ' || c == ':');
  }

  /// The cells between the bars, without the frame.
  private static List<String> cells(String line) {
    var text = line.strip();
    int from = 0;
    int to = text.length();
    while (from < to && text.charAt(from) == '|') {
      from++;
    }
    for (int bars = from; bars > 0 && to > from && text.charAt(to - 1) == '|'; bars--) {
      to--;
    }
    if (from == 0) {
      return List.of();
    }
    var cells = new ArrayList<String>();
    for (var cell : text.substring(from, to).split("\\|", -1)) {
      cells.add(cell.strip());
    }
    return cells;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
