package io.ringside.streams.parse.nccl;

import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.scan.Shape;
import java.util.ArrayList;
import java.util.List;

/// The lines of `NCCL_DEBUG_SUBSYS=COLL` (src/enqueue.cc), one per call and rank, of the same shape
/// since 2.4; and the lines of TUNING about the same calls.
final class CollectiveLines {

  private CollectiveLines() {}

  private static final List<String> OPS =
      List.of(
          "AllReduce",
          "AllGather",
          "ReduceScatter",
          "Broadcast",
          "Reduce",
          "Send",
          "Recv",
          "AlltoAll",
          "Gather",
          "Scatter",
          "PutSignal",
          "Signal",
          "WaitSignal");

  static final List<Shape<NcclMessage>> SHAPES = shapes();

  private static List<Shape<NcclMessage>> shapes() {
    var shapes = new ArrayList<Shape<NcclMessage>>();
    for (var op : OPS) {
      shapes.add(Shape.of(op + ": opCount *", "2.4+, COLL", m -> collective(m, op)));
      shapes.add(Shape.ignored(op + ": # Bytes -> *", "2.23+, TUNING"));
      shapes.add(Shape.ignored(op + " [*", "2.27+, TUNING"));
    }
    shapes.add(Shape.ignored("# Bytes -> *", "to 2.22, TUNING"));
    return List.copyOf(shapes);
  }

  /// True for the shapes of the calls themselves: a line that begins like a call but does not fit
  /// was cut.
  static boolean isCall(Shape<NcclMessage> shape) {
    return shape.text().endsWith(": opCount *");
  }

  /// RCCL prints more fields: an accumulator since 2.22, the number of waiting tasks and the rank
  /// in the world (its src/enqueue.cc).
  private static boolean collective(NcclMessage message, String op) {
    var opCount = message.expect(op).expect(": opCount ").hex();
    message.expect(" sendbuff ");
    skipPointer(message);
    message.expect(" recvbuff ");
    skipPointer(message);
    if (message.skip(" acc ")) {
      skipPointer(message);
    }
    var count = message.expect(" count ").number();
    var datatype = message.expect(" datatype ").integer();
    message.expect(" op ").integer();
    var root = message.expect(" root ").integer();
    message.expect(" comm ");
    var commAt = message.at();
    skipPointer(message);
    var commEnd = message.at();
    var nranks = message.expect(" [nranks=").integer();
    message.expect("] stream ");
    skipPointer(message);
    if (message.skip(" task ")) {
      message.integer();
      message.expect(" globalrank ").integer();
    }
    return message.done()
        && message.emit(
            new NcclEvent.Collective(
                op,
                message.text().substring(commAt, commEnd),
                count,
                datatype,
                root,
                opCount,
                nranks));
  }

  private static void skipPointer(NcclMessage message) {
    if (!message.skip("(nil)")) {
      message.expect("0x").hex();
    }
  }
}
