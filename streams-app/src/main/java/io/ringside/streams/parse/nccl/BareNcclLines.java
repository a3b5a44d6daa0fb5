package io.ringside.streams.parse.nccl;

import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;
import java.util.Set;

/// Lines that NCCL prints without its header: the version line of rank 0, at `NCCL_DEBUG=VERSION`
/// and, up to 2.21.5, at any level. Also lines whose header somebody left out of a paste.
public final class BareNcclLines {

  private static final String LEFT_OUT = "all, where somebody left the header out";

  /// Names that NCCL gives to its own networks and those of its plugins; other programs use
  /// networks, too.
  private static final Set<String> NETWORKS = Set.of("IB", "Socket", "AWS Libfabric", "Libfabric");

  private BareNcclLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of("NCCL version #*", "all", BareNcclLines::version),
          Shape.of("RCCL version *", "RCCL", BareNcclLines::rccl),
          Shape.of("NCCL WARN *", LEFT_OUT, BareNcclLines::warning),
          old("include/*.h"),
          old("transport/*.cu"),
          old("misc/*.cu"),
          old("transport.cu"),
          old("bootstrap.cu"),
          old("init.cu"),
          bare("NET/OFI *"),
          bare("NET/IB : *"),
          bare("NET/Socket : Using *"),
          bare("Bootstrap: Using *"),
          bare("Bootstrap : Using *"),
          bare("comm 0x* rank # n*"),
          bare("ncclComm* comm 0x* rank # n*"),
          bare("Connected all rings*"),
          bare("NET/Plugin: *"),
          bare("NET/Plugin : *"),
          Shape.of("Using network *", LEFT_OUT, BareNcclLines::network),
          bare("Channel # : #[*] -> #[*]* via *"),
          bare("Channel #/# : #[*] -> #[*]* via *"),
          Shape.ignored("Function | *", "2.24.3+, matrix of algorithms"));

  /// `worker-0:152:510 [0] include/socket.h:360 WARN Call to connect failed : Connection timed
  /// out`: before 2.3 the header did not name NCCL. The text in front of the source file is skipped
  /// as a wrapper.
  private static Shape<TextLine> old(String file) {
    return Shape.of(file + ":# WARN *", "to 2.2", BareNcclLines::warning);
  }

  /// A message that only NCCL and its plugins print, pasted without its header.
  private static Shape<TextLine> bare(String text) {
    return Shape.of(text, LEFT_OUT, NcclLines::bare);
  }

  private static boolean network(TextLine line) {
    var from = line.at();
    boolean known = NETWORKS.contains(line.expect("Using network ").rest().strip());
    line.back(from);
    return known && NcclLines.bare(line);
  }

  private static boolean warning(TextLine line) {
    var message = line.seek("WARN ").rest().strip();
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
