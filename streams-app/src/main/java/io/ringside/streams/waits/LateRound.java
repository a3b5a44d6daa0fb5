package io.ringside.streams.waits;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/// When the ranks came to one late round, by corrected clocks: all ranks if they are few; of many
/// the first, the median and the last ones.
///
/// @param operation such as `AllReduce`, empty if the line does not name it
/// @param ranks number of ranks that came
/// @param calls in the order in which they came
public record LateRound(String operation, int ranks, List<Call> calls) {
  private static final Pattern OPERATION = Pattern.compile("NCCL INFO (\\w+): opCount");

  /// The most calls that are kept.
  private static final int MOST = 16;

  /// Number of calls in time that are kept before the late ones.
  private static final int BEFORE = 3;

  /// One rank's call.
  ///
  /// @param rank in the communicator
  /// @param nanos since the Unix epoch
  /// @param late whether the others waited for it
  public record Call(int rank, long nanos, boolean late) {}

  private record Came(int rank, long nanos) {}

  /// @param line line of the last rank
  /// @param ranks the ranks that call
  /// @param nanos their times, NO_TIME where there is none
  /// @param offsets how far their clocks are ahead
  /// @param late number of ranks that came late, at most half of them
  static LateRound of(String line, int[] ranks, long[] nanos, long[] offsets, int late) {
    var all = new ArrayList<Came>(ranks.length);
    for (int place = 0; place < ranks.length; place++) {
      if (nanos[place] != NO_TIME) {
        all.add(new Came(ranks[place], nanos[place] - offsets[place]));
      }
    }
    all.sort(Comparator.comparingLong(Came::nanos).thenComparingInt(Came::rank));
    int median = (all.size() - 1) / 2;
    int tail = Math.max(median + 1, all.size() - Math.min(MOST - 2, late + BEFORE));
    var calls = new ArrayList<Call>(MOST);
    for (int i = 0; i < all.size(); i++) {
      if (all.size() <= MOST || i == 0 || i == median || i >= tail) {
        calls.add(new Call(all.get(i).rank(), all.get(i).nanos(), i >= all.size() - late));
      }
    }
    var operation = OPERATION.matcher(line);
    return new LateRound(
        operation.find() ? operation.group(1) : "", all.size(), List.copyOf(calls));
  }

  /// Whether others waited for this rank.
  boolean isLate(int rank) {
    return calls.stream().anyMatch(call -> call.rank() == rank && call.late());
  }
}
