package io.ringside.streams.parse.scan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
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
/// Filled once, then only read: thread-safe after that. Looking up allocates nothing.
///
/// @param <L> what the shapes' readers are given
public final class ShapeTree<L extends Cursor> {

  private static final int ENDED = -2;
  private static final int DIFFERS = -1;

  private final Node<L> root = new Node<>("");
  private final List<Shape<L>> shapes = new ArrayList<>();

  /// A stretch of literal text, what may follow it, and the shapes whose literal beginning ends here.
  private static final class Node<L extends Cursor> {
    private char[] label;
    private boolean numeric;

    /// By first char; digits stand for `#`. Empty for a leaf.
    private @Nullable Node<L>[] children = none();

    private Entry<L>[] entries = noEntries();

    Node(String label) {
      this.label = label.toCharArray();
      this.numeric = label.indexOf('#') >= 0;
    }

    @Nullable Node<L> child(char c) {
      return c < children.length ? children[c] : null;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    void adopt(Node<L> child) {
      var first = child.label[0];
      if (first >= 128) {
        throw new IllegalArgumentException("shapes are ASCII, was " + new String(child.label));
      }
      if (children.length == 0) {
        children = (Node<L>[]) new Node[128];
      }
      children[first] = child;
      if (first == '#') {
        Arrays.fill(children, '0', '9' + 1, child);
      }
    }

    /// Cuts the label, and pushes what the node had below the cut.
    void split(int at) {
      var lower = new Node<L>(new String(label, at, label.length - at));
      lower.children = children;
      lower.entries = entries;
      label = Arrays.copyOf(label, at);
      numeric = new String(label).indexOf('#') >= 0;
      children = none();
      entries = noEntries();
      adopt(lower);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <L extends Cursor> @Nullable Node<L>[] none() {
      return (Node<L>[]) new Node[0];
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <L extends Cursor> Entry<L>[] noEntries() {
      return (Entry<L>[]) new Entry[0];
    }
  }

  /// A shape that begins with the node's text; `tail` is what must come after, split at `*`.
  ///
  /// @param trusted its reader looks at the tail anyway, and there is no other entry to prefer
  private record Entry<L extends Cursor>(Shape<L> shape, char[][] tail, boolean trusted) {

    Entry<L> trusted(boolean now) {
      return new Entry<>(shape, tail, now && shape.reader() != null);
    }

    int weight() {
      return Arrays.stream(tail).mapToInt(part -> part.length).sum();
    }

    boolean fits(String text, int from, int end) {
      return after(text, from, end) >= 0;
    }

    boolean offered(String text, int from, int end) {
      return shape.reader() == null ? fitsWhole(text, from, end) : fits(text, from, end);
    }

    boolean fitsWhole(String text, int from, int end) {
      var after = after(text, from, end);
      return after == end || after >= 0 && tail.length > 0 && tail[tail.length - 1].length == 0;
    }

    private int after(String text, int from, int end) {
      var at = from;
      for (var part : tail) {
        if (part.length > 0) {
          at = afterPart(part, text, at, end);
          if (at < 0) {
            return at;
          }
        }
      }
      return at;
    }
  }

  /// What is done with a shape found in a message.
  @FunctionalInterface
  public interface Visitor<L extends Cursor> {

    /// Takes or declines a shape.
    ///
    /// @return false to go on searching among shorter shapes
    boolean visit(Shape<L> shape);
  }

  /// Adds a shape; of two with the same text the first stays.
  public void add(Shape<L> shape) {
    var star = shape.text().indexOf('*');
    var literal = star < 0 ? shape.text() : shape.text().substring(0, star);
    var tail = star < 0 ? new char[0][] : parts(shape.text().substring(star + 1));
    var node = insert(root, literal);
    if (Arrays.stream(node.entries).anyMatch(known -> known.shape().text().equals(shape.text()))) {
      return;
    }
    shapes.add(shape);
    var grown = Arrays.copyOf(node.entries, node.entries.length + 1);
    grown[grown.length - 1] = new Entry<>(shape, tail, false);
    // the more a shape asks of the rest, the earlier it is tried
    Arrays.sort(grown, Comparator.comparingInt((Entry<L> entry) -> -entry.weight()));
    for (var i = 0; i < grown.length; i++) {
      grown[i] = grown[i].trusted(grown.length == 1 && node != root);
    }
    node.entries = grown;
  }

  private static char[][] parts(String tail) {
    return Arrays.stream(tail.split("\\*", -1)).map(String::toCharArray).toArray(char[][]::new);
  }

  private static <L extends Cursor> Node<L> insert(Node<L> from, String literal) {
    var node = from;
    var rest = literal;
    while (!rest.isEmpty()) {
      var child = node.child(rest.charAt(0));
      if (child == null) {
        child = new Node<>(rest);
        node.adopt(child);
        return child;
      }
      var common = Math.max(0, Arrays.mismatch(child.label, rest.toCharArray()));
      common = Arrays.equals(child.label, rest.toCharArray()) ? rest.length() : common;
      if (common < child.label.length) {
        child.split(common);
      }
      node = child;
      rest = rest.substring(common);
    }
    return node;
  }

  /// The shape by which lines of another shape would be found, or null.
  public @Nullable Shape<L> covering(Shape<L> shape) {
    var sample = shape.text().replace('#', '0').replace('*', 'x');
    return first(sample, 0, sample.length());
  }

  /// All shapes, in the order in which they were added.
  public List<Shape<L>> shapes() {
    return List.copyOf(shapes);
  }

  /// The longest shape that fits the beginning of the range, or null. A shape with a reader may be handed
  /// out although its tail does not fit.
  public @Nullable Shape<L> first(String text, int from, int end) {
    return first(root, text, from, end);
  }

  private static <L extends Cursor> @Nullable Shape<L> first(
      Node<L> node, String text, int at, int end) {
    var next = next(node, text, at, end);
    if (next != null) {
      var after = afterLabel(next, text, at, end);
      if (after >= 0) {
        var found = first(next, text, after, end);
        if (found != null) {
          return found;
        }
      }
    }
    for (var entry : node.entries) {
      if (entry.trusted || entry.fits(text, at, end)) {
        return entry.shape;
      }
    }
    return null;
  }

  /// Offers the shapes that fit to the visitor, longest first, until it takes one; those without a reader must fit
  /// the range to its end.
  ///
  /// @return true if it took one
  public boolean match(String text, int from, int end, Visitor<L> visitor) {
    return match(root, text, from, end, visitor);
  }

  private static <L extends Cursor> boolean match(
      Node<L> node, String text, int at, int end, Visitor<L> visitor) {
    var next = next(node, text, at, end);
    if (next != null) {
      var after = afterLabel(next, text, at, end);
      if (after >= 0 && match(next, text, after, end, visitor)) {
        return true;
      }
    }
    for (var entry : node.entries) {
      if (entry.offered(text, at, end) && visitor.visit(entry.shape())) {
        return true;
      }
    }
    return false;
  }

  /// True if a shape fits the range to its end; one that ends in `*` does.
  public boolean whole(String text, int from, int end) {
    return whole(root, text, from, end);
  }

  private static <L extends Cursor> boolean whole(Node<L> node, String text, int at, int end) {
    var next = next(node, text, at, end);
    if (next != null) {
      var after = afterLabel(next, text, at, end);
      if (after >= 0 && whole(next, text, after, end)) {
        return true;
      }
    }
    for (var entry : node.entries) {
      if (entry.fitsWhole(text, at, end)) {
        return true;
      }
    }
    return false;
  }

  private static <L extends Cursor> @Nullable Node<L> next(
      Node<L> node, String text, int at, int end) {
    if (at >= end) {
      return null;
    }
    var c = text.charAt(at);
    if (c == '-' && at + 1 < end && Chars.isDigit(text.charAt(at + 1))) {
      var number = node.child('#');
      return number == null ? node.child(c) : number;
    }
    return c == '#' ? null : node.child(c);
  }

  private static int afterLabel(Node<?> node, String text, int from, int end) {
    var label = node.label;
    if (node.numeric) {
      return afterLabel(label, text, from, end);
    }
    var length = Math.min(label.length, end - from);
    for (var i = 0; i < length; i++) {
      if (text.charAt(from + i) != label[i]) {
        return DIFFERS;
      }
    }
    return length < label.length ? ENDED : from + length;
  }

  /// Index behind the label if the text fits it, [#DIFFERS], or [#ENDED] if the text ended within it.
  private static int afterLabel(char[] label, String text, int from, int end) {
    var at = from;
    for (var expected : label) {
      if (at >= end) {
        return ENDED;
      }
      var c = text.charAt(at);
      if (expected == '#') {
        var digits = c == '-' ? at + 1 : at;
        at = Chars.skipDigits(text, digits, end);
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

  private static int afterPart(char[] part, String text, int from, int end) {
    for (var at = from; at < end; at++) {
      var after = afterLabel(part, text, at, end);
      if (after != DIFFERS) {
        return after;
      }
    }
    return DIFFERS;
  }

  /// True if the range ends in the middle of a shape's literal beginning: its line was cut.
  public boolean cut(String text, int from, int end) {
    var node = root;
    var at = from;
    while (at < end) {
      var next = next(node, text, at, end);
      if (next == null) {
        return false;
      }
      at = afterLabel(next, text, at, end);
      if (at < 0) {
        return at == ENDED;
      }
      node = next;
    }
    return node.entries.length == 0;
  }
}
