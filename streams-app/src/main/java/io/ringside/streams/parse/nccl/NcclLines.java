package io.ringside.streams.parse.nccl;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.EventSink;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.Outcome;
import io.ringside.streams.parse.nccltests.NcclTestsLines;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.Family;
import io.ringside.streams.parse.scan.LineProbe;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.ShapeTree;
import io.ringside.streams.parse.scan.TextLine;
import io.ringside.streams.parse.scan.Wrappers;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads lines that have an NCCL header. The steps for a line:
///
/// ```text
///   find "NCCL INFO" ─► header before it?
///      ├► a second header after it? the first line was cut: drop it
///      ├► WARN, ABORT ─► Warning
///      └► INFO ─► longest known shape ─► its family, or ignored
///              ├► file.cc:12 …        ─► trace of an error
///              ├► end of a call line, or only its beginning ─► cut
///              └► unknown
/// ```
public final class NcclLines {

  private static final List<Family<NcclMessage>> FAMILIES =
      List.of(
          new Family<>("NCCL: versions", VersionLines.SHAPES),
          new Family<>("NCCL: environment and configuration", EnvironmentLines.SHAPES),
          new Family<>("NCCL: bootstrap and init times", BootstrapLines.SHAPES),
          new Family<>("NCCL: choice of the network", PluginLines.SHAPES),
          new Family<>("NCCL: the OFI plugin (EFA)", OfiLines.SHAPES),
          new Family<>("NCCL: networks and GPUDirect RDMA", NetworkLines.SHAPES),
          new Family<>("NCCL: communicators", CommunicatorLines.SHAPES),
          new Family<>("NCCL: topology", TopologyLines.SHAPES),
          new Family<>("NCCL: rings, edges and their transport", EdgeLines.SHAPES),
          new Family<>("NCCL: collectives", CollectiveLines.SHAPES),
          new Family<>("NCCL: errors, retries and peers", ErrorLines.SHAPES));

  private static final ShapeTree<NcclMessage> TREE = tree();
  private static final ShapeTree<NcclMessage> ANYWHERE = anywhere();
  private static final ShapeTree<NcclMessage> IGNORED = ignored();

  private static final int MOST_WRAPPERS = 6;

  private final Text text;
  private final RecentHeader recent;
  private final NcclMessage message;

  public NcclLines(Text text) {
    this.text = text;
    this.recent = new RecentHeader(text);
    this.message = new NcclMessage(text, recent);
  }

  /// The families of lines with a header, for the documentation.
  public static List<? extends Family<?>> families() {
    return FAMILIES;
  }

  private static ShapeTree<NcclMessage> tree() {
    return grown(shape -> !shape.text().startsWith("*"));
  }

  /// Shapes that begin with any text: they are tried last.
  private static ShapeTree<NcclMessage> anywhere() {
    return grown(shape -> shape.text().startsWith("*"));
  }

  /// The families' shapes first, then the known messages that no family covers.
  private static ShapeTree<NcclMessage> grown(Predicate<Shape<NcclMessage>> wanted) {
    var own = FAMILIES.stream().flatMap(family -> family.shapes().stream()).filter(wanted).toList();
    var families = ShapeTree.trusting(own);
    var rest = KnownLines.shapes().stream().filter(wanted).filter(s -> adds(families, s));
    return ShapeTree.trusting(Stream.concat(own.stream(), rest).toList());
  }

  /// True for a known message that no family covers. Also true for one that a family only ignores,
  /// if its own words find it faster than a search for the words of the family's shape.
  private static boolean adds(ShapeTree<NcclMessage> tree, Shape<NcclMessage> known) {
    var covering = tree.covering(known);
    return covering == null
        || covering.reader() == null && known.text().indexOf('*') < 0 && !tree.isSure(covering);
  }

  /// All ignored shapes, for a message that began like one of a family but that the family
  /// declined.
  private static ShapeTree<NcclMessage> ignored() {
    var own =
        FAMILIES.stream()
            .flatMap(family -> family.shapes().stream())
            .filter(shape -> shape.reader() == null);
    return ShapeTree.trusting(Stream.concat(own, KnownLines.shapes().stream()).toList());
  }

  /// Number of known messages besides those of the families, for the documentation.
  public static int knownLines() {
    return KnownLines.shapes().size();
  }

  /// Length of the header of the line that begins here, if the header is that of the previous line,
  /// else 0. Call it before the line is read.
  ///
  /// @param limit last index where the line may end
  public int knownHeader(int start, int limit) {
    return recent.at(start, limit);
  }

