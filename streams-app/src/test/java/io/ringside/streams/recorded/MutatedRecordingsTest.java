package io.ringside.streams.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/// Whatever happens to the lines of a recording, its jobs are judged, and by every detector.
/// `-Dmutations.rounds` changes each recording so many times, from seed `-Dmutations.seed` on.
class MutatedRecordingsTest {
  private static final int ROUNDS = Integer.getInteger("mutations.rounds", 3);
  private static final long SEED = Long.getLong("mutations.seed", 20261122L);

  /// One field is said otherwise in all files.
  private static final int EVERYWHERE = 0;

  private static final int[] ONE_OF = {EVERYWHERE, 100, EVERYWHERE, 7, EVERYWHERE, 2_000};
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  @Test
  void judgesEveryMutationOfEveryRecording() throws IOException {
    var failed = new TreeMap<String, String>();
    for (var folder : recordings()) {
      var recorded = Recorded.in(folder);
      for (int round = 0; round < ROUNDS; round++) {
        long seed = SEED + round;
        var random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        int oneOf = ONE_OF[round % ONE_OF.length];
        try {
          judged(recorded, random, oneOf)
              .forEach(what -> failed.put(folder.getFileName() + " " + seed + " " + what, ""));
        } catch (RuntimeException e) {
          failed.put(folder.getFileName() + " " + seed, e + " at " + e.getStackTrace()[0]);
        }
      }
    }
    assertThat(failed).isEmpty();
  }

  private static List<String> judged(Recorded recorded, RandomGenerator random, int oneOf) {
    var mutation = new Mutation(random, oneOf);
    var records = new ArrayList<AgentEvent>(recorded.samples());
    if (oneOf == EVERYWHERE) {
      mutation.everywhere(recorded.logs()).forEach(records::addAll);
    } else {
      recorded.logs().forEach(file -> records.addAll(mutation.of(file)));
    }
    var errors = new ArrayList<String>();
    var judge =
        new Judge(
            Expectations::builtIn,
            (what, _, e) -> errors.add(what + ": " + e + " at " + e.getStackTrace()[0]));
    new Replay().addAll(records).jobs().values().forEach(job -> judge.judge(job, NOW));
    return errors;
  }

  private static List<Path> recordings() throws IOException {
    try (var folders = Files.list(Path.of("../examples/recordings"))) {
      return folders.filter(Files::isDirectory).sorted().toList();
    }
  }
}
