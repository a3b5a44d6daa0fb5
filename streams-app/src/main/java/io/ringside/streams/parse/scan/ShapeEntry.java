package io.ringside.streams.parse.scan;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A shape whose literal beginning ends at a node of the tree; `tail` is what must come after, split at `*`.
///
/// @param trusted its reader looks at the tail anyway, and there is no other entry to prefer
record ShapeEntry<L extends Cursor>(Shape<L> shape, byte[][] tail, boolean trusted) {

  static <L extends Cursor> ShapeEntry<L> of(Shape<L> shape) {
    var star = shape.text().indexOf('*');
    return new ShapeEntry<>(
        shape, star < 0 ? new byte[0][] : parts(shape.text().substring(star + 1)), false);
  }

  private static byte[][] parts(String tail) {
    return Arrays.stream(tail.split("\\*", -1))
        .map(part -> part.getBytes(StandardCharsets.US_ASCII))
        .toArray(byte[][]::new);
  }

  ShapeEntry<L> trusted(boolean now) {
    return new ShapeEntry<>(shape, tail, now && shape.reader() != null);
  }

  /// The more a shape asks of the rest, the earlier it is tried.
  int weight() {
    return Arrays.stream(tail).mapToInt(part -> part.length).sum();
  }

  boolean fits(byte[] bytes, int from, int end) {
    return after(bytes, from, end) >= 0;
  }

  boolean offered(byte[] bytes, int from, int end) {
    return shape.reader() == null ? fitsWhole(bytes, from, end) : fits(bytes, from, end);
  }

  boolean fitsWhole(byte[] bytes, int from, int end) {
    var after = after(bytes, from, end);
    return after == end || after >= 0 && tail.length > 0 && tail[tail.length - 1].length == 0;
  }

  private int after(byte[] bytes, int from, int end) {
    var at = from;
    for (var part : tail) {
      if (part.length > 0) {
        at = find(part, bytes, at, end);
        if (at < 0) {
          return at;
        }
      }
    }
    return at;
  }

  private static int find(byte[] part, byte[] bytes, int from, int end) {
    var first = part[0];
    for (var at = from; at < end; at++) {
      if (first != '#' && bytes[at] != first) {
        continue;
      }
      var after = ShapeTree.afterPart(part, 0, part.length, bytes, at, end);
      if (after != ShapeTree.DIFFERS) {
        return after;
      }
    }
    return ShapeTree.DIFFERS;
  }
}
