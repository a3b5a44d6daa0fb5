package io.ringside.benchmarks.agent;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/// Numbered lines at a steady pace, rotated each minute as a kubelet does it (renamed, five old
/// files kept): memory and descriptors each minute, and in the end the number of every line.
final class Soak {
  private static final int KEPT = 5;
  private static final Duration SLICE = Duration.ofMillis(50);

  private final Rig rig;
  private int next;

  Soak(Rig rig) {
    this.rig = rig;
  }

  /// @return whether nothing was lost
  boolean measure(int linesPerSecond, Duration time, Duration rotation)
      throws IOException, InterruptedException {
    Path folder = Files.createDirectories(rig.scratch().resolve("soak"));
    Path log = folder.resolve("0.log");
    Files.createFile(log);
    Process agent = rig.agent(Rig.ALL_CORES, folder.resolve("*.log"));
    var kernel = new ProcessUsage(agent.pid());
    Deque<Path> old = new ArrayDeque<>();
    try (var audit = new NumberAudit(rig.broker().bootstrapServers())) {
      System.out.println("minutes\tlines\tRSS MiB\tfiles\tCPU s\tlost so far");
      long start = System.nanoTime();
      long rotated = start;
      long reported = start;
      OutputStream out = append(log);
      while (System.nanoTime() - start < time.toNanos()) {
        long now = System.nanoTime();
        write(out, (int) ((now - start) / 1e9 * linesPerSecond) - next);
        audit.poll();
        if (now - rotated >= rotation.toNanos()) {
          rotated = now;
          out.close();
          Path aside =
              folder.resolve(
                  "0.log.%tY%<tm%<td-%<tH%<tM%<tS".formatted(java.util.Calendar.getInstance()));
          Files.move(log, aside);
          old.addLast(aside);
          if (old.size() > KEPT) {
            Files.deleteIfExists(old.removeFirst());
          }
          out = append(log);
        }
        if (now - reported >= Duration.ofMinutes(1).toNanos()) {
          reported = now;
          row(start, kernel, audit);
        }
        Thread.sleep(SLICE);
      }
      out.close();
      audit.readUntil(next, Duration.ofSeconds(60));
      row(start, kernel, audit);
      System.out.printf(
          "written %d, lost %d, repeated %d, peak RSS %.0f MiB%n",
          next, next - audit.distinct(), audit.repeated(), kernel.peakMiB());
      return audit.distinct() == next;
    } finally {
      Rig.stop(agent);
    }
  }

  private void row(long start, ProcessUsage kernel, NumberAudit audit) {
    System.out.printf(
        "%.1f\t%d\t%.0f\t%d\t%.1f\t%d%n",
        (System.nanoTime() - start) / 60e9,
        next,
        kernel.residentMiB(),
        kernel.openFiles(),
        kernel.cpuSeconds(),
        audit.missingBelowHighest());
  }

  private void write(OutputStream out, int lines) throws IOException {
    var text = new StringBuilder();
    for (int i = 0; i < lines; i++) {
      text.append("llama-node-0-0:2676:2676 [0] NCCL INFO AllReduce: opCount 3f #")
          .append(next++)
          .append(" sendbuff 0x7f recvbuff 0x7f count 4096\n");
    }
    out.write(text.toString().getBytes(StandardCharsets.US_ASCII));
  }

  private static OutputStream append(Path log) throws IOException {
    return Files.newOutputStream(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
