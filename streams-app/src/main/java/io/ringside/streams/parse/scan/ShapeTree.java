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
    private String label;
    private String firsts = "";
    private final List<Node<L>> children = new ArrayList<>();
    private List<Entry<L>> entries = List.of();

    Node(String label) {
      this.label = label;
    }

    @Nullable Node<L> child(char c) {
      var at = firsts.indexOf(c);
      return at < 0 ? null : children.get(at);
    }

    void adopt(Node<L> child) {
      firsts += child.label.charAt(0);
      children.add(child);
    }

    /// Cuts the label, and pushes what the node had below the cut.
    void split(int at) {
      var lower = new Node<L>(label.substring(at));
      lower.firsts = firsts;
      lower.children.addAll(children);
      lower.entries = entries;
      label = label.substring(0, at);
      firsts = "";
      children.clear();
      entries = List.of();
      adopt(lower);
    }
  }

  /// A shape that begins with the node's text; `tail` is what must come after, split at `*`.
  ///
  /// @param trusted its reader looks at the tail anyway, and there is no other entry to prefer
  private record Entry<L extends Cursor>(Shape<L> shape, String[] tail, boolean trusted) {

    Entry<L> trusted(boolean now) {
      return new Entry<>(shape, tail, now && shape.reader() != null);
    }

    int weight() {
      return Arrays.stream(tail).mapToInt(String::length).sum();
    }

    boolean fits(String text, int from, int end) {
      return after(text, from, end) >= 0;
    }

    boolean offered(String text, int from, int end) {
      return shape.reader() == null ? fitsWhole(text, from, end) : fits(text, from, end);
    }

    boolean fitsWhole(String text, int from, int end) {
      var after = after(text, from, end);
      return after == end || after >= 0 && tail.length > 0 && tail[tail.length - 1].isEmpty();
    }

    private int after(String text, int from, int end) {
      var at = from;
      for (var part : tail) {
        if (!part.isEmpty()) {
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
    var tail = star < 0 ? new String[0] : shape.text().substring(star + 1).split("\\*", -1);
    var node = insert(root, literal);
    if (node.entries.stream().anyMatch(known -> known.shape().text().equals(shape.text()))) {
      return;
    }
    shapes.add(shape);
    var grown = new ArrayList<>(node.entries);
    grown.add(new Entry<>(shape, tail, false));
    // the more a shape asks of the rest, the earlier it is tried
    grown.sort(Comparator.comparingInt((Entry<L> entry) -> -entry.weight()));
    var single = grown.size() == 1 && node != root;
    node.entries = grown.stream().map(entry -> entry.trusted(single)).toList();
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
      var common = common(child.label, rest);
      if (common < child.label.length()) {
        child.split(common);
      }
      node = child;
      rest = rest.substring(common);
    }
    return node;
  }

  private static int common(String a, String b) {
    var i = 0;
    while (i < a.length() && i < b.length() && a.charAt(i) == b.charAt(i)) {
      i++;
    }
    return i;
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
      var after = afterLabel(next.label, text, at, end);
      if (after >= 0) {
        var found = first(next, text, after, end);
        if (found != null) {
          return found;
        }
      }
    }
    var entries = node.entries;
    for (var i = 0; i < entries.size(); i++) {
      var entry = entries.get(i);
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
      var after = afterLabel(next.label, text, at, end);
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
      var after = afterLabel(next.label, text, at, end);
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
    if (at >= end || node.children.isEmpty()) {
      return null;
    }
    var c = text.charAt(at);
    if (Chars.isDigit(c) || c == '-' && at + 1 < end && Chars.isDigit(text.charAt(at + 1))) {
      var number = node.child('#');
      return number == null ? node.child(c) : number;
    }
    return node.child(c);
  }

  /// Index behind the label if the text fits it, [#DIFFERS], or [#ENDED] if the text ended within it.
  private static int afterLabel(String label, String text, int from, int end) {
    var at = from;
    for (var i = 0; i < label.length(); i++) {
      if (at >= end) {
        return ENDED;
      }
      var expected = label.charAt(i);
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

  private static int afterPart(String part, String text, int from, int end) {
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
      at = afterLabel(next.label, text, at, end);
      if (at < 0) {
        return at == ENDED;
      }
      node = next;
    }
    return node.entries.isEmpty();
  }
}
