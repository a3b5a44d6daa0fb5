package io.ringside.streams.parse.scan;

import io.ringside.schemas.event.Text;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All shapes as one radix tree over their literal beginnings, so that a message is dispatched in one walk over its
/// first words, whatever the number of shapes. The longest shape that fits wins.
///
/// ```text
///   Conn ─┬─ ected ─┬─ " all " ─┬─ rings     → RingsConnected
///         │         │           └─ trees     → TreesConnected
///         │         └─ " to proxy localRank # -> connection" → known, ignored
///         └─ ection to proxy …
/// ```
///
/// The tree lies in a few arrays, in the order of a walk: following pointers through thousands of small objects would
/// cost more than comparing the bytes. Immutable and thread-safe. Looking up allocates nothing.
///
/// @param <L> what the shapes' readers are given
public final class ShapeTree<L extends Cursor> {

  static final int ENDED = -2;
  static final int DIFFERS = -1;
  private static final int NONE = -1;

  private final List<Shape<L>> shapes;
  private final byte[] labels;
  private final int[] labelEnds;
  private final boolean[] numeric;
  private final int[] children;
  private final short[] tables;
  private final ShapeEntry<L>[][] entries;

  private ShapeTree(List<Shape<L>> shapes, ShapeBranches<L> branches) {
    this.shapes = shapes;
    this.labels = branches.labels();
    this.labelEnds = branches.labelEnds();
    this.numeric = branches.numeric();
    this.children = branches.children();
    this.tables = branches.tables();
    this.entries = branches.entries();
  }

  /// The tree of these shapes; of two with the same text the first counts.
  ///
  /// @throws IllegalArgumentException if a shape is not ASCII
  public static <L extends Cursor> ShapeTree<L> of(List<Shape<L>> shapes) {
    return new ShapeTree<>(List.copyOf(shapes), ShapeBranches.of(shapes));
  }

  /// What is done with a shape found in a message.
  @FunctionalInterface
  public interface Visitor<L extends Cursor> {

    /// Takes or declines a shape.
    ///
    /// @return false to go on searching among shorter shapes
    boolean visit(Shape<L> shape);
  }

  /// The shape by which lines of another shape would be found, or null.
  public @Nullable Shape<L> covering(Shape<L> shape) {
    var sample = Text.of(shape.text().replace('#', '0').replace('*', 'x'));
    return first(sample, 0, sample.length());
  }

  /// All shapes, in their order.
  public List<Shape<L>> shapes() {
    return shapes;
  }

  /// The longest shape that fits the beginning of the range, or null. A shape with a reader may be handed
  /// out although its tail does not fit.
  public @Nullable Shape<L> first(Text text, int from, int end) {
    var bytes = text.utf8();
    var node = 0;
    var at = from;
    var last = NONE;
    var lastAt = from;
    while (true) {
      if (entries[node].length > 0) {
        last = node;
        lastAt = at;
      }
      var next = next(node, bytes, at, end);
      var after = next < 0 ? DIFFERS : afterLabel(next, bytes, at, end);
      if (after < 0) {
        break;
      }
      node = next;
      at = after;
    }
    if (last == NONE) {
      return null;
    }
    for (var entry : entries[last]) {
      if (entry.trusted() || entry.fits(bytes, lastAt, end)) {
        return entry.shape();
      }
    }
    return shorter(0, bytes, from, end, last);
  }

  /// The same among the nodes above one.
  private @Nullable Shape<L> shorter(int node, byte[] bytes, int at, int end, int below) {
    if (node == below) {
      return null;
    }
    var next = next(node, bytes, at, end);
    var after = next < 0 ? DIFFERS : afterLabel(next, bytes, at, end);
    if (after >= 0) {
      var found = shorter(next, bytes, after, end, below);
      if (found != null) {
        return found;
      }
    }
    for (var entry : entries[node]) {
      if (entry.trusted() || entry.fits(bytes, at, end)) {
        return entry.shape();
      }
    }
    return null;
  }