  /// Reads a line that has a header.
  ///
  /// @return [Outcome#FOREIGN] if it has no header
  public Outcome read(int start, int end, LineProbe glance, EventSink sink) {
    var known = recent.lengthAt(start);
    if (known > 0 && !(glance.mayHoldL() && NcclHeader.find(text, start + known, end) >= 0)) {
      return info(start, recent.hostEnd(start), start + known, end, sink);
    }
    if (known == 0 && !glance.mayHoldL()) {
      return Outcome.FOREIGN;
    }
    var keyword = NcclHeader.find(text, start, end);
    var first = keyword;
    while (keyword >= 0) {
      var host = NcclHeader.hostEnd(text, start, keyword);
      if (host >= 0) {
        return withHeader(start, end, host, keyword, sink);
      }
      keyword = NcclHeader.find(text, keyword + 4, end);
    }
    if (first < 0) {
      return Outcome.FOREIGN;
    }
    var outcome = headless(start, first, end, sink);
    if (outcome == Outcome.FOREIGN && first > start + 2 && text.startsWith("] ", first - 2)) {
      sink.event(null, new NcclEvent.Spliced(), start, end);
      return Outcome.EVENTS;
    }
    return outcome;
  }

  /// Reads a line whose header was cut down to `[dev] NCCL INFO` or `NCCL INFO`. It counts only if
  /// NCCL is known to print its message.
  private Outcome headless(int start, int keyword, int end, EventSink sink) {
    if (NcclHeader.level(text, keyword) == NcclHeader.Level.WARN && isPlace(start, keyword)) {
      var from = Chars.skipBlanks(text, NcclHeader.messageStart(text, keyword, end), end);
      var warning = text.substring(from, Chars.trimEnd(text, from, end));
      // assigned to no process: one without headers is ignored beside processes that have them
      sink.event(null, new NcclEvent.Warning(warning), start, end);
      return Outcome.EVENTS;
    }
    if (NcclHeader.level(text, keyword) != NcclHeader.Level.INFO
        || behindWrappers(start, keyword) < NcclHeader.beforeDevice(text, start, keyword)) {
      return Outcome.FOREIGN;
    }
    var from = Chars.skipBlanks(text, NcclHeader.messageStart(text, keyword, end), end);
    var to = Chars.trimEnd(text, from, end);
    return from < to
            && (TREE.first(text, from, to) != null || ANYWHERE.match(text, from, to, _ -> true))
        ? info(start, NcclMessage.NO_HOST, from, end, sink)
        : Outcome.FOREIGN;
  }

  /// Whether a place in the source precedes the keyword: `get_ofi_provider:312 `.
  private boolean isPlace(int start, int keyword) {
    var colon = keyword - 2;
    while (colon > start && Chars.isDigit(text.charAt(colon))) {
      colon--;
    }
    return colon > start
        && colon < keyword - 2
        && text.charAt(keyword - 1) == ' '
        && text.charAt(colon) == ':'
        && text.charAt(colon - 1) != ' ';
  }

  /// Reads a line that begins with an NCCL message whose header was cut away completely.
  static boolean bare(TextLine line) {
    var from = line.at();
    var lines = new NcclLines(line.text());
    var shape = TREE.first(line.text(), from, line.end());
    var reader = shape == null ? null : shape.reader();
    if (shape == null || reader == null) {
      return false;
    }
    lines.message.begin(
        from,
        NcclMessage.NO_HOST,
        from + shape.begin(),
        line.end(),
        (head, event, start, end) -> line.emit(head, event));
    return reader.read(lines.message) && lines.message.emitted();
  }

  private int behindWrappers(int start, int limit) {
    var wrapped = Wrappers.skip(text, start, limit);
    return Chars.skipBlanks(text, Wrappers.skipAllLikely(text, wrapped, limit), limit);
  }

  private Outcome withHeader(int lineStart, int end, int host, int keyword, EventSink sink) {
    var start = behindRow(lineStart, host, sink);
    var from = NcclHeader.messageStart(text, keyword, end);
    var next = NcclHeader.find(text, from, end);
    if (next >= 0) {
      return afterCut(start, end, host, keyword, next, sink);
    }
    recent.remember(start, host, keyword, from);
    return message(start, end, host, keyword, sink);
  }

  /// Reads a row of nccl-tests into which a line of NCCL was printed. Rows begin with blanks and
  /// digits. The last text of the row, a number or the beginning of a word, is glued to the host.
  ///
  /// @return where NCCL's own line begins
  private int behindRow(int start, int hostEnd, EventSink sink) {
    var host = NcclHeader.hostStart(text, start, hostEnd);
    if (host == start || !mayBehindRow(start, host)) {
      return start;
    }
    var at = Wrappers.skip(text, start, host);
    for (var i = 0; i < MOST_WRAPPERS; i++) {
      var row = NcclTestsLines.cutRow(text, at, host);
      if (row != null) {
        var behind = behindNumber(host, hostEnd);
        var name = behind < hostEnd && Chars.isLetter(text.charAt(behind)) ? behind : host;
        var first = at;
        while (first > start && text.charAt(first - 1) == ' ') {
          first--;
        }
        sink.event(null, row, first, name);
        return name;
      }
      var next = Wrappers.skipLikely(text, at, host);
      if (next <= at) {
        return start;
      }
      at = next;
    }
    return start;
  }

