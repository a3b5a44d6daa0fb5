package io.ringside.streams.parse.nccl;

import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.NcclEvent.Phase;
import io.ringside.streams.parse.scan.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The life of a communicator: init, split, shrink, abort, destroy (src/init.cc). Fields were added
/// over time: `commId` in 2.16.2, `nvmlDev` and START in 2.18.3, the function's name in 2.21,
/// `splitCount` in 2.24.3, `childCount` and `[Rank n]` in 2.29.2. RCCL adds its memory use:
/// `localSize 384 used 27440 bytes on core 24`.
///
/// NCCL never prints a rank outside the range of its communicator: such a line is damaged or
/// forged.
final class CommunicatorLines {

  private CommunicatorLines() {}

  static final List<Shape<NcclMessage>> SHAPES =
      List.of(
          Shape.of("comm 0x*", "all", CommunicatorLines::life),
          Shape.of("ncclComm* comm 0x*", "2.21+", CommunicatorLines::life),
          Shape.of("[Rank #] ncclComm* comm 0x*", "2.29.2+", CommunicatorLines::life),
          Shape.ignored("Rank # has color with NCCL_SPLIT_NOCOLOR*", "2.18+"),
          Shape.ignored("Destroyed comm *", "all"),
          Shape.ignored("CommRevokeAsync *", "2.29+"));

  private static boolean life(NcclMessage message) {
    if (message.skip("[Rank ")) {
      message.integer();
      message.expect("] ");
    }
    if (message.peek() == 'n') {
      message.until(' '); // the function that was called
    }
    message.blanks();
    var comm = message.expect("comm ").pointer();
    var rank = message.expect(" rank ").integer();
    if (!message.skip(" nranks ")) {
      message.expect(" nRanks ");
    }
    var nranks = message.integer();
    if (message.good() && (rank < 0 || rank >= nranks)) {
      return message.emit(new NcclEvent.Spliced());
    }
    return message.good()
        && (message.skip(" nNodes ") ? nodes(message, comm) : phase(message, comm, rank, nranks));
  }

  private static boolean nodes(NcclMessage message, String comm) {
    var nodes = message.integer();
    var localRanks = message.expect(" localRanks ").integer();
    message.expect(" localRank ").integer();
    return message.good() && message.emit(new NcclEvent.CommNodes(comm, nodes, localRanks));
  }

  private static boolean phase(NcclMessage message, String comm, int rank, int nranks) {
    var cudaDev = message.expect(" cudaDev ").integer();
    var nvmlDev = message.skip(" nvmlDev ") ? message.integer() : -1;
    var busId = message.skip(" busId ") ? NcclEvent.busId(message.hex()) : null;
    var commId = message.skip(" commId ") ? message.pointer() : null;
    var parent = message.skip(" parent ") ? message.pointer() : null;
    var splitCount =
        message.skip(" splitCount ") || message.skip(" childCount ") ? message.integer() : -1;
    var color = message.skip(" color ") ? message.integer() : 0;
    if (message.skip(" key ")) {
      message.integer();
    }
    if (commId == null && message.skip(" commId ")) {
      commId = message.pointer();
    }
    memory(message);
    var phase = phaseOf(message);
    return phase != null
        && message.good()
        && message.emit(
            new NcclEvent.CommInit(
                phase,
                comm,
                rank,
                nranks,
                cudaDev,
                nvmlDev,
                busId,
                commId,
                parent,
                splitCount,
                color));
  }

  private static void memory(NcclMessage message) {
    if (message.skip(" localSize ")) {
      message.integer();
    }
    if (message.skip(" used ")) {
      message.integer();
      message.expect(" bytes");
    }
    if (message.skip(" on core ")) {
      message.integer();
    }
  }

  /// ` - Init START`; on split lines of 2.24.3 to 2.28.9 without the first blank.
  private static @Nullable Phase phaseOf(NcclMessage message) {
    message.blanks().expect("- ");
    if (message.skip("Init START")) {
      return Phase.START;
    }
    if (message.skip("Init COMPLETE")) {
      return Phase.COMPLETE;
    }
    if (message.skip("Destroy COMPLETE")) {
      return Phase.DESTROY;
    }
    if (message.skip("Abort ")) {
      return Phase.ABORT;
    }
    return message.skip("Revoke ") ? Phase.REVOKE : null;
  }
}
