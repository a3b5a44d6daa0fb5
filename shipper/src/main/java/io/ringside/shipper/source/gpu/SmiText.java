package io.ringside.shipper.source.gpu;

import io.ringside.schemas.event.GpuSample;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Turns saved output of nvidia-smi into samples, one line at a time. Accepts its CSV with or
/// without times, the table of `dmon`, one or more outputs of `-q` or `-q -x`, and the tables that
/// it prints without arguments. Not thread-safe.
public final class SmiText {
  /// Lines of `-q`: any indented line, and the known ones without indent.
  private static final Pattern QUERIED =
      Pattern.compile(
          "=+NVSMI LOG=+\\s*|(?:Timestamp|Driver Version|CUDA Version|Attached GPUs) +: .*|GPU [0-9A-Fa-f]+:.*|\\s.*|");

  /// Least number of lines that are not rows. A few occur in pure files too: torn rows, or a
  /// message about a lost GPU.
  private static final int LEAST_OTHERS = 4;

  /// Least number of tables, since many jobs print one at their beginning.
  private static final int LEAST_TABLES = 2;

  private final NvidiaSmiCsv csv;
  private final NvidiaSmiCsv tables;
  private final SmiTable table = new SmiTable();
  private @Nullable SmiQuery query;
  private @Nullable DmonText dmon;

  /// @param zone time zone of the times that nvidia-smi wrote
  public SmiText(String cluster, String node, ZoneId zone) {
    this.csv = new NvidiaSmiCsv(cluster, node, zone);
    this.tables = new NvidiaSmiCsv(cluster, node, zone);
    tables.line(SmiQuery.HEADER);
  }

  /// Whether a text with this beginning contains only output of nvidia-smi; a job's log may also
  /// begin with `nvidia-smi -q`.
  public static boolean recognises(String beginning) {
    var lines = beginning.lines().filter(line -> !line.isBlank()).iterator();
    if (!lines.hasNext()) {
      return false;
    }
    var first = lines.next();
    return NvidiaSmiCsv.recognises(first)
        || NvidiaSmiCsv.recognisesWithoutTime(beginning)
        || DmonText.alone(beginning)
        || first.startsWith("<?xml") && beginning.contains("<nvidia_smi_log>")
        || SmiQuery.recognises(first)
            && beginning.lines().allMatch(line -> QUERIED.matcher(line).matches());
  }

  /// Whether a text with this beginning, if it is such a file, is output of `-q` or `-q -x`, which
  /// contains more than samples.
  public static boolean queried(String beginning) {
    return beginning
        .lines()
        .filter(line -> !line.isBlank())
        .findFirst()
        .filter(first -> SmiQuery.recognises(first) || first.startsWith("<"))
        .isPresent();
  }

  /// Whether a text with this beginning mixes timed samples with other lines, because a sampler
  /// writes into a job's own output.
  public static boolean mixed(String beginning) {
    if (SmiTable.count(beginning) >= LEAST_TABLES) {
      return true;
    }
    if (!beginning.contains("timestamp")) {
      return false;
    }
    var lines = beginning.lines().filter(line -> !line.isBlank()).toList();
    return lines.stream()
        .filter(NvidiaSmiCsv::recognises)
        .findFirst()
        .filter(header -> others(header, lines) >= LEAST_OTHERS)
        .isPresent();
  }

  /// Number of lines that are no rows below the header. Torn rows count as rows.
  private static long others(String header, List<String> lines) {
    long commas = commas(header);
    return lines.stream().filter(line -> 2 * commas(line) < commas).count();
  }

  private static long commas(String line) {
    return line.chars().filter(c -> c == ',').count();
  }

  /// Takes one line. Returns the previous poll if this line begins the next one.
  public Optional<GpuSample> line(String line) {
    if (SmiQuery.recognises(line)) {
      if (query == null) {
        query = new SmiQuery();
        csv.line(SmiQuery.HEADER);
      }
      return Optional.empty();
    }
    var row = table.line(line);
    if (row.isPresent()) {
      return row.flatMap(tables::line);
    }
    if (query != null) {
      return query.line(line).flatMap(csv::line);
    }
    if (dmon == null && DmonText.recognises(line)) {
      dmon = new DmonText();
    }
    return dmon == null ? csv.line(line) : dmon.line(line).flatMap(csv::line);
  }

  /// A poll still being collected. Call this repeatedly until it returns none.
  public Optional<GpuSample> finish() {
    var row = query == null ? Optional.<String>empty() : query.finish();
    return row.flatMap(csv::line).or(csv::finish).or(tables::finish);
  }
}
