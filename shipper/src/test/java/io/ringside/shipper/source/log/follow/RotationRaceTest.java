package io.ringside.shipper.source.log.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A log is rotated at any moment of an agent's looks at its folder: between two of them, during
/// one, once or twice within one tick of the file system's clock.
class RotationRaceTest {
  private static final int ROUNDS = Integer.getInteger("ringside.race.rounds", 150);

  /// Longer than a first look takes.
  private static final int LOOK_NANOS = 400_000;

  @ParameterizedTest
  @CsvSource({"true,1", "true,2", "false,1", "false,2"})
  void losesNothing(boolean whileTheAgentStarts, int rotations, @TempDir Path folder)
      throws Exception {
    var random = new SplittableRandom(23);
    try (var rotating = Executors.newSingleThreadExecutor()) {
      for (int round = 0; round < ROUNDS; round++) {
        var rig = new TailRig(folder.resolve("" + round), "*.log").write("a.log", "read\n");
        rig.second().second().write("a.log", "unread\n");
        long start = System.nanoTime() + 50_000;
        long rotation = start + random.nextInt(LOOK_NANOS);
        var rotated = rotating.submit(() -> rotate(rig, rotations, rotation));
        await(start);
        if (whileTheAgentStarts) {
          rig.killAndStart();
        }
        rig.second();
        rotated.get();
        rig.second().second().second();
        var expected = new ArrayList<>(List.of("read", "unread"));
        IntStream.rangeClosed(1, rotations).forEach(i -> expected.addAll(lines(i)));
        assertThat(rig.distinctText()).as("round %d", round).isEqualTo(expected);
      }
    }
  }

  private static TailRig rotate(TailRig rig, int times, long at) throws IOException {
    await(at);
    for (int i = 1; i <= times; i++) {
      String old = "a.log." + i;
      rig.rename("a.log", old);
      rig.write(old, lines(i).getFirst() + "\n").write("a.log", lines(i).getLast() + "\n");
    }
    return rig;
  }

  /// The last line of the file before, and the first of the next one.
  private static List<String> lines(int rotation) {
    return List.of("last before " + rotation, "first after " + rotation);
  }

  private static void await(long nanoTime) {
    while (System.nanoTime() < nanoTime) {
      Thread.onSpinWait();
    }
  }
}
