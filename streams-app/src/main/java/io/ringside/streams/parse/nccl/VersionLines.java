package io.ringside.streams.parse.nccl;

import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.scan.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Versions of NCCL and RCCL (src/init.cc of both).
final class VersionLines {

  private VersionLines() {}

  static final List<Shape<NcclMessage>> SHAPES =
      List.of(
          Shape.behind("NCCL version *", "2.22.3+ with header, before bare", VersionLines::version),
          Shape.of("RCCL version *", "RCCL", VersionLines::rccl),
          Shape.ignored("NCCL git version *", "2.30.3+"),
          Shape.ignored("cudaDriverVersion #", "2.13.4+"));

  private static boolean version(NcclMessage message) {
    var event = version(message.rest());
    return event != null && message.emit(event);
  }

  private static boolean rccl(NcclMessage message) {
    var event = rccl(message.expect("RCCL version ").rest());
    return event != null && message.emit(event);
  }

  /// `: 2.22.3-HEAD:9ec9c0c`, before RCCL 2.20 `2.18.3+hip5.7 HEAD:b502725`; null for anything
  /// else. The result is the NCCL release that RCCL is based on.
  static NcclEvent.@Nullable Version rccl(String said) {
    var text = said.startsWith(": ") ? said.substring(2) : said;
    int end = 0;
    while (end < text.length()
        && (text.charAt(end) == '.' || Character.isDigit(text.charAt(end)))) {
      end++;
    }
    return version(text.substring(0, end));
  }

  /// `2.27.3+cuda12.9`, or `2.28.9 compiled with CUDA 13.0` as the RAS client prints it; null for
  /// anything else.
  static NcclEvent.@Nullable Version version(String text) {
    if (text.isEmpty() || text.charAt(0) < '0' || text.charAt(0) > '9') {
      return null;
    }
    var compiled = text.indexOf(" compiled with CUDA ");
    if (compiled > 0) {
      return new NcclEvent.Version(text.substring(0, compiled));
    }
    if (text.indexOf(' ') >= 0) {
      return null;
    }
    var plus = text.indexOf("+cuda");
    return new NcclEvent.Version(plus < 0 ? text : text.substring(0, plus));
  }
}
