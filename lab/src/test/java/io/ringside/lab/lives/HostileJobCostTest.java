package io.ringside.lab.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.lab.fleet.HostileJob;
import io.ringside.schemas.topic.Topics;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a hostile job costs the partition that it is on, in processor time of this thread.
class HostileJobCostTest {
  private static final Instant T0 = Instant.parse("2026-11-21T12:00:00Z");
  private static final int CHUNKS = Integer.getInteger("ringside.hostile.chunks", 120);

  @TempDir private Path folder;

  @Test
  void staysSmallHoweverLongItGoesOn() {
    var instance = new Instance(folder, T0);
    var machine = new Machine("n1");
    var job = new HostileJob(7, "poison-0");
    var millis = new ArrayList<Double>();
    var now = T0;
    var cpu = ManagementFactory.getThreadMXBean();
    for (int i = 0; i < CHUNKS; i++) {
      long began = cpu.getCurrentThreadCpuTime();
      instance.pipe(Topics.LOGS, machine, job.chunk(now), now);
      long piped = cpu.getCurrentThreadCpuTime();
      now = now.plusMillis(500);
      instance.pass(Duration.ofMillis(500));
      millis.add((cpu.getCurrentThreadCpuTime() - began) / 1e6);
      if (i % 10 == 9) {
        System.err.printf("chunk %d: pipe %.0f ms, pass %.0f ms%n", i, (piped - began) / 1e6, (cpu.getCurrentThreadCpuTime() - piped) / 1e6);
      }
    }
    instance.stop();
    assertThat(millis).isNotEmpty();
  }
}
