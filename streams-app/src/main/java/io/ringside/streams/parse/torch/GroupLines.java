package io.ringside.streams.parse.torch;

import io.ringside.streams.parse.event.LoopEvent;
import io.ringside.streams.parse.event.TorchEvent;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.Cursor;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.ArrayList;
import java.util.List;

/// Lines of process groups, of their failures, and of reports that name the ranks at fault.
public final class GroupLines {

  private GroupLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of("ProcessGroupNCCL initialization options: *", "torch 2.1+", GroupLines::options),
          Shape.of(
              "Warning: WARNING: destroy_process_group() was not called before program exit*",
              "torch 2.6+",
              GroupLines::works),
          Shape.of(
              "Warning: WARNING: process group has NOT been destroyed before we destruct ProcessGroupNCCL*",
              "torch 2.4, 2.5",
              GroupLines::works),
          Shape.of(
              "Reducer buckets have been rebuilt in this iteration*",
              "torch, of DDP",
              GroupLines::works),
          Shape.ignored("ProcessGroupNCCL environments: NCCL version: *", "torch 2.4+"),
          Shape.of(
              "ProcessGroupNCCL broadcast unique ID through store took * ms",
              "torch 2.4+",
              GroupLines::idWait),
          Shape.of(
              "torch.distributed.DistBackendError: NCCL error in: *",
              "torch 2.1+",
              GroupLines::failure),
          Shape.of("RuntimeError: NCCL error in: *", "torch to 2.0", GroupLines::failure),
          Shape.of("torch.distributed.DistBackendError: *", "torch 2.1+", GroupLines::otherFailure),
          Shape.of(
              "Collective WorkNCCL(*) raised the following async exception: *",
              "torch 2.2+",
              GroupLines::asynchronous),
          Shape.of("Rank # failed to pass monitoredBarrier in *", "all", GroupLines::barrier),
          Shape.of("Ranks * failed to pass monitoredBarrier in *", "all", GroupLines::barrier),
          Shape.of(
              "- To our best knowledge, ranks [*] are the lagging ranks*",
              "desync report",
              GroupLines::listed),
          Shape.of(
              "- [*] joined but didn't finish collective *", "desync report", GroupLines::listed),
          Shape.of(
              "- [*] finished collective *, but didn't join *",
              "desync report",
              GroupLines::listed),
          Shape.of(
              "[*] finished collective *, but didn't join *", "desync report", GroupLines::listed),
          Shape.of(
              "[*] joined but didn't finish collective *", "desync report", GroupLines::listed),
          Shape.of(
              "TCPStore check for dump key *failed*",
              "torch 2.14",
              line -> line.emit(new TorchEvent.StoreLost())),
          Shape.of(
              "recvValue failed on *", "torch 2.6+", line -> line.emit(new TorchEvent.StoreLost())),
          Shape.of(
              "sendBytes failed on *", "torch 2.6+", line -> line.emit(new TorchEvent.StoreLost())),
          Shape.of(
              "The client socket has timed out after *",
              "all",
              line -> line.emit(new TorchEvent.StoreLost())));

  /// Reads a line that only shows that ranks train or serve together here.
  private static boolean works(TextLine line) {
    return line.emit(new LoopEvent.Work());
  }

  /// `size: 4, global rank: 1, TIMEOUT(ms): 600000, …`.
  private static boolean options(TextLine line) {
    var size = line.seek("size: ").integer();
    var rank = line.find("global rank: ") ? line.integer() : -1;
    return line.good()
        && line.emit(
            new TorchEvent.GroupOptions(rank, size, line.group(), line.groupDescription()));
  }

  /// `ProcessGroupNCCL broadcast unique ID through store took 25044.6 ms`.
  private static boolean idWait(TextLine line) {
    var millis = line.seek("store took ").decimal();
    return line.good() && line.emit(new TorchEvent.UniqueIdWait(line.rank(), millis));
  }

  /// `NCCL error in: …ProcessGroupNCCL.cpp:3135, invalid usage (run with NCCL_DEBUG=WARN for
  /// details), NCCL version 2.28.9`.
  private static boolean failure(TextLine line) {
    var error = line.seek("NCCL error in: ").seek(", ").rest();
    if (line.bad()) {
      return false;
    }
    var version = error.lastIndexOf(", NCCL version ");
    var run = error.indexOf(" (run with ");
    var to = run >= 0 ? run : version >= 0 ? version : error.length();
    return line.emit(new TorchEvent.NcclFailure(line.rank(), error.substring(0, to)));
  }

  /// `Collective WorkNCCL(SeqNum=1, OpType=BROADCAST, …) raised the following async exception: NCCL
  /// error: remote process exited or there was a network error, NCCL version 2.21.5`. The watchdog
  /// then ends the process (ProcessGroupNCCL.cpp).
  private static boolean asynchronous(TextLine line) {
    var error = line.seek(" async exception: ").rest();
    return line.good()
        && line.emit(
            new TorchEvent.TakenDown(
                line.rank(), error.length() > 300 ? error.substring(0, 300) : error));
  }

  private static boolean otherFailure(TextLine line) {
    var from = line.seek("DistBackendError: ").at();
    var rest = line.rest();
    line.emit(
        new TorchEvent.NcclFailure(
            line.rank(), rest.length() > 300 ? rest.substring(0, 300) : rest));
    WatchdogLines.quoted(line, from);
    return true;
  }

  /// Reads the same statement inside the message of an exception:
  /// `[Rank 0]: Ranks 4, 5 failed to pass monitoredBarrier in 2000000 ms`.
  ///
  /// @param from where the exception's message begins
  public static void quoted(TextLine line, int from) {
    var failed = Chars.find(line.text(), from, line.end(), " failed to pass monitoredBarrier");
    var ranks = failed < 0 ? -1 : Chars.find(line.text(), from, failed, "]: Rank");
    if (ranks >= 0) {
      line.back(ranks + "]: ".length());
      barrier(line);
    }
  }

  /// `Ranks 1, 3 failed to pass monitoredBarrier in 30000 ms`.
  private static boolean barrier(TextLine line) {
    line.expect("Rank");
    line.skip("s");
    var ranks = new ArrayList<Integer>();
    do {
      ranks.add(line.blanks().good() ? line.integer() : 0);
    } while (line.good() && line.skip(","));
    // `Ranks 0 has data parallel rank: 0` is a line of NeMo
    line.expect(" failed to pass monitoredBarrier");
    return line.good() && line.emit(new TorchEvent.LaggingRanks(ranks));
  }

  /// `- [1, 3] joined but didn't finish collective #5 (…)`.
  private static boolean listed(TextLine line) {
    var ranks = numbers(line.seek("["));
    line.expect("]");
    return line.good() && line.emit(new TorchEvent.LaggingRanks(ranks));
  }

  /// Numbers separated by commas, up to a closing bracket.
  private static List<Integer> numbers(Cursor line) {
    var numbers = new ArrayList<Integer>();
    while (line.blanks().good() && line.peek() != ']' && !line.atEnd()) {
      numbers.add(line.integer());
      line.skip(",");
    }
    return numbers;
  }
}
