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
    private @Nullable Node<L>[] children = none();
    private List<Entry<L>> entries = List.of();

    Node(String label) {
      this.label = label;
    }
  }

  /// A shape that begins with the node's text; `tail` is what must come after, split at `*`.
  private record Entry<L extends Cursor>(Shape<L> shape, String[] tail) {

    int weight() {
      return Arrays.stream(tail).mapToInt(String::length).sum();
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
    grown.add(new Entry<>(shape, tail));
    // the more a shape asks of the rest, the earlier it is tried
    grown.sort(Comparator.comparingInt((Entry<L> entry) -> -entry.weight()));
    node.entries = List.copyOf(grown);
  }

  /// True if lines of a shape would be found without it.
  public boolean covers(Shape<L> shape) {
    var sample = shape.text().replace('#', '0').replace('*', 'x');
    return first(sample, 0, sample.length()) != null;
  }

  /// All shapes, in the order in which they were added.
  public List<Shape<L>> shapes() {
    return List.copyOf(shapes);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <L extends Cursor> @Nullable Node<L>[] none() {
    return (Node<L>[]) new Node[0];
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <L extends Cursor> void adopt(Node<L> node, Node<L> child) {
    var first = child.label.charAt(0);
    if (first >= 128) {
      throw new IllegalArgumentException("shapes are ASCII, was " + child.label);
    }
    if (node.children.length == 0) {
      node.children = (Node<L>[]) new Node[128];
    }
    node.children[first] = child;
  }

  private static <L extends Cursor> @Nullable Node<L> child(Node<L> node, char c) {
    return c < node.children.length ? node.children[c] : null;
  }

  private static <L extends Cursor> Node<L> insert(Node<L> from, String literal) {
    var node = from;
    var rest = literal;
    while (!rest.isEmpty()) {
      var child = child(node, rest.charAt(0));
      if (child == null) {
        child = new Node<>(rest);
        adopt(node, child);
        return child;
      }
      var common = common(child.label, rest);
      if (common < child.label.length()) {
        split(child, common);
      }
      node = child;
      rest = rest.substring(common);
    }
    return node;
  }

  private static <L extends Cursor> void split(Node<L> node, int at) {
    var lower = new Node<L>(node.label.substring(at));
    lower.children = node.children;
    lower.entries = node.entries;
    node.label = node.label.substring(0, at);
    node.children = none();
    node.entries = List.of();
    adopt(node, lower);
  }

  private static int common(String a, String b) {
    var i = 0;
    while (i < a.length() && i < b.length() && a.charAt(i) == b.charAt(i)) {
      i++;
    }
    return i;
  }

  /// The longest shape that fits the beginning of the range, or null.
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
      if (tailFits(entries.get(i).tail(), text, at, end)) {
        return entries.get(i).shape();
      }
    }
    return null;
  }

  /// Offers the shapes that fit to the visitor, longest first, until it takes one.
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
      if (tailFits(entry.tail(), text, at, end) && visitor.visit(entry.shape())) {
        return true;
      }
    }
    return false;
  }

  private static <L extends Cursor> @Nullable Node<L> next(
      Node<L> node, String text, int at, int end) {
    if (at >= end || node.children.length == 0) {
      return null;
    }
    var c = text.charAt(at);
    if (Chars.isDigit(c) || c == '-' && at + 1 < end && Chars.isDigit(text.charAt(at + 1))) {
      var number = node.children['#'];
      return number == null ? node.children[c] : number;
    }
    return c < 128 ? node.children[c] : null;
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

  private static boolean tailFits(String[] tail, String text, int from, int end) {
    var at = from;
    for (var part : tail) {
      if (!part.isEmpty()) {
        at = afterPart(part, text, at, end);
        if (at < 0) {
          return false;
        }
      }
    }
    return true;
  }

  private static int afterPart(String part, String text, int from, int end) {
    for (var at = from; at < end; at++) {
      var after = afterLabel(part, text, at, end);
      if (after == ENDED) {
        return ENDED;
      }
      if (after >= 0) {
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
