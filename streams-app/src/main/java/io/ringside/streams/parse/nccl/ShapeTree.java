package io.ringside.streams.parse.nccl;

import io.ringside.streams.parse.scan.Chars;
import java.util.ArrayList;
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
final class ShapeTree {

  private final Node root = new Node("");
  private final List<Shape> shapes = new ArrayList<>();

  /// A stretch of literal text and what may follow it.
  private static final class Node {
    private String label;
    private @Nullable Node[] children = new Node[0];
    private Entry[] entries = new Entry[0];

    Node(String label) {
      this.label = label;
    }
  }

  /// A shape that begins with the node's text; `tail` is what must come after, split at `*`.
  private record Entry(Shape shape, String[] tail) {}

  /// What is done with a shape found in a message.
  interface Visitor {

    /// @return false to go on searching among shorter shapes
    boolean visit(Shape shape);
  }

  /// Adds a shape; of two with the same text the first stays.
  void add(Shape shape) {
    var star = shape.text().indexOf('*');
    var literal = star < 0 ? shape.text() : shape.text().substring(0, star);
    var tail = star < 0 ? "" : shape.text().substring(star);
    var node = insert(root, literal);
    for (var entry : node.entries) {
      if (entry.shape().text().equals(shape.text())) {
        return;
      }
    }
    shapes.add(shape);
    var parts = tail.isEmpty() ? new String[0] : tail.substring(1).split("\\*", -1);
    var grown = new Entry[node.entries.length + 1];
    // shapes with a tail are tried before one that takes anything
    var place = 0;
    while (place < node.entries.length && weight(node.entries[place].tail()) >= weight(parts)) {
      place++;
    }
    System.arraycopy(node.entries, 0, grown, 0, place);
    grown[place] = new Entry(shape, parts);
    System.arraycopy(node.entries, place, grown, place + 1, node.entries.length - place);
    node.entries = grown;
  }

  private static int weight(String[] tail) {
    var sum = 0;
    for (var part : tail) {
      sum += part.length();
    }
    return sum;
  }

  /// True if lines of a shape would be found without it.
  boolean covers(Shape shape) {
    var sample = shape.text().replace('#', '0').replace('*', 'x');
    return first(sample, 0, sample.length()) != null;
  }

  /// All shapes, in the order in which they were added.
  List<Shape> shapes() {
    return List.copyOf(shapes);
  }

  private static Node insert(Node from, String literal) {
    var node = from;
    var rest = literal;
    while (!rest.isEmpty()) {
      var child = child(node, rest.charAt(0));
      if (child == null) {
        child = new Node(rest);
        adopt(node, rest.charAt(0), child);
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

  private static void split(Node node, int at) {
    var lower = new Node(node.label.substring(at));
    lower.children = node.children;
    lower.entries = node.entries;
    node.label = node.label.substring(0, at);
    node.children = new Node[0];
    node.entries = new Entry[0];
    adopt(node, lower.label.charAt(0), lower);
  }

  private static int common(String a, String b) {
    var i = 0;
    while (i < a.length() && i < b.length() && a.charAt(i) == b.charAt(i)) {
      i++;
    }
    return i;
  }

  private static void adopt(Node node, char first, Node child) {
    if (first >= 128) {
      throw new IllegalArgumentException("shapes are ASCII, was " + child.label);
    }
    if (node.children.length == 0) {
      node.children = new Node[128];
    }
    node.children[first] = child;
  }

  private static @Nullable Node child(Node node, char c) {
    return c < node.children.length ? node.children[c] : null;
  }

  /// Offers the shapes that fit the message to the visitor, longest first, until it takes one.
  ///
  /// @return true if it took one
  boolean match(String text, int from, int end, Visitor visitor) {
    return match(root, text, from, end, visitor);
  }

  /// The longest shape that fits, or null.
  @Nullable Shape first(String text, int from, int end) {
    return first(root, text, from, end);
  }

  private static @Nullable Shape first(Node node, String text, int at, int end) {
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
    for (var entry : node.entries) {
      if (tailFits(entry.tail(), text, at, end)) {
        return entry.shape();
      }
    }
    return null;
  }

  private static boolean match(Node node, String text, int at, int end, Visitor visitor) {
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

  private static @Nullable Node next(Node node, String text, int at, int end) {
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

  /// Index behind the label if the text fits it, else -1; `-2` if the text ended within it.
  private static int afterLabel(String label, String text, int from, int end) {
    var at = from;
    for (var i = 0; i < label.length(); i++) {
      if (at >= end) {
        return -2;
      }
      var expected = label.charAt(i);
      var c = text.charAt(at);
      if (c == expected && c != '#') {
        at++;
      } else if (expected == '#') {
        var digits = c == '-' ? at + 1 : at;
        at = Chars.skipDigits(text, digits, end);
        if (at == digits) {
          return -1;
        }
      } else {
        return -1;
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
      if (after == -2) {
        return -1;
      }
      if (after >= 0) {
        return after;
      }
    }
    return -1;
  }

  /// True if the message ends in the middle of known text: its line was cut.
  boolean cut(String text, int from, int end) {
    var node = root;
    var at = from;
    while (true) {
      if (at >= end) {
        return node.entries.length == 0;
      }
      var next = next(node, text, at, end);
      if (next == null) {
        return false;
      }
      var after = afterLabel(next.label, text, at, end);
      if (after < 0) {
        return after == -2;
      }
      node = next;
      at = after;
    }
  }
}