  /// Whether to look for such a row: most text in front of an NCCL header is a wrapper. If the host
  /// begins with a letter, only a line that begins with the blanks of a row can hold one.
  private boolean mayBehindRow(int start, int host) {
    var c = text.charAt(host);
    return Chars.isDigit(c) || c == '-' || text.charAt(start) == ' ';
  }

  /// Index after a number such as `40000`, `-1`, `26.8` or `2e-07`.
  private int behindNumber(int from, int end) {
    var at = Chars.skipDigits(text, text.charAt(from) == '-' ? from + 1 : from, end);
    if (at < end && text.charAt(at) == '.') {
      at = Chars.skipDigits(text, at + 1, end);
    }
    if (at > from && at + 1 < end && text.charAt(at) == 'e' && isSign(text.charAt(at + 1))) {
      at = Chars.skipDigits(text, at + 2, end);
    }
    return at;
  }

  private static boolean isSign(char c) {
    return c == '+' || c == '-';
  }

  /// Reads a line with a second `NCCL INFO` within its message: the first line lost its end, so its
  /// message is not trusted. Of several lines the last one may be whole. Its host is glued to the
  /// rest of the line before, so it counts only if that text ends with the host of the first line.
  private Outcome afterCut(int start, int end, int host, int keyword, int next, EventSink sink) {
    message.begin(start, host, keyword, next, sink).emit(new NcclEvent.Spliced());
    var from = NcclHeader.messageStart(text, keyword, end);
    var last = next;
    for (var at = next; at >= 0; at = NcclHeader.find(text, at + 4, end)) {
      from = last == at ? from : NcclHeader.messageStart(text, last, end);
      last = at;
    }
    var second = NcclHeader.hostEnd(text, from, last);
    var length = host - NcclHeader.hostStart(text, start, host);
    var believed = second - length;
    if (second >= 0
        && believed >= NcclHeader.hostStart(text, from, second)
        && text.same(believed, host - length, length)) {
      message(believed, end, second, last, sink);
    }
    return Outcome.EVENTS;
  }

  private Outcome message(int start, int end, int host, int keyword, EventSink sink) {
    var from = NcclHeader.messageStart(text, keyword, end);
    return switch (NcclHeader.level(text, keyword)) {
      case WARN, ABORT -> {
        var at = Chars.skipBlanks(text, from, end);
        var to = Chars.trimEnd(text, at, end);
        ErrorLines.warning(message.begin(start, host, at, to, sink));
        yield Outcome.EVENTS;
      }
      case CALL, TRACE -> Outcome.IGNORED;
      case INFO -> info(start, host, from, end, sink);
    };
  }

  private Outcome info(int start, int host, int messageStart, int lineEnd, EventSink sink) {
    var from = Chars.skipBlanks(text, messageStart, lineEnd);
    var end = Chars.trimEnd(text, from, lineEnd);
    if (from == end) {
      return Outcome.IGNORED;
    }
    var shape = TREE.first(text, from, end);
    var reader = shape == null ? null : shape.reader();
    if (shape != null && reader == null) {
      return Outcome.IGNORED;
    }
    message.begin(start, host, from, end, sink);
    if (shape != null && reader != null) {
      message.back(from + shape.begin());
      if (reader.read(message)) {
        return message.emitted() ? Outcome.EVENTS : Outcome.IGNORED;
      }
    }
    return rare(shape, from);
  }

  /// Reads a message that the longest shape did not settle.
  private Outcome rare(@Nullable Shape<NcclMessage> declined, int from) {
    var end = message.end();
    var outcome = new Outcome[] {Outcome.UNKNOWN_NCCL};
    ShapeTree.Visitor<NcclMessage> visitor = shape -> visit(shape, from, outcome);
    if (declined != null && TREE.match(text, from, end, visitor)) {
      return outcome[0];
    }
    if (ErrorLines.located(text, from, end)) {
      return Outcome.IGNORED;
    }
    if (declined != null && CollectiveLines.isCall(declined)
        || TREE.cut(text, from, end)
        || isCallTail(from, end)) {
      message.emit(new NcclEvent.Spliced());
      return Outcome.EVENTS;
    }
    if (declined != null && IGNORED.whole(text, from, end)) {
      return Outcome.IGNORED;
    }
    return ANYWHERE.match(text, from, end, visitor) ? outcome[0] : Outcome.UNKNOWN_NCCL;
  }

  private boolean visit(Shape<NcclMessage> shape, int from, Outcome[] outcome) {
    var reader = shape.reader();
    if (reader == null) {
      outcome[0] = Outcome.IGNORED;
      return true;
    }
    message.back(from + shape.begin());
    boolean taken = reader.read(message);
    outcome[0] = message.emitted() ? Outcome.EVENTS : Outcome.IGNORED;
    return taken;
  }

  /// Whether the message ends like the line of a collective, after the beginning of another line.
  private boolean isCallTail(int from, int end) {
    return Chars.find(text, from, end, " [nranks=") >= 0
        || Chars.find(text, from, end, "] stream ") >= 0;
  }
}
