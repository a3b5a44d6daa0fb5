package io.ringside.streams.waits;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.fact.Arrivals;
import io.ringside.streams.fact.TimeBasis;
import java.util.List;

/// Calls of a job that makes two in each step, all in one communicator.
final class Calls {
  private static final long BEGIN = 1_790_000_000_000_000_000L;
  private static final Evidence LINE = new Evidence(null, "node", "pod", "file", 0, "");

  private Calls() {}

  /// @param call its ordinal
  /// @param second when it is made, since the job began
  static void add(Rounds rounds, int rank, int call, double second, String clock) {
    add(rounds, rank, call, second, clock, call % 2);
  }

  /// @param kind which of the calls of a step it is
  static void add(Rounds rounds, int rank, int call, double second, String clock, int kind) {
    rounds.add(
        new Arrivals(
            7,
            "0xc",
            rank,
            TimeBasis.CONTAINER,
            call,
            new long[] {BEGIN + Math.round(second * 1e9)},
            new int[] {1 + kind},
            List.of(),
            0,
            0,
            null),
        Clock.of(clock),
        _ -> LINE);
  }
}
