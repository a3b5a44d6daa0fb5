package io.ringside.streams.parse.loop;

import io.ringside.streams.parse.event.LoopEvent;
import io.ringside.streams.parse.event.LoopEvent.By;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Ranks that wait for others: Horovod's stall inspector after 60 s (common/operations.cc to 0.18,
/// common/stall_inspector.cc from 0.19), and XLA's rendezvous after 10 s (service/rendezvous.cc).
public final class StallLines {
  /// Ranks after each tensor: up to 0.13 those that arrived (horovod/common/operations.cc), later
  /// those that did not.
  private static final Pattern RANKS =
      Pattern.compile("\\[(missing|ready) ranks: (\\d{1,7}(?:, \\d{1,7}){0,10000})]");

  private static final String LABEL_END = ": ";

  private StallLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          named("Distributed"),
          named("HorovodAllreduce_"),
          named("HorovodBroadcast_"),
          named("HorovodAllgather_"),
          named("allreduce."),
          named("broadcast."),
          named("allgather."),
          named("Stalled ops:"),
          listed("allreduce."),
          listed("broadcast."),
          listed("allgather."),
          listed("HorovodAllreduce"),
          listed("HorovodBroadcast"),
          listed("HorovodAllgather"),
          listed("Distributed"),
          listed("*/Horovod"),
          Shape.of("#!: [*", "Horovod, of a rank that it will not wait for", StallLines::marked),
          Shape.of(
              "One or more tensors were submitted to be reduced, gathered or broadcasted by subset of ranks*",
              "Horovod",
              line -> ranks(line, true)),
          Shape.of(
              "One or more rank (marked by \"!\") is stalled for longer than # seconds. Will shutdown*",
              "Horovod 0.19+",
              StallLines::shutdown),
          Shape.of(
              "This thread has been waiting for *may be stuck*",
              "XLA",
              line -> line.emit(new LoopEvent.RanksMissing(By.XLA, List.of()))),
          Shape.of("Watchdog timeout (self.watchdog_timeout=#*", "SGLang", StallLines::watchdog),
          Shape.of(
              "Thread is unstuck!*", "XLA", line -> line.emit(new LoopEvent.RanksCame(By.XLA))));

  private static Shape<TextLine> named(String tensor) {
    return Shape.of(tensor + "* ranks: *", "Horovod", line -> ranks(line, false));
  }

  /// A line for each rank below `Missing ranks:` and `Stalled ranks:`:
  /// `9: [allreduce.layer4.2.conv3.weight, …]`.
  private static Shape<TextLine> listed(String tensor) {
    return Shape.of("[" + tensor + "*", "Horovod", StallLines::rank);
  }

  /// Reads the rank in front of the message, where it looks like a launcher's label.
  private static boolean rank(TextLine line) {
    var text = line.text();
    var colon = line.at() - LABEL_END.length();
    if (colon < 1 || !text.startsWith(LABEL_END, colon)) {
      return false;
    }
    var from = colon;
    while (from > 0 && Chars.isDigit(text.charAt(from - 1))) {
      from--;
    }
    return from < colon
        && line.emit(
            new LoopEvent.RanksMissing(By.HOROVOD, List.of(Chars.smallDigits(text, from, colon))));
  }

  /// `Watchdog timeout (self.watchdog_timeout=300)`. Since 2025 a full stop and the current work
  /// follow the number.
  private static boolean watchdog(TextLine line) {
    int seconds = line.seek("self.watchdog_timeout=").integer();
    return line.good()
        && line.emit(new LoopEvent.RanksMissing(By.SGLANG, List.of(), List.of(), seconds));
  }

  /// `1!: [allreduce.bn1.weight]`.
  private static boolean marked(TextLine line) {
    int rank = line.integer();
    return line.good() && line.emit(new LoopEvent.RanksMissing(By.HOROVOD, List.of(rank)));
  }

  private static boolean shutdown(TextLine line) {
    int seconds = line.seek("longer than ").integer();
    return line.good()
        && line.emit(new LoopEvent.RanksMissing(By.HOROVOD, List.of(), List.of(), seconds));
  }

  /// `HorovodBroadcast_global_step_0 [missing ranks: 1, 3]`,
  /// `Stalled ops: allreduce.fc [ready ranks: 2, 0], …`. A rank that is ready with one of the
  /// tensors has arrived.
  ///
  /// @param stalls whether the line reports a stall even if it names no rank
  private static boolean ranks(TextLine line, boolean stalls) {
    var missing = new TreeSet<Integer>();
    var ready = new TreeSet<Integer>();
    var lists = RANKS.matcher(line.rest());
    while (lists.find()) {
      var of = lists.group(1).equals("ready") ? ready : missing;
      for (var rank : lists.group(2).split(", ")) {
        of.add(Integer.parseInt(rank));
      }
    }
    return (stalls || !missing.isEmpty() || !ready.isEmpty())
        && line.emit(
            new LoopEvent.RanksMissing(By.HOROVOD, List.copyOf(missing), List.copyOf(ready), 0));
  }
}
