package io.ringside.lab.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The short round of [Chaos] that each build plays: one instance is killed and another starts in
/// its place with nothing, and the broker dies and comes back. Nothing is asked of how long a
/// takeover lasts, since a busy machine decides that. [StaticMembersIT] stops instances in order.
///
/// `-Dringside.chaos.seed=7` draws other jobs, victims and orders.
@Timeout(1_200)
class ChaosIT {
  private static final long SEED = Long.getLong("ringside.chaos.seed", 5);

  @TempDir private Path folder;

  @Test
  void changesNoResult() throws Exception {
    new Chaos(
            folder,
            List.of(Disaster.KILLED, Disaster.DISK_FULL),
            4,
            true,
            Duration.ofSeconds(8),
            Duration.ofMinutes(20),
            0,
            0,
            false,
            "")
        .play(SEED);
  }
}
