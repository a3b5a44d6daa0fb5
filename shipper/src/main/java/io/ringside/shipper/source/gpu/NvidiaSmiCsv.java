package io.ringside.shipper.source.gpu;

import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Text of `nvidia-smi --query-gpu=… --format=csv -lms N` becomes samples, a line at a time. Columns
/// are found by the header, in any order, with or without units. Rows of one poll are grouped: a GPU
/// that comes again begins the next poll, so a sample is whole when its successor begins or
/// {@link #finish} is called. Not thread-safe.
public final class NvidiaSmiCsv {
  /// `2026/11/20 20:27:26.054`, in the node's time zone.
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss.SSS", Locale.ROOT);

  private final String cluster;
  private final String node;
  private final ZoneId zone;
  private @Nullable Map<GpuField, Integer> columns;
  private final List<GpuReading> gpus = new ArrayList<>();
  private @Nullable Instant at;

  /// @param zone in which nvidia-smi wrote its times
  public NvidiaSmiCsv(String cluster, String node, ZoneId zone) {
    this.cluster = cluster;
    this.node = node;
    this.zone = zone;
  }

  /// Whether this is the header of such a file: it must tell when, and which GPU.
  public static boolean recognises(String headerLine) {
    var columns = columns(headerLine);
    return columns.containsKey(GpuField.TIMESTAMP)
        && (columns.containsKey(GpuField.INDEX)
            || columns.containsKey(GpuField.BUS_ID)
            || columns.containsKey(GpuField.UUID));
  }

  /// Takes one line; gives the poll before it if this line begins the next one. Headers may come
  /// again, other text is skipped.
  public Optional<GpuSample> line(String line) {
    if (recognises(line)) {
      columns = columns(line);
      return Optional.empty();
    }
    if (columns == null) {
      return Optional.empty();
    }
    var row = new Row(columns, line.split(",", -1));
    var time = row.text(GpuField.TIMESTAMP).flatMap(this::time);
    if (time.isEmpty()) {
      return Optional.empty();
    }
    var reading = row.reading(gpus.size());
    Optional<GpuSample> whole = comesAgain(reading) ? finish() : Optional.empty();
    if (at == null) {
      at = time.get();
    }
    gpus.add(whole.isPresent() ? row.reading(0) : reading);
    return whole;
  }

  /// The poll that is still being collected, if any: call it at the end of the text, or when the
  /// next row is long in coming.
  public Optional<GpuSample> finish() {
    if (at == null) {
      return Optional.empty();
    }
    var sample = new GpuSample(cluster, node, at, gpus);
    gpus.clear();
    at = null;
    return Optional.of(sample);
  }

  /// How many GPUs of the current poll have been read.
  int pending() {
    return gpus.size();
  }

  private boolean comesAgain(GpuReading reading) {
    boolean nameless = reading.busId().isEmpty() && reading.uuid().isEmpty();
    return gpus.stream()
        .anyMatch(
            seen ->
                seen.busId().equals(reading.busId())
                    && seen.uuid().equals(reading.uuid())
                    && (!nameless || seen.index() == reading.index()));
  }

  private Optional<Instant> time(String text) {
    try {
      return Optional.of(LocalDateTime.parse(text, TIMESTAMP).atZone(zone).toInstant());
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static Map<GpuField, Integer> columns(String header) {
    var columns = new EnumMap<GpuField, Integer>(GpuField.class);
    String[] names = header.split(",", -1);
    for (int i = 0; i < names.length; i++) {
      int column = i;
      GpuField.ofColumn(names[i]).ifPresent(field -> columns.putIfAbsent(field, column));
    }
    return columns;
  }

  /// One line's cells by field.
  private record Row(Map<GpuField, Integer> columns, String[] cells) {
    GpuReading reading(int fallbackIndex) {
      var errors = new ArrayList<String>();
      return new GpuReading(
          text(GpuField.INDEX).flatMap(Row::wholeNumber).map(Long::intValue).orElse(fallbackIndex),
          text(GpuField.BUS_ID).map(BusId::normal).orElse(""),
          text(GpuField.UUID).orElse(""),
          text(GpuField.NAME).orElse(""),
          number(GpuField.UTILIZATION, errors),
          number(GpuField.MEMORY_USED, errors),
          number(GpuField.MEMORY_TOTAL, errors),
          number(GpuField.POWER, errors),
          number(GpuField.POWER_LIMIT, errors),
          number(GpuField.TEMPERATURE, errors),
          number(GpuField.SM_CLOCK, errors),
          number(GpuField.SM_CLOCK_MAX, errors),
          bits(GpuField.THROTTLE_REASONS, errors),
          count(GpuField.ECC_UNCORRECTED, errors),
          errors.isEmpty() ? null : String.join("; ", errors));
    }

    /// The cell, unless nvidia-smi had nothing to put there.
    Optional<String> text(GpuField field) {
      return cell(field).filter(text -> !isAbsent(text) && !isError(text));
    }

    private Optional<String> cell(GpuField field) {
      Integer column = columns.get(field);
      return column == null || column >= cells.length
          ? Optional.empty()
          : Optional.of(cells[column].strip());
    }

    private @Nullable Double number(GpuField field, List<String> errors) {
      return value(field, errors).flatMap(Row::decimal).orElse(null);
    }

    private @Nullable Long count(GpuField field, List<String> errors) {
      return value(field, errors).flatMap(Row::wholeNumber).orElse(null);
    }

    private @Nullable Long bits(GpuField field, List<String> errors) {
      return value(field, errors).flatMap(Row::hex).orElse(null);
    }

    private Optional<String> value(GpuField field, List<String> errors) {
      cell(field)
          .filter(Row::isError)
          .ifPresent(text -> errors.add(field.names.getFirst() + " " + text));
      return text(field);
    }

    /// `[N/A]`, `[Not Supported]`, `N/A`, and what MIG and vGPU put there.
    private static boolean isAbsent(String text) {
      return text.isEmpty()
          || text.equals("N/A")
          || text.startsWith("[N/A")
          || text.startsWith("[Not ")
          || text.startsWith("[Insufficient")
          || text.startsWith("[Requested");
    }

    /// `ERR!`, `[Unknown Error]`, `[GPU is lost]`, `[GPU requires reset]`.
    private static boolean isError(String text) {
      return text.startsWith("ERR!") || (text.startsWith("[") && !isAbsent(text));
    }

    private static Optional<Double> decimal(String text) {
      try {
        return Optional.of(Double.valueOf(withoutUnit(text)));
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }

    private static Optional<Long> wholeNumber(String text) {
      try {
        return Optional.of(Long.valueOf(withoutUnit(text)));
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }

    private static Optional<Long> hex(String text) {
      try {
        return Optional.of(
            text.startsWith("0x")
                ? Long.parseUnsignedLong(text.substring(2), 16)
                : Long.parseLong(text));
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }

    /// `81.29 W` as `81.29`.
    private static String withoutUnit(String text) {
      int space = text.indexOf(' ');
      return space < 0 ? text : text.substring(0, space);
    }
  }
}
