package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.fact.Arrivals;
import io.ringside.streams.fact.TimeBasis;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A clock that is set makes a rank seem late from then on, as a straggler is. Only a straggler
/// makes steps longer.
class SetClocksTest {
  private static final long MILLI = 1_000_000;
  private static final long BEGIN = 1_790_000_000_000L * MILLI;
  private static final int STEP_MILLIS = 500;
  private static final int STEPS = 300;
  private static final int AT_ONCE = 10;

  /// Of the time: less than half of what makes a finding.
  private static final double LEAST_TOLD = 0.01;

  private static final Evidence LINE = new Evidence(null, "node", "pod", "file", 0, "");

  /// @param calls in a step
  /// @param onset from which step on the last rank is late, or its clock is wrong
  /// @param millis by how much
  /// @param real whether it is late
  /// @param jitterMillis how late ranks are by chance, on average
  /// @param restSeconds for how long nobody calls before that step
  /// @param apartMillis by how much its clock is ahead from the start
  private record Job(
      int ranks,
      int calls,
      int onset,
      int millis,
      boolean real,
      double jitterMillis,
      double restSeconds,
      int apartMillis) {
    Job(int ranks, int calls, int onset, int millis, boolean real) {
      this(ranks, calls, onset, millis, real, 0);
    }

    Job(int ranks, int calls, int onset, int millis, boolean real, int apartMillis) {
      this(ranks, calls, onset, millis, real, 2, 0, apartMillis);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 8})
  void accuseNobodyHoweverSoonTheyAreSet(int ranks) {
    var accused = new ArrayList<String>();
    for (int calls : new int[] {1, 3}) {
      for (int onset = 10; onset < 100; onset += 24) {
        for (int millis : new int[] {-200, -80, -44, -20, 20, 44, 65, 80, 200}) {
          var job = new Job(ranks, calls, onset, millis, false);
          for (int rank : accused(job)) {
            accused.add(rank + " of " + job);
          }
        }
      }
    }
    assertThat(accused).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 8})
  void doNotHideStragglers(int ranks) {
    for (int calls : new int[] {1, 3}) {
      for (int onset = 40; onset < 100; onset += 24) {
        for (int millis : new int[] {20, 44, 65, 80, 200}) {
          var job = new Job(ranks, calls, onset, millis, true);
          assertThat(accused(job)).as(job.toString()).containsExactly(ranks - 1);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 8})
  void accuseNobodyThoughTheyNeverAgreed(int ranks) {
    var accused = new ArrayList<String>();
    for (int onset = 12; onset < 60; onset += 8) {
      for (int apart : new int[] {-50, -24, 24, 50, 400}) {
        for (int millis : new int[] {-280, -80, 80, 280, 1_000}) {
          var job = new Job(ranks, 1, onset, millis, false, apart);
          for (int rank : accused(job)) {
            accused.add(rank + " of " + job);
          }
        }
      }
    }
    assertThat(accused).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 8})
  void doNotHideStragglersThoughTheyNeverAgreed(int ranks) {
    for (int onset = 40; onset < 100; onset += 24) {
      for (int apart : new int[] {-50, 24, 50, 400}) {
        for (int millis : new int[] {80, 280}) {
          var job = new Job(ranks, 1, onset, millis, true, apart);
          assertThat(accused(job)).as(job.toString()).containsExactly(ranks - 1);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 8})
  void accuseNobodyWhileAllRest(int ranks) {
    var accused = new ArrayList<String>();
    for (int onset = 20; onset < 100; onset += 24) {
      for (int millis : new int[] {-784, -344, -80, 42, 80, 344, 784, 1000}) {
        for (double rest : new double[] {1.5, 10, 50}) {
          var job = new Job(ranks, 1, onset, millis, false, 5, rest, 0);
          for (int rank : accused(job)) {
            accused.add(rank + " of " + job);
          }
        }
      }
    }
    assertThat(accused).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 8})
  void doNotHideStragglersAfterARest(int ranks) {
    for (int onset = 40; onset < 100; onset += 24) {
      for (int millis : new int[] {80, 200, 400}) {
        for (double rest : new double[] {1.5, 10, 50}) {
          var job = new Job(ranks, 1, onset, millis, true, 2, rest, 0);
          assertThat(accused(job)).as(job.toString()).containsExactly(ranks - 1);
        }
      }
    }
  }

  /// Who stands accused at any time.
  private static Set<Integer> accused(Job job) {
    var random = new SplittableRandom(job.hashCode());
    var rounds = new Rounds(job.ranks());
    var accused = new TreeSet<Integer>();
    double begun = 0;
    int late = job.ranks() - 1;
    for (int from = 0; from < STEPS; from += AT_ONCE) {
      var nanos = new long[job.ranks()][AT_ONCE * job.calls()];
      for (int step = from; step < from + AT_ONCE; step++) {
        double last = 0;
        begun += step == job.onset() ? 1_000 * job.restSeconds() : 0;
        for (int rank = 0; rank < job.ranks(); rank++) {
          double lateness = Math.min(50, -job.jitterMillis() * Math.log(1 - random.nextDouble()));
          boolean on = rank == late && step >= job.onset();
          if (on && job.real()) {
            lateness += job.millis();
          }
          last = Math.max(last, lateness);
          double ahead =
              (rank == late ? job.apartMillis() : 0) + (on && !job.real() ? job.millis() : 0);
          double at = begun + lateness + ahead;
          for (int call = 0; call < job.calls(); call++) {
            nanos[rank][(step - from) * job.calls() + call] =
                BEGIN + Math.round((at + call * 0.1) * MILLI);
          }
        }
        begun += STEP_MILLIS + last;
      }
      for (int rank = 0; rank < job.ranks(); rank++) {
        var signatures =
            IntStream.range(0, nanos[rank].length).map(i -> 1 + i % job.calls()).toArray();
        rounds.add(
            new Arrivals(
                7,
                "0xc",
                rank,
                TimeBasis.CONTAINER,
                (long) from * job.calls(),
                nanos[rank],
                signatures,
                List.of(),
                0,
                0,
                null),
            Clock.of("log " + rank),
            _ -> LINE);
      }
      rounds.idle();
      var all = new ArrayList<>(rounds.waits().openStreaks());
      all.addAll(rounds.waits().closedStreaks());
      all.addAll(rounds.waits().streaksAmongWaits());
      all.stream()
          .filter(Streak::delaysOthers)
          .filter(streak -> streak.share() >= LEAST_TOLD)
          .map(Streak::rank)
          .forEach(accused::add);
    }
    return accused;
  }
}
