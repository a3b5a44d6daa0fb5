package io.ringside.streams.parse;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.deepspeed.CommsLines;
import io.ringside.streams.parse.deepspeed.DeepSpeedLines;
import io.ringside.streams.parse.event.EventSink;
import io.ringside.streams.parse.event.Outcome;
import io.ringside.streams.parse.failure.AbortLine;
import io.ringside.streams.parse.failure.DescribeLines;
import io.ringside.streams.parse.failure.ExceptionLine;
import io.ringside.streams.parse.failure.FrameworkLines;
import io.ringside.streams.parse.failure.GpuFlagLines;
import io.ringside.streams.parse.failure.GpuTableLines;
import io.ringside.streams.parse.failure.KubernetesLines;
import io.ringside.streams.parse.failure.LauncherLines;
import io.ringside.streams.parse.failure.LibraryLines;
import io.ringside.streams.parse.failure.MachineLines;
import io.ringside.streams.parse.failure.MpiLines;
import io.ringside.streams.parse.failure.NpuLines;
import io.ringside.streams.parse.failure.PythonLines;
import io.ringside.streams.parse.failure.ShellLines;
import io.ringside.streams.parse.failure.SlurmLines;
import io.ringside.streams.parse.inspector.InspectorLines;
import io.ringside.streams.parse.loop.LoopLines;
import io.ringside.streams.parse.loop.NvrxLines;
import io.ringside.streams.parse.loop.StallLines;
import io.ringside.streams.parse.megatron.MegatronLines;
import io.ringside.streams.parse.nccl.BareNcclLines;
import io.ringside.streams.parse.nccl.DeclaredLines;
import io.ringside.streams.parse.nccltests.NcclTestsJson;
import io.ringside.streams.parse.nccltests.NcclTestsLines;
import io.ringside.streams.parse.nvlink.NvlinkLines;
import io.ringside.streams.parse.ras.RasLines;
import io.ringside.streams.parse.rdma.PortFileLines;
import io.ringside.streams.parse.rdma.RdmaLines;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.Family;
import io.ringside.streams.parse.scan.LineProbe;
import io.ringside.streams.parse.scan.Prefixes;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.ShapeTree;
import io.ringside.streams.parse.scan.TextLine;
import io.ringside.streams.parse.scan.Wrappers;
import io.ringside.streams.parse.torch.ElasticLines;
import io.ringside.streams.parse.torch.GroupLines;
import io.ringside.streams.parse.torch.WatchdogLines;
import io.ringside.streams.parse.trainer.ProgressBar;
import io.ringside.streams.parse.trainer.RichBar;
import io.ringside.streams.parse.trainer.TrainerLines;
import java.util.List;
import java.util.stream.Stream;

/// Reads lines without an NCCL header. A carriage return ends a line as a line feed does, and any
/// text may follow a progress bar.
///
/// ```text
///   \r ─► sure wrappers ([rank0]:, mpirun, Ray, …)
///      ├► progress bar? read it, then the text after it
///      ├► logger's prefix ─► longest known shape ─► its family
///      ├► # or two numbers ─► nccl-tests
///      └► nothing known: a likely wrapper (worker-0:, stern, …)? read the text after it
/// ```
final class TextLines {

  /// Every family, in the order of the documentation.
  static final List<Family<TextLine>> FAMILIES =
      List.of(
          new Family<>("NCCL without a header", BareNcclLines.SHAPES),
          new Family<>("NCCL's variables, as declared", DeclaredLines.SHAPES),
          new Family<>("PyTorch: NCCL watchdog", WatchdogLines.SHAPES),
          new Family<>("PyTorch: process groups", GroupLines.SHAPES),
          new Family<>("PyTorch: torchrun", ElasticLines.SHAPES),
          new Family<>("Failures: Python and C++", PythonLines.SHAPES),
          new Family<>("Failures: shells", ShellLines.SHAPES),
          new Family<>("Failures: glibc", AbortLine.SHAPES),
          new Family<>("Failures: libraries", LibraryLines.SHAPES),
          new Family<>("Failures: Ascend", NpuLines.SHAPES),
          new Family<>("Failures: frameworks", FrameworkLines.SHAPES),
          new Family<>("Failures: kernel, drivers, DCGM", MachineLines.SHAPES),
          new Family<>("Failures: Slurm", SlurmLines.SHAPES),
          new Family<>("Failures: MPI", MpiLines.SHAPES),
          new Family<>("Failures: other launchers", LauncherLines.SHAPES),
          new Family<>("Failures: Kubernetes", KubernetesLines.SHAPES),
          new Family<>("Failures: kubectl describe", DescribeLines.SHAPES),
          new Family<>("DeepSpeed: engine", DeepSpeedLines.SHAPES),
          new Family<>("DeepSpeed: communication logger", CommsLines.SHAPES),
          new Family<>("Hugging Face Trainer", TrainerLines.SHAPES),
          new Family<>("Megatron-LM", MegatronLines.SHAPES),
          new Family<>("Training loops", LoopLines.SHAPES),
          new Family<>("NVRx", NvrxLines.SHAPES),
          new Family<>("Horovod and XLA: stalls", StallLines.SHAPES),
          new Family<>("nvidia-smi nvlink -e and -s, dcgmi nvlink -s", NvlinkLines.SHAPES),
          new Family<>("rdma statistic show", RdmaLines.SHAPES),
          new Family<>("/sys/class/infiniband: counters", PortFileLines.SHAPES),
          new Family<>("nvidia-smi -q: flags", GpuFlagLines.SHAPES),
          new Family<>("nvidia-smi, dcgmi health: tables", GpuTableLines.SHAPES),
          new Family<>("nccl-tests: JSON report", NcclTestsJson.SHAPES),
          new Family<>("NCCL Inspector", InspectorLines.SHAPES),
          new Family<>("ncclras", RasLines.SHAPES));

