package io.ringside.streams.parse.loop;

import io.ringside.streams.parse.event.LoopEvent;
import io.ringside.streams.parse.event.LoopEvent.By;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.ArrayList;
import java.util.List;

/// Ranks that wait for others: Horovod's stall inspector after 60 s (common/operations.cc to 0.18, common/stall_inspector.cc
/// from 0.19), and XLA's rendezvous after 10 s (service/rendezvous.cc).
public final class StallLines {
  private static final String MISSING = "[missing ranks: ";

  private static final String LABEL_END = ": ";

  private StallLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
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
          Shape.of(
              "One or more tensors were submitted to be reduced, gathered or broadcasted by subset of ranks*",
              "Horovod",
              line -> line.emit(new LoopEvent.RanksMissing(By.HOROVOD, List.of()))),
          Shape.of(
              "This thread has been waiting for *may be stuck*",
              "XLA",
              line -> line.emit(new LoopEvent.RanksMissing(By.XLA, List.of()))),
          Shape.of("Watchdog timeout (self.watchdog_timeout=#*", "SGLang", StallLines::watchdog),
          Shape.of(
              "Thread is unstuck!*", "XLA", line -> line.emit(new LoopEvent.RanksCame(By.XLA))));

  private static Shape<TextLine> named(String tensor) {
    return Shape.of(tensor + "*" + MISSING + "*", "Horovod", StallLines::ranks);
  }

  /// Below `Missing ranks:` and `Stalled ranks:` a line for each: `9: [allreduce.layer4.2.conv3.weight, …]`.
  private static Shape<TextLine> listed(String tensor) {
    return Shape.of("[" + tensor + "*", "Horovod", StallLines::rank);
  }

  /// The rank looks like a launcher's label.
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

  /// `Watchdog timeout (self.watchdog_timeout=300)`, since 2025 with a point behind the number and what was being done.
  private static boolean watchdog(TextLine line) {
    int seconds = line.seek("self.watchdog_timeout=").integer();
    return line.good() && line.emit(new LoopEvent.RanksMissing(By.SGLANG, List.of(), seconds));
  }

  /// `HorovodBroadcast_global_step_0 [missing ranks: 1, 3]`.
  private static boolean ranks(TextLine line) {
    var ranks = new ArrayList<Integer>();
    line.seek(MISSING);
    do {
      ranks.add(line.integer());
    } while (line.good() && line.skip(", "));
    return line.good() && line.emit(new LoopEvent.RanksMissing(By.HOROVOD, ranks));
  }
}
