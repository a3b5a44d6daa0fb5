package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// One start of a job whose NCCL names no communicator: the processes that came up at one time in
/// communicators of one size. They count as one world until a rank appears twice.
final class UnnamedStart {
  /// Ranks leave their init together. This allows for clocks that differ and for output that is
  /// passed on late.
  private static final long TOGETHER_NANOS = 60_000_000_000L;

  private String id = "";
  private int nranks;
  private long firstNanos = NO_TIME;
  private long lastNanos = NO_TIME;
  private final Map<Integer, String> processByRank = new HashMap<>();
  private final Map<String, String> processByGpu = new HashMap<>();
  private final Map<String, Integer> rankOfProcess = new HashMap<>();
  private final Set<String> sources = new TreeSet<>();
  private final Set<Integer> severalOfOrder = new HashSet<>();
  private boolean several;

  UnnamedStart() {}

  UnnamedStart(String id, int nranks) {
    this.id = id;
    this.nranks = nranks;
  }

  /// Stands for the commId of the first communicator.
  String id() {
    return id;
  }

  /// Stands for the commId of the n-th communicator, null if it is unknown which ranks belong to
  /// it.
  @Nullable String id(int order) {
    return several || severalOfOrder.contains(order) ? null : order == 1 ? id : id + "." + order;
  }

  int nranks() {
    return nranks;
  }

  /// Files with lines of this start.
  Set<String> sources() {
    return sources;
  }

  boolean has(String process) {
    return rankOfProcess.containsKey(process);
  }

  /// Whether any of its lines carries a time.
  boolean timed() {
    return firstNanos != NO_TIME;
  }

  /// Nanoseconds between this init and the nearest other one, 0 if times are unknown.
  long apart(long atNanos) {
    return atNanos == NO_TIME || !timed()
        ? 0
        : Math.max(0, Math.max(firstNanos - atNanos, atNanos - lastNanos));
  }

  boolean near(long atNanos) {
    return apart(atNanos) <= TOGETHER_NANOS;
  }

  /// Whether another process of this start has this GPU: one of the two is a restart.
  boolean holds(String gpu, String process) {
    var holder = processByGpu.get(gpu);
    return holder != null && !holder.equals(process);
  }

  /// Whether another process of this start has this rank, so that there are several communicators
  /// of this size.
  boolean taken(int rank, String process) {
    var holder = processByRank.get(rank);
    return holder != null && !holder.equals(process);
  }

  void enter(String process, String source, String gpu, int rank, long atNanos) {
    rankOfProcess.put(process, rank);
    processByRank.putIfAbsent(rank, process);
    processByGpu.putIfAbsent(gpu, process);
    sources.add(source);
    if (atNanos != NO_TIME) {
      firstNanos = timed() ? Math.min(firstNanos, atNanos) : atNanos;
      lastNanos = Math.max(lastNanos, atNanos);
    }
  }

  /// Records that several communicators of this size came up: which ranks belong to which is
  /// unknown.
  void several() {
    several = true;
  }

  /// The same for the communicators that came up as the n-th.
  void several(int order) {
    severalOfOrder.add(order);
  }
}
