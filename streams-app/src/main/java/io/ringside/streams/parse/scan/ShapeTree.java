package io.ringside.streams.parse.scan;

import static io.ringside.streams.parse.scan.ShapeBranches.CHILDREN;
import static io.ringside.streams.parse.scan.ShapeBranches.ENTRIES;
import static io.ringside.streams.parse.scan.ShapeBranches.FIELDS;
import static io.ringside.streams.parse.scan.ShapeBranches.LABEL;
import static io.ringside.streams.parse.scan.ShapeBranches.LENGTH;
import static io.ringside.streams.parse.scan.ShapeBranches.NO_CHILD;
import static io.ringside.streams.parse.scan.ShapeBranches.NUMBER;

import io.ringside.schemas.event.Text;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All shapes as one radix tree over their literal beginnings: one walk over the first words of a
/// message finds its shape, whatever the number of shapes. The longest shape that fits wins. A tree
/// may trust its readers: if several shapes are equal up to their first `*` and only one has a
/// reader, that one is returned whatever follows. A search for the words of the others would cost
/// more than a reader that declines.
///
/// ```text
///   Conn ─┬─ ected ─┬─ " all " ─┬─ rings     → RingsConnected
///         │         │           └─ trees     → TreesConnected
///         │         └─ " to proxy localRank # -> connection" → known, ignored
///         └─ ection to proxy …
/// ```
///
/// The tree lies in a few arrays, in the order of a walk: following pointers through thousands of
/// small objects would cost more than comparing the bytes. Immutable and thread-safe. A lookup
/// allocates nothing.
///
/// @param <L> cursor that the shapes' readers are given
public final class ShapeTree<L extends Cursor> {

  static final int ENDED = -2;
  static final int DIFFERS = -1;
  private static final int NONE = -1;

  private final List<Shape<L>> shapes;
  private final Text labels;
  private final int[] nodes;
  private final short[] tables;
  private final ShapeEntry<L>[][] entries;
  private final @Nullable Shape<L>[] sure;
  private final ShapeStarts starts;

  private ShapeTree(List<Shape<L>> shapes, ShapeBranches<L> branches) {
    this.shapes = shapes;
    this.labels = branches.labels();
    this.nodes = branches.nodes();
    this.tables = branches.tables();
    this.entries = branches.entries();
    this.sure = branches.sure();
    this.starts = branches.starts();
  }

  /// The tree of these shapes; of two with the same text the first one is used.
  ///
  /// @throws IllegalArgumentException if a shape is not ASCII
  public static <L extends Cursor> ShapeTree<L> of(List<Shape<L>> shapes) {
    return new ShapeTree<>(List.copyOf(shapes), ShapeBranches.of(shapes, false));
  }

  /// The tree of shapes whose readers check all of the message that the shape requires, also after
  /// a `*`.
  ///
  /// @throws IllegalArgumentException if a shape is not ASCII
  public static <L extends Cursor> ShapeTree<L> trusting(List<Shape<L>> shapes) {
    return new ShapeTree<>(List.copyOf(shapes), ShapeBranches.of(shapes, true));
  }

  /// Receives the shapes found in a message.
  @FunctionalInterface
  public interface Visitor<L extends Cursor> {

    /// Takes or declines a shape.
    ///
    /// @return false to continue with shorter shapes
    boolean visit(Shape<L> shape);
  }

  /// The shape that lines of another shape would be found by, or null.
  public @Nullable Shape<L> covering(Shape<L> shape) {
    var sample = Text.of(shape.text().replace('#', '0').replace('*', 'x'));
    return first(sample, 0, sample.length());
  }

  /// Whether the literal beginning of a shape is enough to find its lines.
  public boolean isSure(Shape<L> shape) {
    return Arrays.asList(sure).contains(shape);
  }

  /// All shapes, in their order.
  public List<Shape<L>> shapes() {
    return shapes;
  }

  /// The longest shape that fits the beginning of the range, or null. A shape with a reader may be
  /// returned even if its tail does not fit.
  public @Nullable Shape<L> first(Text text, int from, int end) {
    if (end - from >= ShapeStarts.BYTES) {
      var place = starts.find(text.word(from));
      if (place >= 0) {
        var places = starts.places();
        var length = places[place + ShapeStarts.LENGTH];
        var at = from + ShapeStarts.BYTES;
        if (end - at >= length && text.same(at, labels, places[place + ShapeStarts.REST], length)) {
          return below(places[place + ShapeStarts.NODE], text, from, at + length, end);
        }
      }
    }
    return below(0, text, from, from, end);
  }

