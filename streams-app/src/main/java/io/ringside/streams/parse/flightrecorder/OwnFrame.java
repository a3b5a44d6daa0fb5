package io.ringside.streams.parse.flightrecorder;

import io.ringside.streams.parse.plain.PlainValue;

/// The line of the user's program in a stack: the innermost frame outside PyTorch and Python.
final class OwnFrame {
  /// How many frames of a stack are examined.
  private static final int DEEPEST = 200;

  private OwnFrame() {}

  static String of(PlainValue frames) {
    return frames.items().stream()
        .limit(DEEPEST)
        .filter(frame -> own(frame.field("filename").text()))
        .findFirst()
        .map(
            frame ->
                "%s:%d in %s"
                    .formatted(
                        shown(frame.field("filename").text()),
                        frame.field("line").whole(0),
                        frame.field("name").text()))
        .orElse("");
  }

  private static boolean own(String file) {
    return !file.isEmpty()
        && !file.contains("site-packages/")
        && !file.contains("dist-packages/")
        && !file.contains("/lib/python")
        && !file.contains("/torch/")
        && !file.startsWith("<")
        && !file.startsWith("??");
  }

  private static String shown(String file) {
    int slash = file.lastIndexOf('/');
    var name = file.substring(slash + 1);
    return name.length() <= 80 ? name : name.substring(0, 80);
  }
}
