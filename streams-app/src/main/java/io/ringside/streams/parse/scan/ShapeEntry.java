package io.ringside.streams.parse.scan;

import io.ringside.schemas.event.Text;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A shape whose literal beginning ends at a node of the tree; `tail` is the text that must follow,
/// split at `*`.
///
/// @param trusted whether the reader checks the tail anyway and no other entry of the node has a
///   reader
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

  /// Length of the text that the shape requires in the rest: the longest is tried first.
  int weight() {
    return Arrays.stream(tail).mapToInt(part -> part.length).sum();
  }

  /// Whether the entry fits whatever follows.
  boolean sure() {
    return trusted || weight() == 0;
  }

  boolean fits(Text text, int from, int end) {
    return after(text, from, end) >= 0;
  }

  boolean offered(Text text, int from, int end) {
    return shape.reader() == null ? fitsWhole(text, from, end) : fits(text, from, end);
  }

  boolean fitsWhole(Text text, int from, int end) {
    var after = after(text, from, end);
    return after == end || after >= 0 && tail.length > 0 && tail[tail.length - 1].length == 0;
  }

  private int after(Text text, int from, int end) {
    var at = from;
    for (var part : tail) {
      if (part.length > 0) {
        at = find(part, text, at, end);
        if (at < 0) {
          return at;
        }
      }
    }
    return at;
  }

  private static int find(byte[] part, Text text, int from, int end) {
    var bytes = text.utf8();
    if (part.length == 1 || part[0] == '#' || part[1] == '#') {
      return findNumber(part, bytes, from, end);
    }
    var at = text.indexOfPair((char) part[0], (char) part[1], from, end);
    while (at >= 0) {
      var after = ShapeTree.afterPart(part, bytes, at, end);
      if (after != ShapeTree.DIFFERS) {
        return after;
      }
      at = text.indexOfPair((char) part[0], (char) part[1], at + 1, end);
    }
    return ShapeTree.DIFFERS;
  }

  private static int findNumber(byte[] part, byte[] bytes, int from, int end) {
    for (var at = from; at < end; at++) {
      var after = ShapeTree.afterPart(part, bytes, at, end);
      if (after != ShapeTree.DIFFERS) {
        return after;
      }
    }
    return ShapeTree.DIFFERS;
  }
}
