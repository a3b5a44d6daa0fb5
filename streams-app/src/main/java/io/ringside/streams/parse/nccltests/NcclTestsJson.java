package io.ringside.streams.parse.nccltests;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.NcclTestsEvent;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.Cursor;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/// The file of `-J FILE`: the whole report as one line of JSON without a blank (nccl-tests 2.17.3,
/// src/util.cu). It gives the same events as the table on the terminal. Each event spans only the
/// object that shows it, never the whole line, because the line's `env` holds the environment of
/// the process, with its secrets.
public final class NcclTestsJson {

  private NcclTestsJson() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of(
              "{\"version\":#,\"start_time\":*\"results\":[*", "2.17.3+", NcclTestsJson::report));

  private static boolean report(TextLine line) {
    var text = line.text();
    var from = line.at();
    var end = line.end();
    var any = false;
    for (var device : new Objects(text, after(text, from, end, "\"devices\":["), end)) {
      any |= device(line, device[0], device[1]);
    }
    for (var result : new Objects(text, after(text, from, end, "\"results\":["), end)) {
      any |= result(line, result[0], result[1]);
    }
    var whole = new Field(text, from, end);
    var bounds = whole.object("out_of_bounds");
    if (!Double.isNaN(bounds.number("count"))) {
      any |=
          line.emit(
              new NcclTestsEvent.OutOfBounds(
                  (long) bounds.number("count"), bounds.text("okay").equals("true")),
              bounds.from(),
              bounds.end());
    }
    var average = whole.object("average_bus_bandwidth");
    if (!Double.isNaN(average.number("bandwidth"))) {
      any |= line.emit(new NcclTestsEvent.AverageBandwidth(), average.from(), average.end());
    }
    return any;
  }

  private static boolean device(TextLine line, int from, int end) {
    var field = new Field(line.text(), from, end);
    var rank = field.number("rank");
    var bus = field.text("device_hex");
    return !Double.isNaN(rank)
        && !bus.isEmpty()
        && line.emit(
            new NcclTestsEvent.Device(
                (int) rank,
                field.text("hostname"),
                NcclTestsLines.busId(bus),
                field.text("device_info")),
            from,
            end);
  }

  private static boolean result(TextLine line, int from, int end) {
    var row = new Field(line.text(), from, end);
    var size = row.number("size");
    var apart = row.object("out_of_place");
    var within = row.object("in_place");
    if (Double.isNaN(size)) {
      return false;
    }
    return line.emit(
        new NcclTestsEvent.Row(
            (long) size,
            apart.number("bus_bw"),
            apart.wrong(),
            within.number("bus_bw"),
            within.wrong(),
            0),
        from,
        end);
  }

  private static int after(Text text, int from, int end, String key) {
    var at = Chars.find(text, from, end, key);
    return at < 0 ? -1 : at + key.length();
  }

  /// Index of the brace that closes the object beginning at or after `from`; `end` if there is
  /// none.
  private static int objectEnd(Text text, int from, int end) {
    var depth = 0;
    var quoted = false;
    for (var at = from; at < end; at++) {
      var c = text.charAt(at);
      if (quoted) {
        at += c == '\\' ? 1 : 0;
        quoted = c != '"';
      } else if (c == '"') {
        quoted = true;
      } else if (c == '{' || c == '[') {
        depth++;
      } else if ((c == '}' || c == ']') && --depth <= 0) {
        return at;
      }
    }
    return end;
  }

  /// Begin and end of each object of a list.
  private record Objects(Text text, int from, int end) implements Iterable<int[]> {
    @Override
    public Iterator<int[]> iterator() {
      var found = new ArrayList<int[]>();
      var at = from;
      while (at >= 0 && at < end && text.charAt(at) == '{') {
        var close = objectEnd(text, at, end);
        if (close == end) {
          break; // the agent cut the line
        }
        found.add(new int[] {at, close + 1});
        at = close + 1 < end && text.charAt(close + 1) == ',' ? close + 2 : end;
      }
      return found.iterator();
    }
  }

  /// Values of an object by their keys.
  private record Field(Text text, int from, int end) {

    private int value(String key) {
      return after(text, from, end, "\"" + key + "\":");
    }

    /// The number of a key; NaN if it is missing, null or no number.
    double number(String key) {
      var at = value(key);
      if (at < 0) {
        return Double.NaN;
      }
      var cursor = new Cursor(text, at, end);
      var number = cursor.decimal();
      return cursor.good() ? number : Double.NaN;
    }

    /// The text of a key; empty if it is missing or null.
    String text(String key) {
      var at = value(key);
      var close = at < 0 || text.charAt(at) != '"' ? -1 : Chars.find(text, at + 1, end, '"');
      return close < 0 ? "" : text.substring(at + 1, close).replace("\\/", "/");
    }

    Field object(String key) {
      var at = value(key);
      return at < 0 || text.charAt(at) != '{'
          ? new Field(text, end, end)
          : new Field(text, at, Math.min(end, objectEnd(text, at, end) + 1));
    }

    /// Number of wrong elements; -1 if results were not checked.
    long wrong() {
      var wrong = number("nwrong");
      return Double.isNaN(wrong) ? -1 : Math.round(Math.ceil(wrong));
    }
  }
}
