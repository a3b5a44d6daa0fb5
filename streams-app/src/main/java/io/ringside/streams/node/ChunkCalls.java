package io.ringside.streams.node;

import io.ringside.streams.fact.Arrivals;
import io.ringside.streams.fact.TimeBasis;
import io.ringside.streams.node.SourceState.Membership;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The collective calls of a chunk, by process and communicator: runs of calls with consecutive
/// numbers.
final class ChunkCalls {
  private final int callsPerSecond;
  private final Map<Key, Run> open = new LinkedHashMap<>();
  private final List<Arrivals> closed = new ArrayList<>();

  /// @param callsPerSecond about how many calls a second of a rank on a communicator are kept
  ChunkCalls(int callsPerSecond) {
    this.callsPerSecond = callsPerSecond;
  }

  /// Process and communicator of a call.
  ///
  /// @param writer index of the process's GPU among the chunk's writers
  record Key(int writer, String comm) {}

  /// The run that the call continues or begins; null if the call exceeds the limit per second and
  /// is only counted.
  @Nullable Run run(Key key, Membership membership, long ordinal, long time, TimeBasis basis) {
    var run = open.get(key);
    boolean kept = membership.rate.keeps(ordinal, time, callsPerSecond);
    if (run == null || kept && run.leftOut > 0) {
      close(run);
      run = new Run(key, membership, ordinal, basis);
      open.put(key, run);
    }
    if (!kept) {
      run.leftOut++;
      return null;
    }
    return run;
  }

  /// Records that the numbers of the process's calls are unknown from here on.
  void lost(Key key, TimeBasis basis, int failuresBefore) {
    close(open.remove(key));
    closed.add(Arrivals.unknown(key.writer(), key.comm(), basis, failuresBefore));
  }

  List<Arrivals> arrivals() {
    open.values().forEach(this::close);
    open.clear();
    return closed;
  }

  private void close(@Nullable Run run) {
    if (run != null) {
      closed.add(run.arrivals());
    }
  }

  /// Consecutive calls of one process on one communicator.
  static final class Run {
    private final Key key;
    private final Membership membership;
    private final long firstOrdinal;
    private final TimeBasis basis;
    private final List<Long> nanos = new ArrayList<>();
    private final List<Integer> signatures = new ArrayList<>();
    private final List<Arrivals.Proof> proofs = new ArrayList<>();
    private int failuresBefore;
    private int leftOut;

    private Run(Key key, Membership membership, long firstOrdinal, TimeBasis basis) {
      this.key = key;
      this.membership = membership;
      this.firstOrdinal = firstOrdinal;
      this.basis = basis;
    }

    void add(long time, int signature, int failures) {
      failuresBefore = failures;
      nanos.add(time);
      signatures.add(signature);
    }

    void prove(Arrivals.Proof proof) {
      proofs.add(proof);
    }

    private Arrivals arrivals() {
      return new Arrivals(
          key.writer(),
          key.comm(),
          membership.rank,
          basis,
          firstOrdinal,
          nanos.stream().mapToLong(Long::longValue).toArray(),
          signatures.stream().mapToInt(Integer::intValue).toArray(),
          proofs,
          failuresBefore,
          leftOut,
          membership.count == null ? null : membership.count.numbered());
    }
  }
}
