package io.ringside.streams.parse.nccltests;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.NcclTestsEvent;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.Cursor;
import io.ringside.streams.parse.scan.TextLine;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// nccl-tests' comments, which begin with `#`, and the rows of their table (src/common.cu).
public final class NcclTestsLines {

  /// `test_typenames`, including those of RCCL's fork and of 1.x.
  private static final Set<String> TYPES =
      Set.of(
          "int8",
          "uint8",
          "int32",
          "uint32",
          "int64",
          "uint64",
          "half",
          "float",
          "double",
          "bfloat16",
          "f8e4m3",
          "f8e5m2",
          "fp8_e4m3",
          "fp8_e5m2",
          "char",
          "int");

  /// `test_opnames`. A row with a known operation counts even if its type is one of a later
  /// version.
  private static final Set<String> OPERATIONS =
      Set.of("sum", "prod", "max", "min", "avg", "mulsum", "all", "none");

  /// Tolerance between a row's size, its time and their quotient. Times have at least three digits,
  /// and small quotients have two decimals.
  private static final double ROUNDED = 0.02;

  private NcclTestsLines() {}

  /// A column of results.
  ///
  /// @param wrong number of wrong elements, or [NcclTestsEvent#UNCOUNTED]
  /// @param error the largest error, if the column has errors and this one exceeds all tolerances;
  ///   else 0
  private record Result(long wrong, double error) {}

  /// True if a line may be a row, or the beginning of one: two integers and a word. Allocates
  /// nothing.
  public static boolean isRow(Text text, int from, int end) {
    var size = Chars.skipDigits(text, from, end);
    var count = Chars.skipBlanks(text, size, end);
    var afterCount = Chars.skipDigits(text, count, end);
    var type = Chars.skipBlanks(text, afterCount, end);
    return size > from
        && count > size
        && afterCount > count
        && type > afterCount
        && type < end
        && Chars.isLetter(text.charAt(type));
  }

  /// Reads a row: `size count type`, then `redop` and `root` if the operation has them, then time,
  /// algbw, busbw and `#wrong`, out of place and in place. Before 2.13 a table has only the columns
  /// that its operation needs, so the content identifies the columns: a word is the operation, and
  /// a number in front of eight others is the root.
  public static boolean row(TextLine line) {
    var bytes = line.number();
    if (!begins(line)) {
      return false;
    }
    if (columns(line) >= 9) {
      line.integer();
    }
    var busbw = thirdDecimal(line);
    var result = result(line);
    var busbwInPlace = thirdDecimal(line);
    var resultInPlace = result(line);
    return line.good() && line.emit(row(bytes, busbw, result, busbwInPlace, resultInPlace));
  }

  /// Reads a row that was joined from parts. No part may be missing: in both halves, time and
  /// bandwidth must agree with the row's size.
  ///
  /// @return null if the text is no row, or not a complete one
  public static NcclTestsEvent.@Nullable Row whole(String joined) {
    var text = Text.of(joined);
    var line = new Cursor(text, Chars.skipBlanks(text, 0, text.length()), text.length());
    var bytes = line.number();
    if (line.bad() || line.peek() != ' ' || !begins(line)) {
      return null;
    }
    var columns = columns(line);
    if (columns == 9) {
      line.integer();
    } else if (columns != 8) {
      return null;
    }
    var fits = fits(bytes, line);
    var busbw = line.blanks().decimal();
    var result = result(line);
    fits &= fits(bytes, line);
    var busbwInPlace = line.blanks().decimal();
    var resultInPlace = result(line);
    return fits && line.blanks().done()
        ? row(bytes, busbw, result, busbwInPlace, resultInPlace)
        : null;
  }

  /// Moves past count, type and operation, and returns whether this is a row.
  private static boolean begins(Cursor line) {
    line.blanks().number();
    var known = TYPES.contains(line.blanks().word());
    line.blanks();
    var named = line.good() && !line.atEnd() && Chars.isLetter(line.peek()) && line.peek() != 'N';
    if (named) {
      known |= OPERATIONS.contains(line.word());
    }
    line.blanks();
    return known;
  }

  /// Whether time and algbw agree with the size.
  private static boolean fits(long bytes, Cursor line) {
    var micros = line.blanks().decimal();
    var algbw = line.blanks().decimal();
    var expected = bytes / (1000 * micros);
    return micros > 0 && Math.abs(expected - algbw) <= ROUNDED * (1 + Math.max(expected, algbw));
  }

  private static NcclTestsEvent.Row row(
      long bytes, double busbw, Result result, double busbwInPlace, Result resultInPlace) {
    return new NcclTestsEvent.Row(
        bytes,
        busbw,
        result.wrong(),
        busbwInPlace,
        resultInPlace.wrong(),
        Math.max(result.error(), resultInPlace.error()));
  }

  /// Reads busbw, after time and algbw.
  private static double thirdDecimal(Cursor line) {
    line.blanks().decimal();
    line.blanks().decimal();
    return line.blanks().decimal();
  }

  /// Number of remaining columns.
  private static int columns(Cursor line) {
    var columns = 0;
    for (var at = line.at(); at < line.end(); at++) {
      if (line.text().charAt(at) > ' ' && (at == line.at() || line.text().charAt(at - 1) <= ' ')) {
        columns++;
      }
    }
    return columns;
  }

