package io.ringside.streams.parse.scan;

import io.ringside.schemas.event.Text;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The nodes of a {@link ShapeTree}, numbered in depth-first order; the root is 0.
///
/// @param labels the literal text of all nodes, one after the other; a `#` has a node of its own
/// @param nodes {@link #FIELDS} numbers per node, side by side so that one step of a walk reads one
///   place in memory
/// @param tables of 128 entries each: the number of the child whose label begins with that byte, or
///   -1; digits lead to `#`
/// @param entries the shapes whose literal beginning ends at a node
/// @param sure the shape that ends at a node and is returned whatever follows; else null
/// @param starts where a walk may begin
@SuppressWarnings("ArrayRecordComponent") // read by the tree alone, at every byte
record ShapeBranches<L extends Cursor>(
    Text labels,
    int[] nodes,
    short[] tables,
    ShapeEntry<L>[][] entries,
    @Nullable Shape<L>[] sure,
    ShapeStarts starts) {

  static final int FIELDS = 4;

  /// Where the node's label begins.
  static final int LABEL = 0;

  /// Length of the label; {@link #NUMBER} for the label `#`.
  static final int LENGTH = 1;

  /// {@link #NO_CHILD}; the negated number of an only child; else where the node's table begins.
  static final int CHILDREN = 2;

  /// Number of shapes that end here.
  static final int ENTRIES = 3;

  static final int NUMBER = -1;
  static final int NO_CHILD = Integer.MIN_VALUE;
  private static final int TABLE = 128;

  /// A node while the tree is built: a piece of literal text, its children, and the shapes that end
  /// here.
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

    /// Cuts the label, and moves the children and entries of the node below the cut.
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

  static <L extends Cursor> ShapeBranches<L> of(List<Shape<L>> shapes, boolean trusting) {
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
    return laidOut(order, trusting);
  }

  private static <L extends Cursor> Branch<L> grow(Branch<L> root, String literal) {
    var branch = root;
    var rest = literal;
    while (!rest.isEmpty()) {
      var child = branch.children.get(rest.charAt(0));
      if (child == null) {
        child = new Branch<>(rest.substring(0, stretch(rest)));
        branch.adopt(child);
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

  /// Length of the part of a literal that one node takes: up to a number, or the number alone.
  private static int stretch(String literal) {
    var number = literal.indexOf('#');
    return number < 0 ? literal.length() : Math.max(1, number);
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

  private static <L extends Cursor> ShapeBranches<L> laidOut(
      List<Branch<L>> order, boolean trusting) {
    if (order.size() > Short.MAX_VALUE) {
      throw new IllegalArgumentException("too many shapes for tables of shorts");
    }
    for (var number = 0; number < order.size(); number++) {
      order.get(number).number = number;
    }
    var labels = new ByteArrayOutputStream();
    var nodes = new int[order.size() * FIELDS];
    var tables = new short[0];
    for (var node = 0; node < order.size(); node++) {
      var branch = order.get(node);
      var at = node * FIELDS;
      nodes[at + LABEL] = labels.size();
      nodes[at + LENGTH] = branch.label.equals("#") ? NUMBER : branch.label.length();
      nodes[at + ENTRIES] = branch.entries.size();
      labels.writeBytes(branch.label.getBytes(StandardCharsets.US_ASCII));
      if (branch.children.isEmpty()) {
        nodes[at + CHILDREN] = NO_CHILD;
      } else if (branch.children.size() == 1) {
        nodes[at + CHILDREN] = -branch.children.firstEntry().getValue().number;
      } else {
        nodes[at + CHILDREN] = tables.length;
        tables = Arrays.copyOf(tables, tables.length + TABLE);
        fill(tables, tables.length - TABLE, branch);
      }
    }
    var entries = entries(order, trusting);
    return new ShapeBranches<>(
        Text.of(labels.toByteArray()), nodes, tables, entries, sure(entries), starts(order, nodes));
  }

  private static <L extends Cursor> ShapeStarts starts(List<Branch<L>> order, int[] nodes) {
    var starts = ShapeStarts.of(order.size());
    put(order.getFirst(), "", nodes, starts);
    return starts;
  }

  private static <L extends Cursor> void fill(short[] tables, int table, Branch<L> branch) {
    Arrays.fill(tables, table, table + TABLE, (short) -1);
    branch.children.forEach(
        (c, child) -> {
          tables[table + c] = (short) child.number;
          if (c == '#') {
            Arrays.fill(tables, table + '0', table + '9' + 1, (short) child.number);
          }
        });
  }

  /// Adds the nodes that hold the eighth byte of a literal beginning to the start table. Leaves out
  /// those where this byte is a minus, because a number may begin with it.
  private static <L extends Cursor> void put(
      Branch<L> branch, String before, int[] nodes, ShapeStarts starts) {
    var literal = before + branch.label;
    if (branch.label.equals("#")) {
      return;
    }
    if (literal.length() < ShapeStarts.BYTES) {
      branch.children.values().forEach(child -> put(child, literal, nodes, starts));
    } else if (literal.charAt(ShapeStarts.BYTES - 1) != '-') {
      var covered = ShapeStarts.BYTES - before.length();
      starts.put(
          Text.of(literal).word(0),
          branch.number,
          nodes[branch.number * FIELDS + LABEL] + covered,
          branch.label.length() - covered);
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <L extends Cursor> ShapeEntry<L>[][] entries(
      List<Branch<L>> order, boolean trusting) {
    var entries = (ShapeEntry<L>[][]) new ShapeEntry[order.size()][];
    for (var node = 0; node < entries.length; node++) {
      var of = order.get(node).entries;
      var readers = of.stream().filter(entry -> entry.shape().reader() != null).count();
      var soleReader = trusting && readers == 1 && node > 0;
      entries[node] =
          (ShapeEntry<L>[])
              of.stream()
                  .map(entry -> entry.trusted(soleReader))
                  .sorted(
                      Comparator.comparing((ShapeEntry<L> entry) -> !entry.trusted())
                          .thenComparingInt(entry -> -entry.weight()))
                  .toArray(ShapeEntry[]::new);
    }
    return entries;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <L extends Cursor> @Nullable Shape<L>[] sure(ShapeEntry<L>[][] entries) {
    return (@Nullable Shape<L>[])
        Arrays.stream(entries)
            .map(of -> of.length > 0 && of[0].sure() ? of[0].shape() : null)
            .toArray(Shape[]::new);
  }
}
