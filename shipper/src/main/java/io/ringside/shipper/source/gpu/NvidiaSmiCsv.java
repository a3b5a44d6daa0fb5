package io.ringside.shipper.source.gpu;

import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Turns the text of `nvidia-smi --query-gpu=… --format=csv -lms N` into samples, one line at a
/// time. Columns are found by the header, in any order, with or without units. The rows of one poll
/// are grouped: a GPU that appears again begins the next poll, so a sample is complete when its
/// successor begins or {@link #finish} is called. A GPU that nvidia-smi reports as unreachable
/// becomes a row with an error. Not thread-safe.
public final class NvidiaSmiCsv {
  private final String cluster;
  private final String node;
  private final ZoneId zone;
  private final KnownValues known = new KnownValues();
  private final ReasonCounters counters = new ReasonCounters();
  private @Nullable SmiColumns columns;
  private final List<GpuReading> gpus = new ArrayList<>();
  private @Nullable String headerWithoutTime;
  private long polls;
  private @Nullable Instant at;

  /// @param zone time zone of the times that nvidia-smi wrote
  public NvidiaSmiCsv(String cluster, String node, ZoneId zone) {
    this.cluster = cluster;
    this.node = node;
    this.zone = zone;
  }

  /// Whether this is the header of such a file: it must contain a time and a GPU's index, bus id or
  /// UUID.
  public static boolean recognises(String headerLine) {
    return SmiColumns.mayBe(headerLine) && SmiColumns.of(headerLine).tellGpus();
  }

  /// Whether a text with this beginning contains only such a table without times. Jobs also print
  /// such tables before their own output.
  static boolean recognisesWithoutTime(String beginning) {
    var lines = beginning.lines().filter(line -> !line.isBlank()).toList();
    var header = lines.getFirst();
    if (!isHeaderWithoutTime(header)) {
      return false;
    }
    var columns = SmiColumns.of(header);
    var known = new KnownValues();
    // the last line may be cut
    return lines.subList(1, Math.max(1, lines.size() - 1)).stream()
        .allMatch(line -> line.equals(header) || SmiRow.of(columns, line, known).tellsGpu());
  }

  /// Whether the header identifies a GPU and has at least two columns that only nvidia-smi has.
  private static boolean isHeaderWithoutTime(String line) {
    return SmiColumns.of(line).tellGpusWithoutTime();
  }

  /// Takes one line. Returns the previous poll if this line begins the next one. Headers may be
  /// repeated; other text is skipped.
  public Optional<GpuSample> line(String line) {
    if (recognises(line)) {
      columns = SmiColumns.of(line);
      return Optional.empty();
    }
    if (line.equals(headerWithoutTime) || columns == null && isHeaderWithoutTime(line)) {
      columns = SmiColumns.of(line);
      headerWithoutTime = line;
      return Optional.empty();
    }
    if (columns == null) {
      return Optional.empty();
    }
    if (columns.has(GpuField.BUS_ID)) {
      var lost = LostGpu.of(line, gpus.size());
      if (lost.isPresent()) {
        return lost(lost.get());
      }
    }
    var row = SmiRow.of(columns, line, known);
    if (headerWithoutTime != null) {
      return withoutTime(row);
    }
    var time = row.time();
    if (time == null) {
      return Optional.empty();
    }
    var reading = row.reading(gpus.size(), 0);
    Optional<GpuSample> whole = comesAgain(reading) ? finish() : Optional.empty();
    if (at == null) {
      at = time.atZone(zone).toInstant();
    }
    gpus.add(counters.with(whole.isPresent() ? row.reading(0, 0) : reading, row, time));
    return whole;
  }

  private Optional<GpuSample> withoutTime(SmiRow row) {
    if (!row.tellsGpu()) {
      return Optional.empty();
    }
    var reading = row.reading(gpus.size(), 0);
    Optional<GpuSample> whole = comesAgain(reading) ? finish() : Optional.empty();
    if (at == null) {
      at = GpuSample.untimed(polls++);
    }
    gpus.add(whole.isPresent() ? row.reading(0, 0) : reading);
    return whole;
  }

  /// The poll still being collected, if any. Call this at the end of the text, or when the next row
  /// is late.
  public Optional<GpuSample> finish() {
    if (at == null) {
      return Optional.empty();
    }
    var sample = new GpuSample(cluster, node, at, gpus);
    gpus.clear();
    at = null;
    return Optional.of(sample);
  }

  /// Number of GPUs of the current poll read so far.
  int pending() {
    return gpus.size();
  }

  /// Adds a row for a lost GPU, which has no time. If a poll has no other rows, one such row is
  /// kept until a later row brings a time.
  private Optional<GpuSample> lost(GpuReading reading) {
    boolean again = comesAgain(reading);
    if (again && at == null) {
      return Optional.empty();
    }
    Optional<GpuSample> whole = again ? finish() : Optional.empty();
    gpus.add(reading);
    return whole;
  }

  private static boolean isLost(GpuReading reading) {
    return reading.uuid().isEmpty() && reading.error() != null;
  }

  private boolean comesAgain(GpuReading reading) {
    boolean nameless = reading.busId().isEmpty() && reading.uuid().isEmpty();
    for (var seen : gpus) {
      if (seen.busId().equals(reading.busId())
          && (seen.uuid().equals(reading.uuid()) || isLost(seen) || isLost(reading))
          && (!nameless || seen.index() == reading.index())) {
        return true;
      }
    }
    return false;
  }
}