  /// Reads a count, or `N/A` where results were not checked. Before 2.13 the column has the largest
  /// error, with one digit and a power of ten (`%5.0le`): `2e-07` is a rounding error and `0e+00`
  /// is none. The program itself decides how much is too much, in its line `Out of bounds values`,
  /// but 1 exceeds the tolerance of any type (`DeltaMaxValue`). A count (`%5g`) has a power of ten
  /// only from a million on, and then more digits, unless it is a round number.
  private static Result result(Cursor line) {
    if (line.blanks().skip("N/A")) {
      return new Result(NcclTestsEvent.UNCOUNTED, 0);
    }
    var from = line.at();
    var value = line.decimal();
    if (isError(line.text(), from, line.at())) {
      return new Result(NcclTestsEvent.UNCOUNTED, value < 1 ? 0 : value);
    }
    return new Result(value < 1 ? 0 : (long) Math.ceil(value), 0);
  }

  /// Whether the text has the form `2e-07`.
  private static boolean isError(Text text, int from, int end) {
    return end > from + 1 && Chars.isDigit(text.charAt(from)) && text.charAt(from + 1) == 'e';
  }

  /// Reads the beginning of a row whose line ends within it. Launchers that pass on output cut
  /// lines this way: text printed into the row then has a line of its own.
  public static boolean begin(TextLine line) {
    var bytes = line.number();
    line.blanks().number();
    if (line.bad()
        || !TYPES.contains(line.blanks().word())
        || line.bad()
        || !OPERATIONS.contains(line.blanks().word())) {
      return false;
    }
    return line.good() && line.emit(new NcclTestsEvent.RowBegin(bytes));
  }

  /// True if a line may be half a row, the rest of a row that NCCL's lines interrupted: exactly
  /// four numbers. Allocates nothing.
  public static boolean isHalf(Text text, int from, int end) {
    if (end - from > 60) {
      return false;
    }
    var columns = 0;
    for (var at = from; at < end; at++) {
      var c = text.charAt(at);
      if (c > ' ' && !Chars.isDigit(c) && c != '.' && c != 'e' && c != '+' && c != '-') {
        return false;
      }
      columns += c > ' ' && (at == from || text.charAt(at - 1) <= ' ') ? 1 : 0;
    }
    return columns == 4;
  }

  /// Reads half a row: time, algbw, busbw and #wrong.
  public static boolean half(TextLine line) {
    var busbw = thirdDecimal(line);
    var result = result(line);
    return line.done() && line.emit(new NcclTestsEvent.Half(busbw, result.wrong(), result.error()));
  }

  /// The part of a row before an NCCL line that was printed into it: its beginning,
  /// `size count type redop root`, or its first half. The end of its last column may be the
  /// beginning of the host's name, so it is not read.
  ///
  /// @param from first char of the line
  /// @param host first char of the text that looks like NCCL's host
  /// @return the event, null if the text is no row
  public static @Nullable NcclTestsEvent cutRow(Text text, int from, int host) {
    var at = Chars.skipBlanks(text, from, host);
    var digits = Chars.skipDigits(text, at, host);
    if (digits == at || host - digits < 8 || " .".indexOf(text.charAt(digits)) < 0) {
      return null;
    }
    var cursor = new Cursor(text, at, host);
    var bytes = cursor.number();
    if (cursor.good() && cursor.peek() == ' ') {
      cursor.blanks().number();
      if (cursor.good() && cursor.blanks().good() && Chars.isLetter(cursor.peek())) {
        return new NcclTestsEvent.RowBegin(bytes);
      }
    }
    var half = new Cursor(text, at, host);
    var busbw = thirdDecimal(half);
    return half.good() && Chars.skipBlanks(text, half.at(), host) == host
        ? new NcclTestsEvent.Half(busbw, NcclTestsEvent.UNREAD, 0)
        : null;
  }

  /// Reads a comment, given the cursor at its `#`.
  ///
  /// @return true if nccl-tests wrote the comment, whether or not it is of use
  public static boolean comment(TextLine line) {
    line.expect("#").blanks();
    if (line.skip("Collective test starting: ")) {
      return line.emit(new NcclTestsEvent.Started(line.rest()));
    }
    if (line.skip("nccl-tests version ")) {
      return true;
    }
    if (line.skip("Rank ")) {
      return device(line);
    }
    if (line.skip("Out of bounds values : ")) {
      var values = line.number();
      var ok = line.blanks().skip("OK");
      return line.good() && line.emit(new NcclTestsEvent.OutOfBounds(values, ok));
    }
    if (line.skip("Avg bus bandwidth")) {
      return line.emit(new NcclTestsEvent.AverageBandwidth());
    }
    return false;
  }

  /// `Rank  0 Group  0 Pid   7164 on         vm device  0 [0000:60:00] NVIDIA H200`; before 2.14.1
  /// `[0x60]` without domain.
  private static boolean device(TextLine line) {
    var rank = line.blanks().integer();
    if (line.blanks().skip("Group")) {
      line.blanks().integer();
    }
    line.blanks().expect("Pid").blanks().integer();
    var host = line.blanks().expect("on").blanks().word();
    line.blanks().expect("device").blanks().integer();
    var bus = line.blanks().expect("[").until(']');
    var name = line.expect("]").rest();
    return line.good() && line.emit(new NcclTestsEvent.Device(rank, host, busId(bus), name));
  }

  /// `0000:60:00` as `0000:60:00.0`.
  static String busId(String bus) {
    if (bus.startsWith("0x")) {
      return "0000:" + bus.substring(2) + ":00.0";
    }
    return bus.indexOf('.') < 0 ? bus + ".0" : bus;
  }
}
