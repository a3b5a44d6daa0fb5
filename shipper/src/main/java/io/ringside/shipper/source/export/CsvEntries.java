package io.ringside.shipper.source.export;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.shipper.source.export.Entry.Labels;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads rows of comma-separated values with a head row, as exported by CloudWatch's console,
/// Insights and Grafana: `1795207346942,"text, with ""quotes"" and line ends"`. Not thread-safe.
final class CsvEntries implements Export.Source {
  /// Longest cell in characters, so that a quote that is never closed does not swallow the whole
  /// file.
  private static final int LONGEST = 1 << 20;

  private final Reader in;
  private final @Nullable Columns columns;

  CsvEntries(InputStream in) throws IOException {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8), 64 * 1024);
    var head = row(this.in);
    this.columns = head == null ? null : Columns.of(head);
  }

  /// Whether a text begins with a head row of such a table.
  static boolean recognises(String text) {
    try {
      var head = row(new StringReader(text));
      return head != null && head.size() > 1 && Columns.of(head) != null;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public @Nullable Entry next() throws IOException {
    var row = row(in);
    if (row == null || columns == null) {
      return null;
    }
    if (row.size() < columns.size()) {
      return new Entry(String.join(",", row), NO_TIME, Labels.NONE);
    }
    return columns.entry(RowCells.fitted(row, columns, ","));
  }

  /// The cells of the next row, null at the end.
  private static @Nullable List<String> row(Reader in) throws IOException {
    int c = in.read();
    if (c < 0) {
      return null;
    }
    var cells = new ArrayList<String>();
    var cell = new StringBuilder();
    boolean quoted = false;
    boolean fresh = true;
    for (; c >= 0; c = in.read()) {
      if (quoted) {
        if (c != '"') {
          cell.append((char) c);
        } else {
          in.mark(1);
          if (in.read() == '"') {
            cell.append('"');
          } else {
            in.reset();
            quoted = false;
          }
        }
      } else if (c == '"' && fresh) {
        quoted = true;
        fresh = false;
      } else if (c == ',') {
        cells.add(cell.toString());
        cell.setLength(0);
        fresh = true;
      } else if (c == '\n') {
        break;
      } else if (c != '\r' && c != '\ufeff') {
        cell.append((char) c);
        fresh = false;
      }
      if (cell.length() > LONGEST) {
        break;
      }
    }
    cells.add(cell.toString());
    return cells;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
