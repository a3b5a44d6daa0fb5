package io.ringside.streams.job.bandwidth;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.parse.event.NcclTestsEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// One table of nccl-tests: a program, the GPUs it ran on, and its rows by size. Bounded: the
/// {@value #MAX_ROWS} largest sizes.
public final class Table {
  private static final int MAX_ROWS = 40;
  private static final int MAX_RANKS = 16_384;

  private String program;
  private final Set<String> hosts = new TreeSet<>();
  private final Set<String> gpus = new TreeSet<>();
  private final Map<Integer, String> busIds = new TreeMap<>();
  private @Nullable Evidence device;
  private final List<Measured> rows = new ArrayList<>();
  private @Nullable Measured wrong;
  private @Nullable Measured outOfBounds;
  private @Nullable Measured parted;
  private int halves;
  private boolean unread;
  private int torn;
  private boolean over;

  Table() {
    this("");
  }

  Table(String program) {
    this.program = program;
  }

  /// A row with its line.
  ///
  /// @param bytes size of the buffers
  /// @param busGBps the better of out of place and in place, GB/s of 10^9 bytes
  /// @param wrong how many elements were wrong, 0 if not checked or not counted
  /// @param error the largest error, if the program prints it and it is beyond all tolerances
  public record Measured(long bytes, double busGBps, long wrong, double error, Evidence line) {

    private boolean bad() {
      return wrong > 0 || error > 0;
    }

    private boolean worseThan(Measured other) {
      return wrong > other.wrong || wrong == other.wrong && error > other.error;
    }
  }

  void started(String name) {
    program = name;
  }

  boolean begun() {
    return !rows.isEmpty();
  }

  void end() {
    over = true;
  }

  void device(NcclTestsEvent.Device event, Evidence line) {
    if (busIds.size() < MAX_RANKS) {
      hosts.add(event.host());
      gpus.add(event.name());
      busIds.put(event.rank(), event.busId());
      device = device == null ? line : device;
    }
  }

  void row(NcclTestsEvent.Row event, Evidence line) {
    long bad = Math.max(0, event.wrong()) + Math.max(0, event.wrongInPlace());
    double busbw = better(event.busbwGBps(), event.busbwInPlaceGBps());
    if (parted != null && parted.bytes() == event.bytes()) {
      parted = null; // complete now
    }
    leave();
    row(new Measured(event.bytes(), busbw, bad, event.error(), line));
  }

  /// Ends a parted row that will not be completed.
  private void leave() {
    torn += parted == null ? 0 : 1;
    parted = null;
  }

  /// Takes the beginning of a row that NCCL's lines part.
  void begin(NcclTestsEvent.RowBegin event, Evidence line) {
    leave();
    parted = new Measured(event.bytes(), Double.NaN, 0, 0, line);
    halves = 0;
    unread = false;
  }

  /// Takes what follows the beginning of a parted row. A line of four numbers without a beginning
  /// is ignored.
  void half(NcclTestsEvent.Half event) {
    var row = parted;
    if (row == null) {
      return;
    }
    unread |= event.wrong() == NcclTestsEvent.UNREAD;
    parted =
        new Measured(
            row.bytes(),
            better(row.busGBps(), event.busbwGBps()),
            row.wrong() + Math.max(0, event.wrong()),
            Math.max(row.error(), event.error()),
            row.line());
    if (++halves == 2) {
      row(parted);
      torn += unread ? 1 : 0;
      parted = null;
    }
  }

  void outOfBounds(NcclTestsEvent.OutOfBounds event, Evidence line) {
    if (!event.ok() && event.values() > 0) {
      outOfBounds = new Measured(0, Double.NaN, event.values(), 0, line);
    }
  }

  private void row(Measured measured) {
    if (measured.bad() && (wrong == null || measured.worseThan(wrong))) {
      wrong = measured;
    }
    rows.add(measured);
    if (rows.size() > MAX_ROWS) {
      rows.remove(rows.stream().min(Comparator.comparingLong(Measured::bytes)).orElse(measured));
    }
  }

  private static double better(double a, double b) {
    return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.max(a, b);
  }

  /// Name of the program, for example `all_reduce_perf`; empty if no line has it.
  public String program() {
    return program;
  }

  /// Hosts by the names that NCCL gives them: pods, in Kubernetes.
  public Set<String> hosts() {
    return hosts;
  }

  /// Models of the GPUs.
  public Set<String> gpus() {
    return gpus;
  }

  /// Bus ids by rank.
  public Map<Integer, String> busIds() {
    return busIds;
  }

  /// The line of the first GPU, null if GPUs were not listed.
  public @Nullable Evidence device() {
    return device;
  }

  public List<Measured> rows() {
    return rows;
  }

  /// Whether all sizes are present: the largest come last.
  public boolean over() {
    return over;
  }

  /// `Out of bounds values : 5 FAILED`, null if the program found none. If a table has no counts of
  /// wrong elements, as before 2.13, only this line shows them.
  public @Nullable Measured outOfBounds() {
    return outOfBounds;
  }

  /// Number of rows into which other lines were printed, so that it is unknown whether their
  /// results are right.
  public int torn() {
    return torn + (parted == null ? 0 : 1);
  }

  /// The row with the most wrong elements, or the largest error; null if all were right or none was
  /// checked.
  public @Nullable Measured wrong() {
    return wrong;
  }
}
