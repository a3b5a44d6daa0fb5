package io.ringside.lab.lives;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Some lives that nobody wrote. A thousand of them: `./mvnw test -Dquick -pl lab -am
/// -Dtest=RandomLivesTest -Dlives=1000 -Dsurefire.timeout=7200
/// -Dsurefire.failIfNoSpecifiedTests=false`.
class RandomLivesTest {
  /// The first life's.
  private static final long SEED = Long.getLong("seed", 18_000);

  private static final int LIVES = Integer.getInteger("lives", 4);

  @TempDir private Path stateDir;

  @Test
  void areShownAsTheyAre() throws IOException {
    var wrong = new TreeMap<Long, List<String>>();
    for (long seed = SEED; seed < SEED + LIVES; seed++) {
      var life = play(seed);
      if (!life.isEmpty()) {
        wrong.put(seed, life);
        System.err.println(seed + ": " + life);
      }
      if ((seed - SEED + 1) % 50 == 0) {
        System.err.printf("%d played, %d wrong%n", seed - SEED + 1, wrong.size());
      }
    }
    System.err.printf("%d lives from seed %d: %d right%n", LIVES, SEED, LIVES - wrong.size());
    assertThat(wrong).isEmpty();
  }

  private List<String> play(long seed) throws IOException {
    var cluster = new Cluster(Files.createDirectory(stateDir.resolve("life-" + seed)));
    try {
      return new RandomLife(cluster, seed).play();
    } finally {
      cluster.stop();
    }
  }
}
