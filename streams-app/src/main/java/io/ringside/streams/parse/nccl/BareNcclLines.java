package io.ringside.streams.parse.nccl;

import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;

/// What NCCL prints without its header: the version line of rank 0 at `NCCL_DEBUG=VERSION` and, up to 2.21.5, at any level.
public final class BareNcclLines {

  private BareNcclLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of("NCCL version #*", "all", BareNcclLines::version),
          Shape.of("RCCL version *", "RCCL", BareNcclLines::rccl),
          Shape.of(
              "NCCL WARN *", "all, where somebody left the header out", BareNcclLines::warning),
          Shape.ignored("Function | *", "2.24.3+, matrix of algorithms"));

  private static boolean warning(TextLine line) {
    var message = line.expect("NCCL WARN ").rest().strip();
    return !message.isEmpty() && line.emit(new NcclEvent.Warning(message));
  }

  private static boolean rccl(TextLine line) {
    var event = VersionLines.rccl(line.expect("RCCL version ").rest());
    return event != null && line.emit(event);
  }

  private static boolean version(TextLine line) {
    var event = VersionLines.version(line.expect("NCCL version ").rest());
    return event != null && line.emit(event);
  }
}
