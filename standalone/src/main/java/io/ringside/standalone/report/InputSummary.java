package io.ringside.standalone.report;

import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunSummary;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The input that was read, and what was left out.
///
/// @param lines total of all logs
/// @param unparsed NCCL lines that no pattern knows, null if not counted
public record InputSummary(
    List<File> files, long lines, @Nullable Unparsed unparsed, List<Skipped> skipped) {

  private static final int SHORT_ROOT = 16;

  public InputSummary {
    files = List.copyOf(files);
    skipped = List.copyOf(skipped);
  }

  /// Size of all files on disk, in bytes.
  public long bytes() {
    return files.stream().mapToLong(File::bytes).sum();
  }

  /// The deepest folder that contains all files, ending with a slash; empty if it would shorten
  /// paths only a little.
  String root() {
    String common = files.isEmpty() ? "" : files.getFirst().path();
    for (File file : files) {
      common = commonStart(common, file.path());
    }
    var folder = common.substring(0, common.lastIndexOf('/') + 1);
    return folder.length() < SHORT_ROOT ? "" : folder;
  }

  private static String commonStart(String a, String b) {
    int end = 0;
    while (end < Math.min(a.length(), b.length()) && a.charAt(end) == b.charAt(end)) {
      end++;
    }
    return a.substring(0, end);
  }

  /// One file that was read.
  ///
  /// @param kind `log`, `nvidia-smi` or `topology`
  /// @param lines lines of a log, samples of a recording, GPUs of a topology
  /// @param pod and job: empty if the file is not a log
  public record File(
      String path, String kind, long lines, long bytes, String node, String pod, String job) {}

  /// The same summary with the lines that no parser knew, as the service counted them per job.
  public InputSummary reading(List<RunSummary> runs) {
    Map<JobKey, RunSummary.Reading> byJob = new TreeMap<>();
    runs.forEach(run -> byJob.put(JobKey.of(run), run.reading()));
    Map<String, Long> counts = new TreeMap<>();
    for (var reading : byJob.values()) {
      reading.unknown().forEach((shape, count) -> counts.merge(shape, (long) count, Long::sum));
    }
    var shapes =
        counts.entrySet().stream()
            .map(entry -> new Shape(entry.getKey(), entry.getValue()))
            .sorted(Comparator.comparingLong(Shape::lines).reversed())
            .toList();
    long all = shapes.stream().mapToLong(Shape::lines).sum();
    return new InputSummary(files, lines, new Unparsed(all, shapes), skipped);
  }

  /// NCCL lines that no pattern knows.
  public record Unparsed(long lines, List<Shape> shapes) {
    public Unparsed {
      shapes = List.copyOf(shapes);
    }
  }

  /// Unknown lines of one form, with numbers and names removed.
  public record Shape(String shape, long lines) {}

  /// A file that was left out, and why.
  public record Skipped(String path, String reason) {}
}
