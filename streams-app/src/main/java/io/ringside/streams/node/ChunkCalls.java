package io.ringside.streams.node;

import io.ringside.streams.fact.Arrivals;
import io.ringside.streams.fact.TimeBasis;
import io.ringside.streams.node.SourceState.Membership;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The collective calls of a chunk: runs of calls with numbers that follow each other, by process
/// and communicator.
final class ChunkCalls {
  private final int callsPerSecond;
  private final Map<Key, Run> open = new LinkedHashMap<>();
  private final List<Arrivals> closed = new ArrayList<>();

  /// @param callsPerSecond of a rank on a communicator are kept, about
  ChunkCalls(int callsPerSecond) {
    this.callsPerSecond = callsPerSecond;
  }

  /// Whose calls on which communicator.
  ///
  /// @param writer index of the process's GPU among the chunk's writers
  record Key(int writer, String comm) {}

  /// The run that the call goes on or begins; null where it is one too many a second, and only
  /// counted.
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

  /// From here on the numbers of its calls are not known.
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

  /// Calls of one process on one communicator, one after the other.
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