  private static final ShapeTree<TextLine> TREE = tree();

  /// Shapes that must be found whatever text stands in front of them.
  private static final List<Shape<TextLine>> URGENT_SHAPES =
      Stream.of(
              BareNcclLines.SHAPES,
              WatchdogLines.SHAPES,
              GroupLines.SHAPES,
              ElasticLines.SHAPES,
              PythonLines.SHAPES,
              ShellLines.SHAPES,
              AbortLine.SHAPES,
              LibraryLines.SHAPES,
              NpuLines.SHAPES,
              FrameworkLines.SHAPES,
              MachineLines.SHAPES,
              SlurmLines.SHAPES,
              MpiLines.SHAPES,
              LauncherLines.SHAPES)
          .flatMap(List::stream)
          .toList();

  private static final ShapeTree<TextLine> URGENT = ShapeTree.of(URGENT_SHAPES);

  /// How many columns of numbers at its end make a line a row of a table, as in a classifier's
  /// report: `Segmentation fault        0.64      0.62      0.63       880`.
  private static final int COLUMNS = 2;

  /// In chars. A shorter line holds one statement.
  private static final int GLUED = 300;

  private static final String WATCHDOG = "[E ProcessGroupNCCL.cpp:";

  private static final List<String> BEGINNINGS =
      List.of(" " + WATCHDOG, " terminate called after throwing", " what(): ");

  /// Length of the longest bar in bytes; each block of the bar takes three bytes.
  private static final int LONGEST_BAR = 200;

  /// Highest number of likely wrappers in front of a message.
  private static final int MOST_LIKELY = 6;

  private final Text text;
  private final TextLine line;

  /// Where the last search found no likely wrapper: most lines have none, and would be searched
  /// twice.
  private int bareAt = -1;

  TextLines(Text text) {
    this.text = text;
    this.line = new TextLine(text);
  }

  private static ShapeTree<TextLine> tree() {
    return ShapeTree.of(FAMILIES.stream().flatMap(family -> family.shapes().stream()).toList());
  }

  Outcome read(int start, int end, LineProbe glance, EventSink sink) {
    if (!glance.mayHoldReturn()) {
      var outcome = segment(start, end, glance, sink);
      // pasted text loses carriage returns, Slurm's last error follows a bar directly, and tqdm
      // draws no bar where there is no room for one
      return outcome == Outcome.FOREIGN && end > start && mayBeginWithBar(start, end)
          ? behindBar(start, end, sink)
          : outcome;
    }
    var outcome = Outcome.FOREIGN;
    var from = start;
    while (from < end) {
      var to = Chars.find(text, from, end, '\r');
      to = to < 0 ? end : to;
      outcome = better(outcome, segment(from, to, glance, sink));
      if (to == end) {
        outcome = better(outcome, behindBar(from, end, sink));
      }
      from = to + 1;
    }
    return outcome;
  }

  private boolean mayBeginWithBar(int start, int end) {
    return text.charAt(end - 1) == '*'
        || behindBars(start, Math.min(end, start + LONGEST_BAR)) >= 0;
  }

  /// Reads the text that follows the last bar of a line without a line feed in between:
  /// `… 7.00s/it]slurmstepd: error: …`.
  private Outcome behindBar(int from, int end, EventSink sink) {
    var last = behindBars(from, end);
    return last < 0 || last >= end ? Outcome.FOREIGN : message(last, last, end, MOST_LIKELY, sink);
  }

  /// Where the last bar ends, -1 if there is none. A bar of steps ends with `7.00s/it]`, a bar of
  /// anything else with `[00:00<?, ? examples/s]`.
  private int behindBars(int from, int end) {
    var last = -1;
    for (var at = Chars.find(text, from, end, ']');
        at >= 0;
        at = Chars.find(text, at + 1, end, ']')) {
      if (at >= from + 2
          && (Chars.at(text, at - 2, end, "it") || Chars.at(text, at - 2, end, "/s"))) {
        last = at + 1;
      }
    }
    return last;
  }

