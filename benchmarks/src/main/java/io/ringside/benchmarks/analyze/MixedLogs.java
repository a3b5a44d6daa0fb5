package io.ringside.benchmarks.analyze;

import io.ringside.lab.simulate.JobDraw;
import io.ringside.lab.simulate.JobGenerator;
import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.NodeReport;
import io.ringside.schemas.event.NodeTopology;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// Writes logs as a fleet leaves them: drawn jobs of 2 to 16 ranks, with calls, edges, inits and
/// steps; what applications print for themselves, 55 % of the bytes; and nvidia-smi's recordings.
/// The same size gives the same files. Prints `NODE=PATH` of each node, as `analyze` takes them.
public final class MixedLogs implements AutoCloseable {
  private static final double APPLICATION = 0.55;
  private static final Instant BEGIN = Instant.parse("2026-11-21T00:00:00Z");
  private static final int JOBS = 50;
  private static final int BYTES_A_CALL = 450;
  private static final DateTimeFormatter SMI =
      DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path folder;
  private final Map<Path, BufferedWriter> files = new TreeMap<>();
  private final Map<String, Path> nodes = new TreeMap<>();
  private final SplittableRandom random = new SplittableRandom(24);
  private final ApplicationLines application = new ApplicationLines(21);
  private long ofApplication;
  private long logged;
  private long sampled;

  private MixedLogs(Path folder) {
    this.folder = folder;
  }

  /// @param args folder, bytes about
  public static void main(String[] args) throws IOException {
    long goal = Long.parseLong(args[1]);
    int calls = Math.clamp(goal / JOBS / BYTES_A_CALL, 300, 40_000);
    try (var logs = new MixedLogs(Path.of(args[0]))) {
      for (int number = 0; logs.logged + logs.sampled < goal; number++) {
        logs.job(number, calls);
      }
      logs.nodes.forEach((node, path) -> System.out.println(node + "=" + path));
      System.err.printf(
          "%,d bytes of logs, %.0f %% of them of applications; %,d bytes of nvidia-smi%n",
          logs.logged, 100.0 * logs.ofApplication / logs.logged, logs.sampled);
    }
  }

  private void job(int number, int calls) throws IOException {
    var job =
        JobGenerator.generate(
            JobDraw.draw(24, number, 16, calls),
            BEGIN.plus(Duration.ofHours(number)),
            Duration.ofSeconds(1));
    for (var sent : job.records()) {
      switch (sent.event()) {
        case LogChunk chunk when chunk.lines() > 0 -> chunk(number, chunk);
        case GpuSample sample -> sample(number, sample);
        case LogChunk _, NodeTopology _, NodeReport _ -> {} // in no file
      }
    }
    close();
  }

  private void chunk(int number, LogChunk chunk) throws IOException {
    var source = chunk.source();
    if (source.file().isEmpty() || chunk.source().speaksOfNode()) {
      return;
    }
    var out =
        file(
            node(number, source.node())
                .resolve("j%d_%s_uid".formatted(number, source.pod()))
                .resolve("trainer")
                .resolve("0.log"));
    var lines = chunk.text().toString().split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      long at = chunk.timeNanos(i);
      var stamp = at == LogChunk.NO_TIME ? "" : Nanos.instant(at) + " stdout F ";
      logged += write(out, stamp + lines[i]);
      while (lines[i].contains(" NCCL ") && ofApplication < APPLICATION * logged) {
        for (int burst = random.nextInt(1, 12); burst > 0; burst--) {
          int bytes = write(out, stamp + application.next());
          ofApplication += bytes;
          logged += bytes;
        }
      }
    }
  }

  private void sample(int number, GpuSample sample) throws IOException {
    var path = node(number, sample.node()).resolve("nvidia-smi.csv");
    boolean begun = files.containsKey(path);
    var out = file(path);
    if (!begun) {
      sampled +=
          write(
              out,
              "timestamp, index, pci.bus_id, utilization.gpu [%], memory.used [MiB], memory.total [MiB], "
                  + "power.draw [W], power.limit [W], temperature.gpu, clocks.current.sm [MHz], "
                  + "clocks.max.sm [MHz], clocks_event_reasons.active");
    }
    for (var gpu : sample.gpus()) {
      sampled += write(out, SMI.format(sample.at()) + ", " + row(gpu));
    }
  }

  private static String row(GpuReading gpu) {
    return "%d, %s, %.0f %%, %.0f MiB, %.0f MiB, %.2f W, %.2f W, %.0f, %.0f MHz, %.0f MHz, 0x%016x"
        .formatted(
            gpu.index(),
            gpu.busId(),
            gpu.utilizationPercent(),
            gpu.memoryUsedMiB(),
            gpu.memoryTotalMiB(),
            gpu.powerWatts(),
            gpu.powerLimitWatts(),
            gpu.temperatureCelsius(),
            gpu.smClockMHz(),
            gpu.smClockMaxMHz(),
            gpu.throttleReasons());
  }

  private Path node(int number, String node) {
    return nodes.computeIfAbsent("job-%d-%s".formatted(number, node), name -> folder.resolve(name));
  }

  private BufferedWriter file(Path path) throws IOException {
    var known = files.get(path);
    if (known == null) {
      Files.createDirectories(path.getParent());
      known = Files.newBufferedWriter(path);
      files.put(path, known);
    }
    return known;
  }

  private static int write(BufferedWriter out, String line) throws IOException {
    out.write(line);
    out.write('\n');
    return line.length() + 1;
  }

  /// Ends the files of a job.
  @Override
  public void close() {
    for (var file : files.values()) {
      try {
        file.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    files.clear();
  }
}