  /// Offers the shapes that fit to the visitor, longest first, until it takes one; those without a reader must fit
  /// the range to its end.
  ///
  /// @return true if it took one
  public boolean match(Text text, int from, int end, Visitor<L> visitor) {
    return match(0, text.utf8(), from, end, visitor);
  }

  private boolean match(int node, byte[] bytes, int at, int end, Visitor<L> visitor) {
    var next = next(node, bytes, at, end);
    var after = next < 0 ? DIFFERS : afterLabel(next, bytes, at, end);
    if (after >= 0 && match(next, bytes, after, end, visitor)) {
      return true;
    }
    for (var entry : entries[node]) {
      if (entry.offered(bytes, at, end) && visitor.visit(entry.shape())) {
        return true;
      }
    }
    return false;
  }

  /// True if a shape fits the range to its end; one that ends in `*` does.
  public boolean whole(Text text, int from, int end) {
    return whole(0, text.utf8(), from, end);
  }

  private boolean whole(int node, byte[] bytes, int at, int end) {
    var next = next(node, bytes, at, end);
    var after = next < 0 ? DIFFERS : afterLabel(next, bytes, at, end);
    if (after >= 0 && whole(next, bytes, after, end)) {
      return true;
    }
    for (var entry : entries[node]) {
      if (entry.fitsWhole(bytes, at, end)) {
        return true;
      }
    }
    return false;
  }

  /// True if the range ends in the middle of a shape's literal beginning: its line was cut.
  public boolean cut(Text text, int from, int end) {
    var bytes = text.utf8();
    var node = 0;
    var at = from;
    while (at < end) {
      var next = next(node, bytes, at, end);
      if (next < 0) {
        return false;
      }
      at = afterLabel(next, bytes, at, end);
      if (at < 0) {
        return at == ENDED;
      }
      node = next;
    }
    return entries[node].length == 0;
  }

  /// The node that the byte leads to, or a negative number. A lone child is handed out whatever the byte: its label
  /// begins with it or does not.
  private int next(int node, byte[] bytes, int at, int end) {
    var table = children[node];
    if (at >= end || table == ShapeBranches.NO_CHILD) {
      return NONE;
    }
    if (table < 0) {
      return -table;
    }
    var c = bytes[at];
    if (c <= '#') {
      return c == '#' || c < 0 ? NONE : tables[table + c];
    }
    if (c == '-' && at + 1 < end && Chars.isDigit((char) bytes[at + 1])) {
      var number = tables[table + '#'];
      return number < 0 ? tables[table + c] : number;
    }
    return tables[table + c];
  }

  /// Index behind the node's label if the bytes fit it, [#DIFFERS], or [#ENDED] if they end within it.
  private int afterLabel(int node, byte[] bytes, int from, int end) {
    var start = labelEnds[node];
    var length = labelEnds[node + 1] - start;
    if (numeric[node]) {
      return afterPart(labels, start, start + length, bytes, from, end);
    }
    var there = Math.min(length, end - from);
    for (var i = 0; i < there; i++) {
      if (bytes[from + i] != labels[start + i]) {
        return DIFFERS;
      }
    }
    return there < length ? ENDED : from + length;
  }

  /// The same for a label in which `#` stands for a number.
  static int afterPart(byte[] labels, int start, int stop, byte[] bytes, int from, int end) {
    var at = from;
    for (var i = start; i < stop; i++) {
      if (at >= end) {
        return ENDED;
      }
      var expected = labels[i];
      var c = bytes[at];
      if (expected == '#') {
        var digits = c == '-' ? at + 1 : at;
        at = digits;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
          at++;
        }
        if (at == digits) {
          return DIFFERS;
        }
      } else if (c == expected) {
        at++;
      } else {
        return DIFFERS;
      }
    }
    return at;
  }
}
