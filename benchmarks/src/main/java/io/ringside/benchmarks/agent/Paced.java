package io.ringside.benchmarks.agent;

import io.ringside.benchmarks.parse.Corpus;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// A file that grows at a given pace while the agent follows it: what following costs, and what
/// lies in memory.
record Paced(Rig rig) {
  private static final int CORPUS = 200_000;
  private static final long SLICE_NANOS = Duration.ofMillis(20).toNanos();

  /// @param bytesPerSecond the pace
  /// @param warm not measured
  /// @param measured measured
  void measure(String what, double bytesPerSecond, Duration warm, Duration measured)
      throws IOException, InterruptedException {
    Path corpus = rig.scratch().resolve("corpus.log");
    Corpus.write(corpus, CORPUS);
    byte[] lines = Files.readAllBytes(corpus);
    Path log = rig.scratch().resolve("paced.log");
    Files.createFile(log);
    Process agent = rig.agent(Rig.ONE_CORE, log);
    try (var arrivals = new Arrivals(rig.broker().bootstrapServers());
        OutputStream out = Files.newOutputStream(log)) {
      var kernel = new ProcessUsage(agent.pid());
      long written = write(out, lines, 0, bytesPerSecond, warm);
      double before = kernel.cpuSeconds();
      long start = System.nanoTime();
      written = write(out, lines, written, bytesPerSecond, measured);
      double share = (kernel.cpuSeconds() - before) / ((System.nanoTime() - start) / 1e9);
      double resident = kernel.residentMiB();
      out.write('\n');
      arrivals.await(log, written + 1);
      System.out.printf(
          "%s: %.2f %% of a core over %d s after %d s; RSS %.0f MiB, peak %.0f MiB%n",
          what, 100 * share, measured.toSeconds(), warm.toSeconds(), resident, kernel.peakMiB());
    } finally {
      Rig.stop(agent);
    }
  }

  /// Whole lines only, so that a slow pace gives lines as well.
  private static long write(
      OutputStream out, byte[] lines, long from, double bytesPerSecond, Duration time)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    long written = 0;
    while (System.nanoTime() - start < time.toNanos()) {
      long due = (long) ((System.nanoTime() - start) / 1e9 * bytesPerSecond);
      while (written < due) {
        int at = (int) ((from + written) % lines.length);
        int end = at;
        while (end < lines.length && (end - at < due - written || lines[end - 1] != '\n')) {
          end++;
        }
        out.write(lines, at, end - at);
        written += end - at;
      }
      Thread.sleep(Duration.ofNanos(SLICE_NANOS));
    }
    return from + written;
  }
}
