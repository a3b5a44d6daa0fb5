package io.ringside.streams.witness.ras;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.streams.parse.ras.RasAnswer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DigestTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void changesNoVerdict(long seed) {
    var random = new SplittableRandom(seed);
    var answers = new ArrayList<RasAnswer>();
    int ranks = 2 + random.nextInt(64);
    for (int i = 0; i < 12; i++) {
      answers.add(answer(i, ranks, random));
    }

    assertThat(RasVerdicts.of(answers.stream().map(Digest::of).toList()))
        .isEqualTo(RasVerdicts.of(answers));
  }

  @Test
  void isAsShortForTenThousandRanksAsForEight() {
    var counts = new ArrayList<RasAnswer.Count>();
    var pids = new HashMap<Integer, Integer>();
    for (int rank = 0; rank < 10_000; rank++) {
      pids.put(rank, 100 + rank);
      counts.add(new RasAnswer.Count("AllReduce", rank, 1, rank == 77 ? 41 : 42));
    }
    var answer =
        new RasAnswer(1, List.of(new RasAnswer.Comm("0x1", 10_000, counts, List.of(), pids)), "");

    var digest = Digest.of(answer).comms().getFirst();
    assertThat(digest.pids()).containsExactly(Map.entry(77, 177));
    assertThat(digest.counts())
        .containsExactly(
            new RasAnswer.Count("AllReduce", -1, 9_999, 42),
            new RasAnswer.Count("AllReduce", 77, 1, 41));
  }

  private static RasAnswer answer(int number, int ranks, SplittableRandom random) {
    var counts = new ArrayList<RasAnswer.Count>();
    for (var op : List.of("AllReduce", "AllGather")) {
      long most = number < 8 ? 10L * number : 80;
      for (int rank = 0; rank < ranks; rank++) {
        long off = random.nextInt(20) == 0 ? random.nextInt(3) - 1 : 0;
        counts.add(new RasAnswer.Count(op, rank, 1, Math.max(0, most + off)));
      }
    }
    var missing = random.nextInt(4) == 0 ? List.of(random.nextInt(ranks)) : List.<Integer>of();
    return new RasAnswer(
        1_000_000_000L * (1 + number),
        List.of(new RasAnswer.Comm("0xaa00bdab65740a8d", ranks, counts, missing, Map.of())),
        "");
  }
}
