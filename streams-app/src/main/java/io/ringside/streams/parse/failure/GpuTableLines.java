package io.ringside.streams.parse.failure;

import io.ringside.streams.parse.event.FailureEvent.Tabled;
import io.ringside.streams.parse.event.FailureEvent.Tabled.Part;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Lines of the table that nvidia-smi prints (drivers 410 to 590), and of the report of `dcgmi
/// health -c` (DCGM 2 to 4, dcgmi/Health.cpp).
public final class GpuTableLines {
  private static final Pattern GPU =
      Pattern.compile(
          "\\| +(\\d{1,3}) {2,}\\S.{0,80}\\| +(?:0000)?([0-9A-Fa-f]{4}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\\.[0-7])"
              + " {1,9}(?:On|Off|N/A) \\|.{0,80}\\|");

  private static final Pattern RULE = Pattern.compile("\\+-{9,99}\\+-{9,99}\\+-{9,99}\\+");

  private static final Pattern HEALTH = Pattern.compile("Overall Health {1,80}\\| (\\w{1,20}) .*");

  private static final Pattern KIND = Pattern.compile("(\\w{1,20}) {1,80}\\| {1,80}\\|");

  private static final Pattern ENTITY =
      Pattern.compile("-> (\\d{1,3}) {1,80}\\| (Healthy|Warning|Failure) .*");

  private static final Pattern SYSTEM =
      Pattern.compile("-> (\\w[\\w ]{0,40}?) {1,80}\\| Failure .*");

  /// Times in front of the rows, which differ from line to line.
  private static final Pattern TIMES =
      Pattern.compile("\\d{4}-\\d{2}-\\d{2}|\\S{0,20}\\d{2}:\\d{2}:\\d{2}\\S{0,20}");

  private GpuTableLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of("| * | *:*:*.# *|*|", "nvidia-smi", GpuTableLines::gpu),
          Shape.of("+---------*", "nvidia-smi", GpuTableLines::rule),
          Shape.of("Processes: *|", "nvidia-smi", line -> row(line, Part.LISTED, 0, "")),
          Shape.of("Overall Health *| *", "dcgmi health", GpuTableLines::health),
          Shape.of("GPU *|*|", "dcgmi health", GpuTableLines::kind),
          Shape.of("Switch *|*|", "dcgmi health", GpuTableLines::kind),
          Shape.of("NvSwitch *|*|", "dcgmi health", GpuTableLines::kind),
          Shape.of("CPU *|*|", "dcgmi health", GpuTableLines::kind),
          Shape.of("ConnectX *|*|", "dcgmi health", GpuTableLines::kind),
          Shape.of("-> # *| *", "dcgmi health", GpuTableLines::entity),
          Shape.of("-> *| Failure *", "dcgmi health", GpuTableLines::system));

  private static boolean row(TextLine line, Part part, int number, String words) {
    var where = TIMES.matcher(line.beforeTable()).replaceAll("");
    return line.emit(new Tabled(where, part, number, words));
  }

  private static boolean gpu(TextLine line) {
    var gpu = GPU.matcher(line.ahead());
    return gpu.matches()
        && row(
            line, Part.GPU, Integer.parseInt(gpu.group(1)), gpu.group(2).toLowerCase(Locale.ROOT));
  }

  private static boolean rule(TextLine line) {
    return RULE.matcher(line.ahead()).matches() && row(line, Part.RULE, 0, "");
  }

  private static boolean health(TextLine line) {
    var health = HEALTH.matcher(line.ahead());
    return health.matches() && row(line, Part.HEALTH, 0, health.group(1));
  }

  private static boolean kind(TextLine line) {
    var kind = KIND.matcher(line.ahead());
    return kind.matches() && row(line, Part.KIND, 0, kind.group(1));
  }

  private static boolean entity(TextLine line) {
    var entity = ENTITY.matcher(line.ahead());
    return entity.matches()
        && row(line, Part.ENTITY, Integer.parseInt(entity.group(1)), entity.group(2));
  }

  private static boolean system(TextLine line) {
    var system = SYSTEM.matcher(line.ahead());
    return system.matches() && row(line, Part.SYSTEM, 0, system.group(1));
  }
}
