package io.ringside.lab.evaluate;

import io.ringside.lab.simulate.GeneratedJob;
import io.ringside.lab.simulate.JobDraw;
import io.ringside.lab.simulate.JobGenerator;
import io.ringside.lab.simulate.JobKind;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.serde.EventJson;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Generated jobs as files, for programs that read logs and nothing else: a folder a job, in it one
/// a node with its files, and beside them `truth.jsonl`. Jobs whose fault does not show in logs
/// alone are left out.
final class WrittenJobs {
  private static final Duration CHUNK = Duration.ofMillis(500);

  /// What agents sample and report, and no log says.
  private static final Set<FindingKind> SENSED =
      EnumSet.of(
          FindingKind.GPU_THROTTLED,
          FindingKind.GPU_ERROR,
          FindingKind.SENSOR_STALLED,
          FindingKind.TELEMETRY_GAP,
          FindingKind.NETWORK_ERRORS);

  private final Path folder;

  WrittenJobs(Path folder) {
    this.folder = folder;
  }

  /// One line of `truth.jsonl`.
  ///
  /// @param folder below the file's own
  /// @param tolerated kinds that may be found beside the truth
  record Line(String folder, List<Fault> truth, List<String> tolerated, String words) {}

  /// @param severity at least
  /// @param hard what makes it hard to find, empty if nothing does
  record Fault(String kind, String severity, List<Integer> ranks, String hard) {}

  /// Jobs of these numbers, as [Evaluation#generated(int)] draws them.
  ///
  /// @return how many were written
  int write(long seed, @Nullable JobKind kind, List<Integer> numbers, int maxRanks, int lines)
      throws IOException {
    int written = 0;
    Files.createDirectories(folder);
    try (var truth = Files.newBufferedWriter(folder.resolve("truth.jsonl"))) {
      for (int number : numbers) {
        var plan =
            kind == null
                ? JobDraw.draw(seed, number, maxRanks, lines)
                : JobDraw.draw(kind, seed, number, maxRanks, lines);
        var job = JobGenerator.generate(plan, Evaluation.BEGIN, CHUNK);
        if (job.truth().expected().stream().anyMatch(fault -> SENSED.contains(fault.kind()))) {
          continue;
        }
        var name = String.format(Locale.ROOT, "job-%04d", number);
        for (var sent : job.records()) {
          if (sent.event() instanceof LogChunk chunk) {
            append(folder.resolve(name), chunk);
          }
        }
        truth.write(EventJson.MAPPER.writeValueAsString(line(name, job)));
        truth.newLine();
        written++;
      }
    }
    return written;
  }

  private static Line line(String name, GeneratedJob job) {
    var faults = new ArrayList<Fault>();
    for (var expected : job.truth().expected()) {
      faults.add(
          new Fault(
              expected.kind().label(),
              expected.atLeast().label(),
              expected.ranks().stream().sorted().toList(),
              expected.hard()));
    }
    var tolerated = job.truth().tolerated().stream().map(FindingKind::label).sorted().toList();
    return new Line(name, faults, tolerated, job.plan().words());
  }

  /// With the container runtime's prefix where it stamped the lines.
  private static void append(Path job, LogChunk chunk) throws IOException {
    var source = chunk.source();
    var file = job.resolve(source.node()).resolve(source.file().replaceFirst("^/+", ""));
    Files.createDirectories(file.getParent());
    var lines = chunk.text().toString().split("\n", -1);
    try (BufferedWriter out =
        Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (int i = 0; i < chunk.lines(); i++) {
        if (chunk.nanos().length != 0) {
          out.write(Nanos.instant(chunk.timeNanos(i)) + " stdout F ");
        }
        out.write(lines[i]);
        out.newLine();
      }
    }
  }
}
