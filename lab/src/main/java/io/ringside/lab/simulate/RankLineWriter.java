package io.ringside.lab.simulate;

import io.ringside.lab.simulate.Layout.Place;
import java.util.List;

/// Writes lines of one rank, with NCCL's header where NCCL writes them, each a little after the one
/// before.
final class RankLineWriter {
  private final NcclVersion version;
  private final Place place;
  private final List<Line> lines;
  private double at;
  private double tick = 0.00005;

  RankLineWriter(NcclVersion version, Place place, List<Line> lines) {
    this.version = version;
    this.place = place;
    this.lines = lines;
  }

  /// Goes on from this moment, seconds since the job's begin.
  void at(double seconds) {
    at = seconds;
  }

  double at() {
    return at;
  }

  /// Time from one line to the next from now on.
  void tick(double seconds) {
    tick = seconds;
  }

  private double next() {
    return at += tick;
  }

  /// A line of the program's main thread.
  void main(String message) {
    info(true, message);
  }

  /// A line of the thread that initialises a communicator.
  void init(String message) {
    info(false, message);
  }

  void info(boolean ofMain, String message) {
    add(Line.Kind.NCCL, header(ofMain) + "NCCL INFO " + message);
  }

  /// A line of the plugin.
  void ofi(String message) {
    init("NET/OFI " + message);
  }

  /// @param where function of the plugin and line
  void ofiWarn(String where, String message) {
    add(Line.Kind.NCCL_WARN, header(false) + where + " NCCL WARN NET/OFI " + message);
  }

  /// @param where source file and line
  /// @param function in which; since 2.30.3 it is shown
  void warn(String where, String function, String message) {
    add(
        Line.Kind.NCCL_WARN,
        header(false)
            + where
            + (version.since(30) ? " (" + function + ")" : "")
            + " NCCL WARN "
            + message);
  }

  private String header(boolean ofMain) {
    return "%s:%d:%d [%d] "
        .formatted(
            place.host(), place.pid(), ofMain ? place.pid() : place.initTid(), place.local());
  }

  /// A line of PyTorch at level INFO.
  void torch(String where, String message) {
    other(
        "[I1120 20:30:17.518015806 %s] [PG ID 0 PG GUID 0(default_pg) Rank %d] %s"
            .formatted(where, place.rank(), message));
  }

  /// Anything else.
  void other(String text) {
    add(Line.Kind.OTHER, text);
  }

  private void add(Line.Kind kind, String text) {
    lines.add(new Line(next(), place.pid(), kind, text));
  }
}
