package io.ringside.streams.parse.ras;

import io.ringside.streams.parse.event.RasEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;

/// The lines of an answer that name communicators and ranks.
public final class RasLines {

  private RasLines() {}

  /// The family's shapes. `#` is a number in a shape, so a block's head is found by [#head].
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of("Communicator ranks have different * counts", "2.24.3+", RasLines::countsDiffer),
          Shape.of("# ranks have launched up to operation #", "2.24.3+", RasLines::launched),
          Shape.of("# rank has launched up to operation #", "2.24.3+", RasLines::launched),
          Shape.of("Rank # -- GPU # managed by process # on node *", "2.24.3+", RasLines::rank));

  private static boolean countsDiffer(TextLine line) {
    var op = line.expect("Communicator ranks have different ").before(" counts");
    return line.good()
        && line.emit(
            new RasEvent.CountsDiffer(
                op.endsWith(" operation") ? op.substring(0, op.length() - 10) : ""));
  }

  private static boolean launched(TextLine line) {
    var ranks = line.integer();
    var operation = line.seek("operation ").number();
    return line.good() && line.emit(new RasEvent.Launched(ranks, operation));
  }

  private static boolean rank(TextLine line) {
    var rank = line.expect("Rank ").integer();
    var gpu = line.expect(" -- GPU ").integer();
    var pid = line.expect(" managed by process ").integer();
    var node = line.expect(" on node ").word();
    return line.good() && line.emit(new RasEvent.Rank(rank, gpu, pid, node));
  }

  /// Reads `#0-1 (abcdef0123456789) MISMATCH`, given the cursor at its `#`.
  ///
  /// @return false if it is something else
  public static boolean head(TextLine line) {
    line.expect("#").number();
    if (line.skip("-")) {
      line.number();
    }
    var hash = line.expect(" (").until(')');
    var status = line.expect(")").rest();
    return line.good()
        && isHash(hash)
        && (status.contains("MISMATCH")
            || status.contains("INCOMPLETE")
            || status.contains("ERROR"))
        && line.emit(new RasEvent.Communicator("0x" + hash, status));
  }

  private static boolean isHash(String text) {
    return text.chars().allMatch(c -> Character.digit(c, 16) >= 0);
  }
}
