package io.ringside.streams.parse;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.deepspeed.CommsLines;
import io.ringside.streams.parse.deepspeed.DeepSpeedLines;
import io.ringside.streams.parse.event.EventSink;
import io.ringside.streams.parse.event.Outcome;
import io.ringside.streams.parse.event.TorchEvent;
import io.ringside.streams.parse.inspector.InspectorLines;
import io.ringside.streams.parse.megatron.MegatronLines;
import io.ringside.streams.parse.nccl.BareNcclLines;
import io.ringside.streams.parse.nccltests.NcclTestsJson;
import io.ringside.streams.parse.nccltests.NcclTestsLines;
import io.ringside.streams.parse.ras.RasLines;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.Family;
import io.ringside.streams.parse.scan.Glance;
import io.ringside.streams.parse.scan.Prefixes;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.ShapeTree;
import io.ringside.streams.parse.scan.TextLine;
import io.ringside.streams.parse.scan.Wrappers;
import io.ringside.streams.parse.torch.ElasticLines;
import io.ringside.streams.parse.torch.GroupLines;
import io.ringside.streams.parse.torch.WatchdogLines;
import io.ringside.streams.parse.trainer.ProgressBar;
import io.ringside.streams.parse.trainer.TrainerLines;
import java.util.List;

/// Reads lines without an NCCL header. Carriage returns part a line as line feeds do, and a progress bar may be followed by anything.
///
/// ```text
///   \r ─► wrappers ([rank0]:, mpirun, Ray, …) ─► bar? read it, go on behind it
///                                             └► logger's prefix ─► longest known shape ─► its family
///                                             └► # or two numbers ─► nccl-tests
/// ```
final class TextLines {

  /// Every family, in the order of the documentation.
  static final List<Family<TextLine>> FAMILIES =
      List.of(
          new Family<>("NCCL without a header", BareNcclLines.SHAPES),
          new Family<>("PyTorch: NCCL watchdog", WatchdogLines.SHAPES),
          new Family<>("PyTorch: process groups", GroupLines.SHAPES),
          new Family<>("PyTorch: torchrun", ElasticLines.SHAPES),
          new Family<>("DeepSpeed: engine", DeepSpeedLines.SHAPES),
          new Family<>("DeepSpeed: communication logger", CommsLines.SHAPES),
          new Family<>("Hugging Face Trainer", TrainerLines.SHAPES),
          new Family<>("Megatron-LM", MegatronLines.SHAPES),
          new Family<>("nccl-tests: JSON report", NcclTestsJson.SHAPES),
          new Family<>("NCCL Inspector", InspectorLines.SHAPES),
          new Family<>("ncclras", RasLines.SHAPES));

  private static final ShapeTree<TextLine> TREE = tree();

  private TextLines() {}

  private static ShapeTree<TextLine> tree() {
    return ShapeTree.of(FAMILIES.stream().flatMap(family -> family.shapes().stream()).toList());
  }

  static Outcome read(Text text, int start, int end, Glance glance, EventSink sink) {
    var bars = glance.mayHoldBar();
    if (!glance.mayHoldReturn()) {
      return segment(text, start, end, bars, sink);
    }
    var outcome = Outcome.FOREIGN;
    var from = start;
    while (from < end) {
      var to = Chars.find(text, from, end, '\r');
      to = to < 0 ? end : to;
      outcome = better(outcome, segment(text, from, to, bars, sink));
      from = to + 1;
    }
    return outcome;
  }

  private static Outcome better(Outcome a, Outcome b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  private static Outcome segment(Text text, int start, int end, boolean bars, EventSink sink) {
    var wrapped = Wrappers.skip(text, start, end);
    var percent = bars ? ProgressBar.find(text, wrapped, end) : -1;
    if (percent < 0) {
      return message(text, start, wrapped, end, sink);
    }
    var outcome = Outcome.FOREIGN;
    var from = wrapped;
    while (percent >= 0) {
      var after = ProgressBar.read(new TextLine(text, start, from, end, sink), percent);
      if (after < 0) {
        break;
      }
      outcome = Outcome.EVENTS;
      from = after;
      percent = ProgressBar.find(text, from, end);
    }
    return better(
        outcome,
        message(text, from == wrapped ? start : from, Wrappers.skip(text, from, end), end, sink));
  }

  private static Outcome message(Text text, int start, int wrapped, int end, EventSink sink) {
    var to = Chars.trimEnd(text, wrapped, end);
    var at = Chars.skipBlanks(text, wrapped, to);
    if (at >= to) {
      return Outcome.FOREIGN;
    }
    var from = Prefixes.skip(text, at, to);
    var shape = TREE.first(text, from, to);
    if (shape != null) {
      var reader = shape.reader();
      if (reader == null) {
        return Outcome.IGNORED;
      }
      var line = new TextLine(text, start, from, to, sink);
      line.back(from + shape.begin());
      if (reader.read(line)) {
        return Outcome.EVENTS;
      }
      return others(text, start, from, to, sink, shape);
    }
    if (from < to && withoutShape(text, start, from, to, sink)) {
      return Outcome.EVENTS;
    }
    return from > at ? prefixed(text, start, at, from, to, sink) : Outcome.FOREIGN;
  }

  /// Lines that begin with what means something else in a shape, `#` or `*`, and rows of numbers.
  private static boolean withoutShape(Text text, int start, int at, int to, EventSink sink) {
    var c = text.charAt(at);
    if (c == '#') {
      return at + 1 < to && Chars.isDigit(text.charAt(at + 1))
          ? RasLines.head(new TextLine(text, start, at, to, sink))
          : NcclTestsLines.comment(new TextLine(text, start, at, to, sink));
    }
    if (c == '*') {
      return Chars.at(text, at, to, "***** ")
          && TrainerLines.section(new TextLine(text, start, at, to, sink));
    }
    return Chars.isDigit(c)
        && NcclTestsLines.isRow(text, at, to)
        && NcclTestsLines.row(new TextLine(text, start, at, to, sink));
  }

  /// The longest shape's reader declined: shorter ones may fit.
  private static Outcome others(
      Text text, int start, int from, int to, EventSink sink, Shape<TextLine> declined) {
    var outcome = new Outcome[] {Outcome.FOREIGN};
    var taken =
        TREE.match(
            text,
            from,
            to,
            shape -> {
              var reader = shape.reader();
              outcome[0] = reader == null ? Outcome.IGNORED : Outcome.EVENTS;
              var line = new TextLine(text, start, from, to, sink);
              line.back(from + shape.begin());
              return !shape.equals(declined) && (reader == null || reader.read(line));
            });
    return taken ? outcome[0] : Outcome.FOREIGN;
  }

  /// A known logger says something of no use; torch's Python logger at least says which pid a rank has.
  private static Outcome prefixed(Text text, int start, int at, int from, int to, EventSink sink) {
    if (at > start && Prefixes.isGlog(text, at, to)) {
      var line = new TextLine(text, start, from, to, sink);
      var pid = line.pythonPid();
      var rank = line.rank();
      if (pid > 0 && rank >= 0) {
        line.emit(new TorchEvent.ProcessRank(rank, pid));
        return Outcome.EVENTS;
      }
    }
    return DeepSpeedLines.exit(text, start, from, to, sink) ? Outcome.EVENTS : Outcome.IGNORED;
  }
}
