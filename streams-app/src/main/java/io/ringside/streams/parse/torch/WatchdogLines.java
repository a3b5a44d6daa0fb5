package io.ringside.streams.parse.torch;

import io.ringside.streams.parse.event.TorchEvent;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;

/// The NCCL watchdog of torch's process groups (ProcessGroupNCCL.cpp). Every waiting rank prints;
/// the rank that the others wait for often prints nothing.
public final class WatchdogLines {

  private static final String CAUGHT = "Watchdog caught collective operation timeout: WorkNCCL(";

  /// End of a line that a paste cut at some width.
  private static final String CUT = "Watchdog caught collective operation.";

  /// Printed by a rank that waits without a watchdog, with TORCH_NCCL_BLOCKING_WAIT.
  private static final String BLOCKED = "timed out in blocking wait";

  private WatchdogLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of(
              "Watchdog caught collective operation timeout: WorkNCCL(*",
              "all",
              WatchdogLines::timeout),
          Shape.of(
              "Watchdog caught collective operation timeout:",
              "all, cut",
              WatchdogLines::otherBackend),
          Shape.of("Work WorkNCCL(*", "all, TORCH_NCCL_BLOCKING_WAIT", WatchdogLines::blocking),
          Shape.of(
              "failure detected by watchdog at work sequence id: *",
              "torch 2.6+",
              WatchdogLines::status),
          Shape.of(
              "Exception (either an error or timeout) detected by watchdog at work: *",
              "torch 2.4, 2.5",
              WatchdogLines::status),
          Shape.of("Timeout at NCCL work: *", "torch 2.4, 2.5", WatchdogLines::status),
          Shape.of(
              "timeout - timeout watchdog detected operation timeout*",
              "torch 2.14 nccl2",
              WatchdogLines::otherBackend),
          Shape.of(
              "Observed flight recorder dump signal from another rank*",
              "torch 2.6+",
              WatchdogLines::observed),
          Shape.of(
              "Received a dump signal due to a collective timeout from *",
              "torch 2.2+",
              WatchdogLines::received),
          Shape.of(
              "ProcessGroupNCCL's watchdog got stuck for *", "torch 2.4+", WatchdogLines::stuck),
          Shape.of("NCCL watchdog hang*", "torch to 2.3", WatchdogLines::hang),
          Shape.of("Heartbeat monitor timed out*", "torch 2.2+", WatchdogLines::hang),
          Shape.of(
              "Process group watchdog thread terminated with exception: *",
              "torch 2.6+",
              WatchdogLines::down),
          Shape.of(
              "exception: [Rank #] Watchdog caught collective operation timeout: *",
              "torch 2.4+, broken into lines by a terminal",
              WatchdogLines::broken),
          Shape.of(
              "NCCL watchdog thread terminated with exception: *",
              "torch to 2.5",
              WatchdogLines::down),
          Shape.of(
              "To avoid data inconsistency, we are taking the entire process down*",
              "all",
              WatchdogLines::down),
          Shape.of(
              "Terminating the process after attempting to dump debug info, *",
              "torch 2.2+",
              WatchdogLines::down),
          Shape.of(
              "terminate called after throwing an instance of 'c10::DistBackendError'",
              "all",
              WatchdogLines::down));

  /// Reads the same statement inside the message of an exception,
  /// `what():  [Rank 7] Watchdog caught …`: some logs have no other line for it.
  ///
  /// @param from where the exception's message begins
  public static void quoted(TextLine line, int from) {
    var caught = Chars.find(line.text(), from, line.end(), CAUGHT);
    var at = caught < 0 ? blockedIn(line, from) : caught;
    if (at < 0) {
      return;
    }
    var rank = line.rank() >= 0 ? line.rank() : quotedRank(line, from);
    line.back(at);
    timeout(line, rank);
  }

  /// Where an exception names the work whose wait failed, or -1 if it names none.
  private static int blockedIn(TextLine line, int from) {
    var at = Chars.find(line.text(), from, line.end(), "Work WorkNCCL(");
    return at >= 0 && Chars.find(line.text(), at, line.end(), BLOCKED) >= 0 ? at : -1;
  }

  /// `[PG 1 Rank 7] …`, `[2]: …`
  private static int quotedRank(TextLine line, int from) {
    line.back(from);
    var rank = line.seek("ank ").integer();
    if (line.bad()) {
      line.back(from);
      rank = line.expect("[").integer();
      line.expect("]");
    }
    return line.good() ? rank : -1;
  }

  /// `[Rank 0] Work WorkNCCL(SeqNum=901, OpType=ALLREDUCE, …, Timeout(ms)=600000) timed out in
  /// blocking wait.` In this mode no watchdog runs.
  private static boolean blocking(TextLine line) {
    return Chars.find(line.text(), line.at(), line.end(), BLOCKED) > 0
        && timeout(line, line.rank());
  }

  private static boolean broken(TextLine line) {
    quoted(line, line.at());
    return true;
  }

  private static boolean timeout(TextLine line) {
    return timeout(line, line.rank());
  }

  /// `WorkNCCL(SeqNum=91, OpType=ALLREDUCE, NumelIn=…, NumelOut=…, Timeout(ms)=20000) ran for 20044
  /// milliseconds before timing out.`; up to 1.12 without the number. A terminal or a paste may cut
  /// the line anywhere: a field that is cut is ignored.
  private static boolean timeout(TextLine line, int rank) {
    line.seek("WorkNCCL(");
    var sequence = -1L;
    if (line.skip("SeqNum=")) {
      var number = line.number();
      sequence = line.skip(", ") || line.skip(",") ? number : -1;
    }
    var opType = "";
    if (line.skip("OpType=") && Chars.find(line.text(), line.at(), line.end(), ',') > line.at()) {
      opType = line.until(',');
    }
    var ran = line.find(") ran for ") ? line.number() : -1;
    return line.good()
        && line.emit(
            new TorchEvent.WatchdogTimeout(rank, sequence, opType, ran, -1, -1, line.group()));
  }

  /// `… work sequence id: 91 PG status: last enqueued work: 93, last completed work: 90`, in all
  /// its wordings.
  private static boolean status(TextLine line) {
    var sequence = line.seek(": ").number();
    var enqueued = after(line, "ast enqueued ");
    after(line, "ast started ");
    var completed = after(line, "ast completed ");
    return line.good()
        && line.emit(
            new TorchEvent.WatchdogTimeout(
                line.rank(), sequence, "", -1, enqueued, completed, line.group()));
  }

  /// The number in `ast enqueued NCCL work: 93`, or -1. Without the number the cursor stays in
  /// place.
  private static long after(TextLine line, String words) {
    var from = line.at();
    if (line.find(words) && line.find("work: ")) {
      var value = line.number();
      if (line.good()) {
        return value;
      }
    }
    line.back(from);
    return -1;
  }

  private static boolean otherBackend(TextLine line) {
    return line.emit(new TorchEvent.WatchdogTimeout(line.rank(), -1, "", -1, -1, -1, line.group()));
  }

  private static boolean observed(TextLine line) {
    return line.emit(new TorchEvent.DumpSignal(line.rank(), -1, -1, -1, line.group()));
  }

  /// `… timeout from  rank 3 and we will … Last enqueued NCCL work: 5, last completed NCCL work:
  /// 4.`
  private static boolean received(TextLine line) {
    line.seek("timeout from").blanks();
    var rank = line.rank();
    var from = line.skip("rank ") ? line.integer() : rank;
    var enqueued = after(line, "ast enqueued ");
    var completed = after(line, "ast completed ");
    return line.good()
        && line.emit(new TorchEvent.DumpSignal(rank, from, enqueued, completed, line.group()));
  }

  private static boolean stuck(TextLine line) {
    var seconds = line.seek("stuck for ").number();
    return line.good() && line.emit(new TorchEvent.WatchdogStuck(line.rank(), seconds));
  }

  private static boolean hang(TextLine line) {
    return line.emit(new TorchEvent.WatchdogStuck(line.rank(), -1));
  }

  private static boolean down(TextLine line) {
    var from = line.at();
    var rest = line.rest();
    var reason = rest.length() > 300 ? rest.substring(0, 300) : rest;
    if (reason.endsWith(CUT)) {
      otherBackend(line);
    }
    line.emit(new TorchEvent.TakenDown(line.rank(), reason));
    quoted(line, from);
    return true;
  }
}
