package io.ringside.lab.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Round after round of [Chaos] for as long as one likes, each with the next seed: `lab/chaos.sh`
/// plays it, with networks that the kernel keeps apart and a small disk.
///
/// How long takeovers last: `-Dringside.chaos.disasters=KILLED,KILLED,STOPPED
/// -Dringside.chaos.takeover=15`.
@Timeout(7_200)
class ChaosRun {
  private static final long SEED = Long.getLong("ringside.chaos.seed", 1);
  private static final Duration LONG =
      Duration.ofMinutes(Integer.getInteger("ringside.chaos.minutes", 0));
  private static final int JOBS = Integer.getInteger("ringside.chaos.jobs", 4);
  private static final int AWAY = Integer.getInteger("ringside.chaos.away", 8);
  private static final int TAKEOVER = Integer.getInteger("ringside.chaos.takeover", 300);
  private static final int MARKERS = Integer.getInteger("ringside.chaos.markers", 20);

  /// 2 is promised, a busy machine gets more.
  private static final double SLOWER = Integer.getInteger("ringside.chaos.slower", 4);

  private static final boolean NETWORKS = Boolean.getBoolean("ringside.chaos.networks");
  private static final String DISK = System.getProperty("ringside.chaos.disk", "");

  @TempDir private Path folder;

  @Test
  void changesNoResult() throws Exception {
    var chaos =
        new Chaos(
            folder,
            disasters(),
            JOBS,
            false,
            Duration.ofSeconds(AWAY),
            Duration.ofSeconds(TAKEOVER),
            MARKERS,
            SLOWER,
            NETWORKS,
            DISK);
    long until = System.nanoTime() + LONG.toNanos();
    long seed = SEED;
    do {
      chaos.play(seed++);
    } while (System.nanoTime() < until);
  }

  /// Which of them, all by default.
  private static List<Disaster> disasters() {
    var named = System.getProperty("ringside.chaos.disasters", "");
    return named.isEmpty()
        ? List.of(Disaster.values())
        : Arrays.stream(named.split(",")).map(Disaster::valueOf).toList();
  }
}
