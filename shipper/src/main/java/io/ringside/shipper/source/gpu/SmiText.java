package io.ringside.shipper.source.gpu;

import io.ringside.schemas.event.GpuSample;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What somebody saved of nvidia-smi as samples, a line at a time: its CSV, also without times, the
/// table of `dmon`, one `-q` or `-q -x` after the other, or the tables that it prints without
/// arguments. Not thread-safe.
public final class SmiText {
  /// Lines of `-q`, as far as they are not indented.
  private static final Pattern QUERIED =
      Pattern.compile(
          "=+NVSMI LOG=+\\s*|(?:Timestamp|Driver Version|CUDA Version|Attached GPUs) +: .*|GPU [0-9A-Fa-f]+:.*|\\s.*|");

  /// Rows may be torn, and a GPU that is lost has a line of words.
  private static final int LEAST_OTHERS = 4;

  /// One table is how many jobs begin.
  private static final int LEAST_TABLES = 2;

  private final NvidiaSmiCsv csv;
  private final NvidiaSmiCsv tables;
  private final SmiTable table = new SmiTable();
  private @Nullable SmiQuery query;
  private @Nullable DmonText dmon;

  /// @param zone in which nvidia-smi wrote its times
  public SmiText(String cluster, String node, ZoneId zone) {
    this.csv = new NvidiaSmiCsv(cluster, node, zone);
    this.tables = new NvidiaSmiCsv(cluster, node, zone);
    tables.line(SmiQuery.HEADER);
  }

  /// Whether a text with this beginning is such a file, and nothing else: a job's log may begin
  /// with `nvidia-smi -q` too.
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

  /// Whether a text with this beginning, if it is such a file, is of `-q` or `-q -x`, which tell
  /// more than samples.
  public static boolean queried(String beginning) {
    return beginning
        .lines()
        .filter(line -> !line.isBlank())
        .findFirst()
        .filter(first -> SmiQuery.recognises(first) || first.startsWith("<"))
        .isPresent();
  }

  /// Whether a text with this beginning has samples with times among other lines: of a sampler that
  /// writes to a job's own output.
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

  /// How many lines are no row of the header's, torn ones included.
  private static long others(String header, List<String> lines) {
    long commas = commas(header);
    return lines.stream().filter(line -> 2 * commas(line) < commas).count();
  }

  private static long commas(String line) {
    return line.chars().filter(c -> c == ',').count();
  }

  /// Takes one line; gives the poll before it if this line begins the next one.
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

  /// What is still being collected: to be called until it gives nothing more.
  public Optional<GpuSample> finish() {
    var row = query == null ? Optional.<String>empty() : query.finish();
    return row.flatMap(csv::line).or(csv::finish).or(tables::finish);
  }
}
