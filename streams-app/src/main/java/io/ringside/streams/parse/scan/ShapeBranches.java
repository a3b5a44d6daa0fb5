package io.ringside.streams.parse.scan;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/// The nodes of a {@link ShapeTree}, numbered from the root, 0, in the order of a walk.
///
/// @param labels the literal text of all nodes, one behind the other
/// @param labelEnds where the label of node `n` begins; it ends where that of `n + 1` begins
/// @param numeric whether a label has a `#` in it
/// @param children `NO_CHILD`; the negated number of a lone child; else where the node's table begins
/// @param tables of 128 each: the number of the child whose label begins with that byte, or -1; digits lead to `#`
/// @param entries the shapes whose literal beginning ends at a node
@SuppressWarnings("ArrayRecordComponent") // read by the tree alone, at every byte
record ShapeBranches<L extends Cursor>(
    byte[] labels,
    int[] labelEnds,
    boolean[] numeric,
    int[] children,
    short[] tables,
    ShapeEntry<L>[][] entries) {

  static final int NO_CHILD = Integer.MIN_VALUE;
  private static final int TABLE = 128;

  /// A node while the tree grows: a stretch of literal text, what may follow it, and the shapes that end here.
  private static final class Branch<L extends Cursor> {
    private String label;
    private int number;
    private TreeMap<Character, Branch<L>> children = new TreeMap<>();
    private List<ShapeEntry<L>> entries = new ArrayList<>();

    Branch(String label) {
      this.label = label;
    }

    void adopt(Branch<L> child) {
      children.put(child.label.charAt(0), child);
    }

    /// Cuts the label, and pushes what the node had below the cut.
    void split(int at) {
      var lower = new Branch<L>(label.substring(at));
      lower.children = children;
      lower.entries = entries;
      label = label.substring(0, at);
      children = new TreeMap<>();
      entries = new ArrayList<>();
      adopt(lower);
    }
  }

  static <L extends Cursor> ShapeBranches<L> of(List<Shape<L>> shapes) {
    var root = new Branch<L>("");
    for (var shape : shapes) {
      if (!StandardCharsets.US_ASCII.newEncoder().canEncode(shape.text())) {
        throw new IllegalArgumentException("shapes are ASCII, was " + shape.text());
      }
      var star = shape.text().indexOf('*');
      var branch = grow(root, star < 0 ? shape.text() : shape.text().substring(0, star));
      if (branch.entries.stream().noneMatch(e -> e.shape().text().equals(shape.text()))) {
        branch.entries.add(ShapeEntry.of(shape));
      }
    }
    var order = new ArrayList<Branch<L>>();
    walk(root, order);
    return laidOut(order);
  }

  private static <L extends Cursor> Branch<L> grow(Branch<L> root, String literal) {
    var branch = root;
    var rest = literal;
    while (!rest.isEmpty()) {
      var child = branch.children.get(rest.charAt(0));
      if (child == null) {
        child = new Branch<>(rest);
        branch.adopt(child);
        return child;
      }
      var common = common(child.label, rest);
      if (common < child.label.length()) {
        child.split(common);
      }
      branch = child;
      rest = rest.substring(common);
    }
    return branch;
  }

  private static int common(String a, String b) {
    var shorter = Math.min(a.length(), b.length());
    var at = 0;
    while (at < shorter && a.charAt(at) == b.charAt(at)) {
      at++;
    }
    return at;
  }

  private static <L extends Cursor> void walk(Branch<L> branch, List<Branch<L>> order) {
    order.add(branch);
    branch.children.values().forEach(child -> walk(child, order));
  }

  private static <L extends Cursor> ShapeBranches<L> laidOut(List<Branch<L>> order) {
    var labels = new ByteArrayOutputStream();
    var ends = new int[order.size() + 1];
    var numeric = new boolean[order.size()];
    var children = new int[order.size()];
    var tables = new short[0];
    var entries = entries(order.size(), order);
    for (var number = 0; number < order.size(); number++) {
      order.get(number).number = number;
    }
    if (order.size() > Short.MAX_VALUE) {
      throw new IllegalArgumentException("too many shapes for tables of shorts");
    }
    for (var node = 0; node < order.size(); node++) {
      var branch = order.get(node);
      ends[node] = labels.size();
      labels.writeBytes(branch.label.getBytes(StandardCharsets.US_ASCII));
      numeric[node] = branch.label.indexOf('#') >= 0;
      children[node] = NO_CHILD;
      if (branch.children.size() == 1) {
        children[node] = -branch.children.firstEntry().getValue().number;
      } else if (!branch.children.isEmpty()) {
        children[node] = tables.length;
        tables = Arrays.copyOf(tables, tables.length + TABLE);
        Arrays.fill(tables, children[node], tables.length, (short) -1);
        for (var child : branch.children.entrySet()) {
          var number = (short) child.getValue().number;
          tables[children[node] + child.getKey()] = number;
          if (child.getKey() == '#') {
            Arrays.fill(tables, children[node] + '0', children[node] + '9' + 1, number);
          }
        }
      }
    }
    ends[order.size()] = labels.size();
    return new ShapeBranches<>(labels.toByteArray(), ends, numeric, children, tables, entries);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <L extends Cursor> ShapeEntry<L>[][] entries(int nodes, List<Branch<L>> order) {
    var entries = (ShapeEntry<L>[][]) new ShapeEntry[nodes][];
    for (var node = 0; node < nodes; node++) {
      var of = order.get(node).entries;
      var alone = of.size() == 1 && node > 0;
      entries[node] =
          (ShapeEntry<L>[])
              of.stream()
                  .sorted(Comparator.comparingInt((ShapeEntry<L> entry) -> -entry.weight()))
                  .map(entry -> entry.trusted(alone))
                  .toArray(ShapeEntry[]::new);
    }
    return entries;
  }
}
