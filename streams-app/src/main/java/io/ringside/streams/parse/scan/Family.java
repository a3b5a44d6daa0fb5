package io.ringside.streams.parse.scan;

import java.util.List;

/// Shapes that belong together, read by one class.
///
/// @param name what the lines are about, for the documentation
/// @param shapes in the order of the documentation; where several fit a line, the longest wins
/// @param <L> cursor that the readers are given
public record Family<L extends Cursor>(String name, List<Shape<L>> shapes) {
  public Family {
    shapes = List.copyOf(shapes);
  }
}
