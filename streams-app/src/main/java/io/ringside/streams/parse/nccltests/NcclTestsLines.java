package io.ringside.streams.parse.nccltests;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.NcclTestsEvent;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.TextLine;

/// nccl-tests' comments, which begin with `#`, and the rows of their table (src/common.cu).
public final class NcclTestsLines {

  private NcclTestsLines() {}

  /// True if a line may be a row: two integers and a word. Allocates nothing.
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
        && Chars.isLetter(text.charAt(type))
        && end - type > 40;
  }

  /// Reads a row: `size count type redop root`, then time, algbw, busbw and #wrong, out of place and in place.
  public static boolean row(TextLine line) {
    var bytes = line.number();
    var count = line.blanks().number();
    var type = line.blanks().word();
    var redop = line.blanks().word();
    var root = line.blanks().integer();
    var micros = line.blanks().decimal();
    var algbw = line.blanks().decimal();
    var busbw = line.blanks().decimal();
    var wrong = wrong(line);
    var microsInPlace = line.blanks().decimal();
    var algbwInPlace = line.blanks().decimal();
    var busbwInPlace = line.blanks().decimal();
    var wrongInPlace = wrong(line);
    return line.good()
        && line.emit(
            new NcclTestsEvent.Row(
                bytes,
                count,
                type,
                redop,
                root,
                micros,
                algbw,
                busbw,
                wrong,
                microsInPlace,
                algbwInPlace,
                busbwInPlace,
                wrongInPlace));
  }

  /// A count, or `N/A` where results were not checked; before 2.13 the largest error, `0e+00`.
  private static long wrong(TextLine line) {
    if (line.blanks().skip("N/A")) {
      return -1;
    }
    return Math.round(Math.ceil(line.decimal()));
  }

  /// Reads a comment, given the cursor at its `#`.
  ///
  /// @return true if it is one of nccl-tests', whether or not it says anything of use
  public static boolean comment(TextLine line) {
    line.expect("#").blanks();
    if (line.skip("Collective test starting: ")) {
      return line.emit(new NcclTestsEvent.Started(line.rest()));
    }
    if (line.skip("nccl-tests version ")) {
      var version = line.word();
      var library = line.find("nccl-library=") ? line.integer() : -1;
      return line.good() && line.emit(new NcclTestsEvent.Version(version, library));
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
      var busbw = line.blanks().expect(":").blanks().good() ? line.decimal() : 0;
      return line.good() && line.emit(new NcclTestsEvent.AverageBandwidth(busbw));
    }
    return false;
  }

  /// `Rank  0 Group  0 Pid   7164 on         vm device  0 [0000:60:00] NVIDIA H200`; before 2.14.1 `[0x60]` without domain.
  private static boolean device(TextLine line) {
    var rank = line.blanks().integer();
    if (line.blanks().skip("Group")) {
      line.blanks().integer();
    }
    var pid = line.blanks().expect("Pid").blanks().integer();
    var host = line.blanks().expect("on").blanks().word();
    var device = line.blanks().expect("device").blanks().integer();
    var bus = line.blanks().expect("[").until(']');
    var name = line.expect("]").rest();
    return line.good()
        && line.emit(new NcclTestsEvent.Device(rank, pid, host, device, busId(bus), name));
  }

  /// `0000:60:00` as `0000:60:00.0`.
  static String busId(String bus) {
    if (bus.startsWith("0x")) {
      return "0000:" + bus.substring(2) + ":00.0";
    }
    return bus.indexOf('.') < 0 ? bus + ".0" : bus;
  }
}
