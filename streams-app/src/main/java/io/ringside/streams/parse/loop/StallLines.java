package io.ringside.streams.parse.loop;

import io.ringside.streams.parse.event.LoopEvent;
import io.ringside.streams.parse.event.LoopEvent.By;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.ArrayList;
import java.util.List;

/// Ranks that wait for others: Horovod's stall inspector after 60 s (common/operations.cc to 0.18, common/stall_inspector.cc
/// from 0.19), and XLA's rendezvous after 10 s (service/rendezvous.cc).
public final class StallLines {
  private static final String MISSING = "[missing ranks: ";

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
          Shape.of(
              "One or more tensors were submitted to be reduced, gathered or broadcasted by subset of ranks*",
              "Horovod",
              line -> line.emit(new LoopEvent.RanksMissing(By.HOROVOD, List.of()))),
          Shape.of(
              "This thread has been waiting for *may be stuck*",
              "XLA",
              line -> line.emit(new LoopEvent.RanksMissing(By.XLA, List.of()))),
          Shape.of(
              "Thread is unstuck!*", "XLA", line -> line.emit(new LoopEvent.RanksCame(By.XLA))));

  private static Shape<TextLine> named(String tensor) {
    return Shape.of(tensor + "*" + MISSING + "*", "Horovod", StallLines::ranks);
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
