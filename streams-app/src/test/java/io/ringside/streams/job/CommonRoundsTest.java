package io.ringside.streams.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.streams.fact.Arrivals;
import io.ringside.streams.fact.Arrivals.Numbered;
import io.ringside.streams.fact.TimeBasis;
import io.ringside.streams.job.CommonRounds.Verdict;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommonRoundsTest {
  private static final int RANKS = 4;
  private static final int CALLS = 3;
  private static final long MILLI = 1_000_000;
  private static final long STEP = 500 * MILLI;

  @ParameterizedTest
  @CsvSource({"0, ALIGNED", "100, ALIGNED", "400, ALIGNED", "500, APART", "1000, APART"})
  void areThoseOfOneStep(long lateMillis, Verdict verdict) {
    var rounds = new CommonRounds(60);
    for (int rank = 0; rank < RANKS; rank++) {
      rounds.add(calls(0, 60, rank == 0 ? lateMillis * MILLI : 0), 0);
      rounds.rankDone();
    }

    assertThat(rounds.verdict()).isEqualTo(verdict);
  }

  /// One rank's numbers are ahead by so many calls, of three a step.
  @ParameterizedTest
  @CsvSource({"1", "2", "3", "6", "-3"})
  void areApartWhereNumbersAreOfOtherCalls(int ahead) {
    var rounds = new CommonRounds(60);
    for (int rank = 0; rank < RANKS; rank++) {
      var calls = calls(rank == 0 ? 10 + ahead : 10, 60, 0);
      rounds.add(
          new Arrivals(
              0,
              "",
              -1,
              TimeBasis.NCCL,
              0,
              calls.nanos(),
              calls.signatures(),
              List.of(),
              0,
              0,
              Numbered.BY_COUNT),
          0);
      rounds.rankDone();
    }

    assertThat(rounds.verdict()).isEqualTo(Verdict.APART);
  }

  @Test
  void needMoreOfStepsThatAreLong() {
    var rounds = new CommonRounds(60);
    for (int rank = 0; rank < RANKS; rank++) {
      rounds.add(
          new Arrivals(
              0,
              "",
              -1,
              TimeBasis.NCCL,
              0,
              LongStream.range(0, 60).map(i -> i * MILLI).toArray(),
              IntStream.range(0, 60).toArray(),
              List.of(),
              0,
              0,
              Numbered.BY_COUNT),
          0);
      rounds.rankDone();
    }

    assertThat(rounds.verdict()).isEqualTo(Verdict.TOO_FEW);
  }

  @Test
  void areApartWhereARankLacksOne() {
    var rounds = new CommonRounds(60);
    rounds.add(calls(0, 60, 0), 0);
    rounds.rankDone();
    rounds.add(calls(0, 59, 0), 0);
    rounds.rankDone();

    assertThat(rounds.verdict()).isEqualTo(Verdict.APART);
  }

  private static Arrivals calls(int from, int many, long later) {
    return new Arrivals(
        0,
        "",
        -1,
        TimeBasis.NCCL,
        from,
        LongStream.range(from, from + many)
            .map(call -> call / CALLS * STEP + call % CALLS * MILLI + later)
            .toArray(),
        IntStream.range(from, from + many).map(call -> call % CALLS).toArray(),
        List.of(),
        0,
        0,
        Numbered.BY_COUNT);
  }
}
