package io.ringside.benchmarks.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;

/// From exec to the first line that a consumer sees, a file being there already.
record FirstAck(Rig rig) {
  void measure(int starts) throws IOException, InterruptedException {
    var millis = new ArrayList<Double>();
    var cpu = new ArrayList<Double>();
    for (int i = 0; i < starts; i++) {
      Path log = rig.scratch().resolve("first-%d.log".formatted(i));
      Files.writeString(log, "the first line\n");
      try (var arrivals = new Arrivals(rig.broker().bootstrapServers())) {
        long start = System.nanoTime();
        Process agent = rig.agent(Rig.ALL_CORES, log);
        try {
          arrivals.await(log, Files.size(log));
          millis.add((System.nanoTime() - start) / 1e6);
          cpu.add(new ProcessUsage(agent.pid()).cpuSeconds() * 1e3);
        } finally {
          Rig.stop(agent);
        }
      }
    }
    System.out.printf(
        "first acknowledged line after exec: %.0f ms (%.0f to %.0f, %d starts), after %.0f ms of processor time%n",
        Backlog.median(millis),
        millis.stream().mapToDouble(m -> m).min().orElse(0),
        millis.stream().mapToDouble(m -> m).max().orElse(0),
        starts,
        Backlog.median(cpu));
  }
}
