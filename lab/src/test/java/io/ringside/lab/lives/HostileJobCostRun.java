package io.ringside.lab.lives;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.lab.fleet.HostileJob;
import io.ringside.schemas.topic.Topics;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a hostile job of 500 lines a second costs the partition that it is on, in processor time of
/// this thread: of each second of its own, 75 % were taken by judging the starts that it claims in
/// every line, before they had a share. A timing, so `lab/hostile.sh` runs it and no build.
class HostileJobCostRun {
  private static final Instant T0 = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration EACH = Duration.ofMillis(500);

  /// What is compiled meanwhile is not counted.
  private static final int FIRST = 100;

  private static final int CHUNKS = 1_100;

  /// Of a thread.
  private static final double MOST = Integer.getInteger("ringside.hostile.percent", 5) / 100.0;

  @TempDir private Path folder;

  @Test
  void isASmallShareOfAThreadHoweverLongItGoesOn() {
    var instance = new Instance(folder, T0);
    var machine = new Machine("n1");
    var job = new HostileJob(7, "poison-0");
    var cpu = ManagementFactory.getThreadMXBean();
    var now = T0;
    long took = 0;
    long findings = 0;
    long runs = 0;
    for (int i = 0; i < FIRST + CHUNKS; i++) {
      var chunk = job.chunk(now);
      long began = cpu.getCurrentThreadCpuTime();
      instance.pipe(Topics.LOGS, machine.name(), chunk, now);
      now = now.plus(EACH);
      instance.pass(EACH);
      took += i < FIRST ? 0 : cpu.getCurrentThreadCpuTime() - began;
      findings += instance.findings().size();
      runs += instance.runs().size();
    }
    double share = took / (double) (CHUNKS * EACH.toNanos());
    instance.stop();

    System.err.printf(
        "a hostile job takes %.1f %% of a thread, and publishes %d findings and %d lines of the ledger in %d s%n",
        100 * share, findings, runs, (FIRST + CHUNKS) * EACH.toMillis() / 1000);
    assertThat(share).isLessThan(MOST);
  }
}