  /// The longest shape at or below a node whose label the text fits up to an index. If there is
  /// none, the longest shape above it.
  private @Nullable Shape<L> below(int top, Text text, int from, int after, int end) {
    var node = top;
    var at = after;
    var last = NONE;
    var lastAt = from;
    while (true) {
      if (nodes[node * FIELDS + ENTRIES] > 0) {
        last = node;
        lastAt = at;
      }
      node = next(node, text, at, end);
      if (node < 0) {
        break;
      }
      at = afterLabel(node, text, at, end);
      if (at < 0) {
        break;
      }
    }
    if (last == NONE) {
      return top == 0 ? null : below(0, text, from, from, end);
    }
    var found = sure[last];
    if (found != null) {
      return found;
    }
    for (var entry : entries[last]) {
      if (entry.trusted() || entry.fits(text, lastAt, end)) {
        return entry.shape();
      }
    }
    return shorter(0, text, from, end, last);
  }

  /// The longest shape among the nodes above `below`.
  private @Nullable Shape<L> shorter(int node, Text text, int at, int end, int below) {
    if (node == below) {
      return null;
    }
    var next = next(node, text, at, end);
    var after = next < 0 ? DIFFERS : afterLabel(next, text, at, end);
    if (after >= 0) {
      var found = shorter(next, text, after, end, below);
      if (found != null) {
        return found;
      }
    }
    for (var entry : entries[node]) {
      if (entry.trusted() || entry.fits(text, at, end)) {
        return entry.shape();
      }
    }
    return null;
  }

  /// Offers the shapes that fit to the visitor, longest first, until it takes one. A shape without
  /// a reader must fit the range to its end.
  ///
  /// @return true if the visitor took one
  public boolean match(Text text, int from, int end, Visitor<L> visitor) {
    return match(0, text, from, end, visitor);
  }

  private boolean match(int node, Text text, int at, int end, Visitor<L> visitor) {
    var next = next(node, text, at, end);
    var after = next < 0 ? DIFFERS : afterLabel(next, text, at, end);
    if (after >= 0 && match(next, text, after, end, visitor)) {
      return true;
    }
    for (var entry : entries[node]) {
      if (entry.offered(text, at, end) && visitor.visit(entry.shape())) {
        return true;
      }
    }
    return false;
  }

  /// True if a shape fits the range to its end; a shape that ends in `*` always does.
  public boolean whole(Text text, int from, int end) {
    return whole(0, text, from, end);
  }

  private boolean whole(int node, Text text, int at, int end) {
    var next = next(node, text, at, end);
    var after = next < 0 ? DIFFERS : afterLabel(next, text, at, end);
    if (after >= 0 && whole(next, text, after, end)) {
      return true;
    }
    for (var entry : entries[node]) {
      if (entry.fitsWhole(text, at, end)) {
        return true;
      }
    }
    return false;
  }

  /// True if the range ends in the middle of a shape's literal beginning: its line was cut.
  public boolean cut(Text text, int from, int end) {
    var node = 0;
    var at = from;
    while (at < end) {
      var next = next(node, text, at, end);
      if (next < 0) {
        return false;
      }
      at = afterLabel(next, text, at, end);
      if (at < 0) {
        return at == ENDED;
      }
      node = next;
    }
    return entries[node].length == 0;
  }

  /// The node that the byte leads to, or a negative number. An only child is returned whatever the
  /// byte is: the caller then compares the label.
  private int next(int node, Text text, int at, int end) {
    var table = nodes[node * FIELDS + CHILDREN];
    if (at >= end || table == NO_CHILD) {
      return NONE;
    }
    if (table < 0) {
      return -table;
    }
    var c = text.charAt(at);
    if (c == '#' || c > 127) {
      return NONE;
    }
    if (c == '-' && at + 1 < end && Chars.isDigit(text.charAt(at + 1))) {
      var number = tables[table + '#'];
      return number < 0 ? tables[table + c] : number;
    }
    return tables[table + c];
  }

  /// Index after the node's label if the text fits it, [#DIFFERS], or [#ENDED] if the text ends
  /// within the label.
  private int afterLabel(int node, Text text, int from, int end) {
    var start = nodes[node * FIELDS + LABEL];
    var length = nodes[node * FIELDS + LENGTH];
    if (length == NUMBER) {
      return afterNumber(text.utf8(), from, end);
    }
    if (end - from < length) {
      return text.same(from, labels, start, end - from) ? ENDED : DIFFERS;
    }
    return text.same(from, labels, start, length) ? from + length : DIFFERS;
  }

  private static int afterNumber(byte[] bytes, int from, int end) {
    var digits = from < end && bytes[from] == '-' ? from + 1 : from;
    var at = digits;
    while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
      at++;
    }
    return at == digits ? DIFFERS : at;
  }

  /// Index after a part of a shape in which `#` stands for a number, [#DIFFERS], or [#ENDED].
  static int afterPart(byte[] part, byte[] bytes, int from, int end) {
    var at = from;
    for (var expected : part) {
      if (at >= end) {
        return ENDED;
      }
      if (expected == '#') {
        at = afterNumber(bytes, at, end);
        if (at < 0) {
          return at;
        }
      } else if (bytes[at++] != expected) {
        return DIFFERS;
      }
    }
    return at;
  }
}
