package io.ringside.streams.parse.loop;

import io.ringside.streams.parse.event.LoopEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// What the straggler detection of nvidia-resiliency-ext prints on rank 0
/// (ptl_resiliency/straggler_det_callback.py, 0.2 to 0.6).
public final class NvrxLines {
  private static final Pattern RANK = Pattern.compile("StragglerId\\(rank=(\\d{1,6})");

  private NvrxLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of(
              "GPU relative performance:*",
              "all",
              line -> line.emit(new LoopEvent.RanksCompared(LoopEvent.By.NVRX))),
          Shape.behind(
              "STRAGGLER DETECTION WARNING: Some GPUs have worse relative performance. Affected ranks: *",
              "all",
              NvrxLines::slow));

  private static boolean slow(TextLine line) {
    var ranks = new ArrayList<Integer>();
    for (var rank = RANK.matcher(line.rest()); rank.find(); ) {
      ranks.add(Integer.parseInt(rank.group(1)));
    }
    return !ranks.isEmpty() && line.emit(new LoopEvent.RanksSlow(LoopEvent.By.NVRX, ranks));
  }
}