  private static Outcome better(Outcome a, Outcome b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  /// Reads the statements of PyTorch's watchdog one at a time: a paste may have lost the line feeds
  /// between them.
  private Outcome segment(int start, int end, LineProbe glance, EventSink sink) {
    if (end - start < GLUED || Chars.find(text, start, end, WATCHDOG) < 0) {
      return whole(start, end, glance, sink);
    }
    var outcome = Outcome.FOREIGN;
    var from = start;
    while (from < end) {
      var to = beginning(from + 1, end);
      outcome = better(outcome, whole(from, to, glance, sink));
      from = to;
    }
    return outcome;
  }

  /// Where the next statement begins, or the end if there is none.
  private int beginning(int from, int end) {
    var first = end;
    for (var words : BEGINNINGS) {
      var at = Chars.find(text, from, first, words);
      if (at >= 0) {
        first = at + 1;
      }
    }
    return first;
  }

  private Outcome whole(int start, int end, LineProbe glance, EventSink sink) {
    var wrapped = Wrappers.skip(text, start, end);
    var percent = glance.mayHoldBar() ? ProgressBar.find(text, wrapped, end) : -1;
    bareAt = -1;
    if (percent < 0) {
      if (glance.mayHoldBeyondAscii() && drawnByRich(start, wrapped, end, sink)) {
        return Outcome.EVENTS;
      }
      var outcome = message(start, wrapped, end, 0, sink);
      return outcome == Outcome.FOREIGN
          ? urgent(start, wrapped, end, glance.mayHoldL(), sink)
          : outcome;
    }
    return bars(start, Wrappers.skipAllLikely(text, wrapped, percent), percent, end, sink);
  }

  private boolean drawnByRich(int start, int wrapped, int end, EventSink sink) {
    var glyph = RichBar.find(text, wrapped, end);
    if (glyph < 0) {
      return false;
    }
    var from = Wrappers.skipAllLikely(text, wrapped, glyph);
    return RichBar.read(line.message(start, wrapped, from, end, sink), glyph);
  }

  /// Looks for urgent shapes after wrappers of any kind.
  private Outcome urgent(int start, int wrapped, int end, boolean mayHoldL, EventSink sink) {
    var to = Chars.trimEnd(text, wrapped, end);
    var at = Chars.skipBlanks(text, wrapped, to);
    for (var i = 0; i < MOST_LIKELY && at < to; i++) {
      var next = Wrappers.skipUnknown(text, at, to);
      next = next > at || at == bareAt ? next : Wrappers.skipLikely(text, at, to);
      if (next <= at) {
        break;
      }
      at = Prefixes.skip(text, Chars.skipBlanks(text, next, to), to);
      var shape = URGENT.first(text, at, to);
      line.message(start, at, at, to, sink);
      if (shape != null && !isRow(shape, to) && read(shape, at)
          || isException(at, to) && ExceptionLine.read(line)) {
        return Outcome.EVENTS;
      }
    }
    return MachineLines.asked(line.message(start, wrapped, wrapped, to, sink))
            || mayHoldL && LibraryLines.warned(line.message(start, wrapped, wrapped, to, sink))
        ? Outcome.EVENTS
        : Outcome.FOREIGN;
  }

  private Outcome bars(int start, int wrapped, int first, int end, EventSink sink) {
    var outcome = Outcome.FOREIGN;
    var from = wrapped;
    for (var percent = first; percent >= 0; percent = ProgressBar.find(text, from, end)) {
      var after =
          ProgressBar.read(line.message(start, Math.min(wrapped, from), from, end, sink), percent);
      if (after < 0) {
        break;
      }
      outcome = Outcome.EVENTS;
      from = after;
    }
    return better(
        outcome,
        message(from == wrapped ? start : from, Wrappers.skip(text, from, end), end, 0, sink));
  }

  private Outcome message(int start, int wrapped, int end, int likely, EventSink sink) {
    var to = Chars.trimEnd(text, wrapped, end);
    var at = Chars.skipBlanks(text, wrapped, to);
    if (at >= to) {
      return Outcome.FOREIGN;
    }
    var from = Prefixes.skip(text, at, to);
    var shape = TREE.first(text, from, to);
    if (shape != null && shape.reader() == null) {
      return Outcome.IGNORED_OTHER;
    }
    if (shape != null) {
      return known(shape, start, wrapped, from, to, likely, sink);
    }
    line.message(start, wrapped, from, to, sink);
    if (from < to && withoutShape(from, to)) {
      return Outcome.EVENTS;
    }
    var outcome = behind(start, at, from, to, likely, sink);
    if (outcome != Outcome.FOREIGN || from == at) {
      return outcome;
    }
    // the text after a known logger's prefix has no shape: it may still be a launcher's report of
    // an ended process, or C++ code that ends its process; else it is of no use
    line.message(start, wrapped, from, to, sink);
    return DeepSpeedLines.exit(line) || MachineLines.asked(line) || AbortLine.fatal(line)
        ? Outcome.EVENTS
        : Outcome.IGNORED_OTHER;
  }

  private Outcome known(
      Shape<TextLine> shape, int start, int wrapped, int from, int to, int likely, EventSink sink) {
    // "[12] " and "[pod] " also fit shapes that begin with any text in brackets
    if (text.charAt(from) == '[' && shape.text().startsWith("[*]")) {
      var outcome = behind(start, from, from, to, likely, sink);
      if (outcome == Outcome.EVENTS) {
        return outcome;
      }
    }
    line.message(start, wrapped, from, to, sink);
    if (isRow(shape, to)) {
      return Outcome.FOREIGN;
    }
    if (read(shape, from)) {
      return Outcome.EVENTS;
    }
    var outcome = others(from, shape);
    return outcome == Outcome.FOREIGN ? behind(start, from, from, to, likely, sink) : outcome;
  }

  /// Reads the rest of the line after a possible wrapper, or after another logger's prefix.
  ///
  /// @param from first byte after the logger's prefix at `at`; `at` if there is no prefix
  private Outcome behind(int start, int at, int from, int to, int likely, EventSink sink) {
    if (likely == MOST_LIKELY) {
      return Outcome.FOREIGN;
    }
    var next = Wrappers.skip(text, from, to);
    next = next > at ? next : Wrappers.skipLikely(text, at, to);
    if (next <= at) {
      bareAt = at;
      return Outcome.FOREIGN;
    }
    return message(start, next, to, likely + 1, sink);
  }

  private boolean read(Shape<TextLine> shape, int from) {
    var reader = shape.reader();
    line.back(from + shape.begin());
    return reader == null || reader.read(line);
  }

  /// Reads lines that shapes cannot describe: those that begin with `#` or `*`, which have a
  /// meaning in shapes, rows of numbers, and exceptions of any name.
  private boolean withoutShape(int at, int to) {
    var c = text.charAt(at);
    if (c == '#') {
      return NcclTestsLines.comment(line);
    }
    if (c == '[') {
      return MachineLines.driver(line); // the kernel's stamp, of any width
    }
    if (c == '*') {
      return AbortLine.overrun(line) || MpiLines.fatal(line) || LauncherLines.fatalSignal(line);
    }
    if (isException(at, to)) {
      return ExceptionLine.read(line);
    }
    if (c >= 0x80) {
      return ShellLines.translated(line);
    }
    if (AbortLine.is(text, at, to)) {
      return AbortLine.read(line);
    }
    if (c == 'p' || c == '/') {
      return PythonLines.interpreter(line);
    }
    if (!Chars.isDigit(c)) {
      return false;
    }
    if (NcclTestsLines.isRow(text, at, to)) {
      if (NcclTestsLines.row(line)) {
        return true;
      }
      line.back(at);
      return NcclTestsLines.begin(line) && LibraryLines.inRow(line);
    }
    return NcclTestsLines.isHalf(text, at, to) && NcclTestsLines.half(line);
  }

  private boolean isException(int from, int to) {
    return ExceptionLine.is(text, from, to) && !hasColumns(to);
  }

  /// Whether a line that looks like a failure is the row of a table, named after the failure.
  private boolean isRow(Shape<TextLine> shape, int to) {
    return hasColumns(to) && URGENT_SHAPES.contains(shape);
  }

  /// Whether the line ends with columns of numbers, each after at least two blanks.
  private boolean hasColumns(int to) {
    var at = to;
    for (var column = 0; column < COLUMNS; column++) {
      var number = at;
      while (number > 0 && isOfNumber(text.charAt(number - 1))) {
        number--;
      }
      if (number == at || number < 2 || text.charAt(number - 1) != ' ') {
        return false;
      }
      at = Chars.trimEnd(text, 0, number);
      if (number - at < 2) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOfNumber(char c) {
    return Chars.isDigit(c) || c == '.';
  }

  /// Tries shorter shapes after the reader of the longest one has declined.
  private Outcome others(int from, Shape<TextLine> declined) {
    var outcome = new Outcome[] {Outcome.FOREIGN};
    var taken =
        TREE.match(
            text,
            from,
            line.end(),
            shape -> {
              outcome[0] = shape.reader() == null ? Outcome.IGNORED_OTHER : Outcome.EVENTS;
              return !shape.equals(declined) && read(shape, from);
            });
    return taken ? outcome[0] : Outcome.FOREIGN;
  }
}
