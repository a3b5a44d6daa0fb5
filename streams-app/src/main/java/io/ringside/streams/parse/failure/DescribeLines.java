package io.ringside.streams.parse.failure;

import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;
import java.util.stream.Stream;

/// What `kubectl describe pod` prints about the state of the pod's containers: one field per line,
/// at least two blanks between name and value (kubectl's pkg/describe).
public final class DescribeLines {
  private DescribeLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      Stream.concat(
              Stream.of(
                      "Name",
                      "Status",
                      "Message",
                      "Image",
                      "State",
                      "Last State",
                      "Reason",
                      "Exit Code",
                      "nvidia.com/gpu",
                      "amd.com/gpu")
                  .map(DescribeLines::field),
              Stream.of(
                  Shape.<TextLine>of(
                      "Conditions:",
                      "kubectl describe",
                      line -> line.emit(new FailureEvent.Described("Conditions", "")))))
          .toList();

  private static Shape<TextLine> field(String name) {
    return Shape.of(name + ":  *", "kubectl describe", line -> described(line, name));
  }

  private static boolean described(TextLine line, String field) {
    var value = line.expect(field).expect(":").blanks().rest().strip();
    return line.good()
        && !value.isEmpty()
        && (field.equals("Message") ? value.startsWith("The node ") : value.indexOf(' ') < 0)
        && line.emit(new FailureEvent.Described(field, value));
  }

  /// Whether a container is one that a cluster runs beside the program, judged by its image:
  /// `docker.io/istio/proxyv2:1.22.0`.
  public static boolean isBeside(String image) {
    return image.contains("istio/") || MachineLines.isService(image);
  }
}
