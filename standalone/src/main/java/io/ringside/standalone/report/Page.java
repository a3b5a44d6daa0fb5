package io.ringside.standalone.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Builds lines of text: knows the width, the indentation and the colours, but nothing about the
/// content. Not thread-safe.
final class Page {
  private final Screen screen;
  private final List<String> lines = new ArrayList<>();

  Page(Screen screen) {
    this.screen = screen;
  }

  Screen screen() {
    return screen;
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  /// Adds an empty line, but never two in a row.
  void blank() {
    if (!lines.isEmpty() && !lines.getLast().isEmpty()) {
      lines.add("");
    }
  }

  /// Adds one line, however long.
  void whole(ColouredText... spans) {
    var out = new StringBuilder();
    for (var span : spans) {
      out.append(ink(span.ink(), span.text()));
    }
    lines.add(out.toString().stripTrailing());
  }

  /// Adds one line, cut at the right edge.
  void line(int indent, ColouredText... spans) {
    var out = new StringBuilder(" ".repeat(indent));
    int left = screen.width() - indent;
    var run = new StringBuilder();
    for (int i = 0; i < spans.length; i++) {
      var text = Figures.cut(spans[i].text(), left);
      left -= text.codePointCount(0, text.length());
      run.append(text);
      if (i + 1 == spans.length || spans[i + 1].ink() != spans[i].ink()) {
        out.append(ink(spans[i].ink(), run.toString()));
        run.setLength(0);
      }
    }
    lines.add(out.toString().stripTrailing());
  }

  /// Adds text broken at spaces into as many lines as needed; all but the first are indented by
  /// `hang`.
  void paragraph(int indent, int hang, ColouredText... spans) {
    wrapped(indent, hang, Integer.MAX_VALUE, spans);
  }

  /// Adds a paragraph of at most `rows` lines; text that does not fit is replaced by an ellipsis.
  void wrapped(int indent, int hang, int rows, ColouredText... spans) {
    var words = Arrays.stream(spans).flatMap(span -> Words.of(span).stream()).toList();
    int from = 0;
    for (int row = 1; from < words.size(); row++) {
      int start = row == 1 ? indent : hang;
      int width = screen.width() - start;
      int to = row == rows ? words.size() : Words.fitting(words, from, width);
      line(start, words.subList(from, to).toArray(ColouredText[]::new));
      from = Words.skipSpaces(words, to);
    }
  }

  private String ink(AnsiColour ink, String text) {
    return screen.colour() ? ink.on(text) : text;
  }
}
