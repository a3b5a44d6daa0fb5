package io.ringside.streams.parse.inspector;

import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;

/// The inspector's JSON lines (plugins/profiler/inspector) within a log. They are known but ignored
/// here: [InspectorFile] reads whole files.
public final class InspectorLines {

  private InspectorLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.ignored("{\"header\":*_perf\"*", "2.28.3+"),
          Shape.ignored("{ \"header\":*_perf\"*", "2.28.3+"));
}
