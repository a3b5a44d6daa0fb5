package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.parse.event.NcclEvent;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// This process's membership in one communicator. Values that no line states are -1, empty or null.
public final class Membership {
  private static final int MAX_PATTERNS = 8;

  private int rank = -1;
  private int nranks = -1;
  private boolean complete;
  private boolean ended;
  private long endedNanos = NO_TIME;
  private final Set<Integer> peers = new TreeSet<>();
  private final Map<Integer, Posted> posted = new TreeMap<>();
  private boolean postedCut;
  private long longestPauseNanos;
  private int nodes = -1;
  private int localRanks = -1;
  private int channels = -1;
  private int ringGdr = -1;
  private NcclEvent.@Nullable BootstrapTimings bootstrap;
  private String network = "";
  private int nvlsChannels = -1;
  private final Map<Integer, Searched> searched = new TreeMap<>();
  private final Map<Statement, Evidence> proofs = new TreeMap<>();

  Membership() {}

  /// Kinds of statements in its lines. The first line of each kind is kept.
  public enum Statement {
    START,
    COMPLETE,
    NETWORK,
    NODES,
    RINGS,
    TREES,
    BOOTSTRAP,
    CHANNELS
  }

  /// Result of NCCL's search of the machine's topology for the communicator (GRAPH).
  public record Searched(NcclEvent.GraphPattern graph, Evidence proof) {}

  /// Sends to and Recvs from one peer so far.
  ///
  /// @param atNanos when the last one was posted, NO_TIME if unknown
  /// @param line line of the last one
  public record Posted(long sends, long receives, long atNanos, Evidence line) {}

  public int rank() {
    return rank;
  }

  public int nranks() {
    return nranks;
  }

  /// Whether init was completed.
  public boolean complete() {
    return complete;
  }

  /// Whether it was destroyed or aborted.
  public boolean ended() {
    return ended;
  }

  /// When it was destroyed or aborted, NO_TIME if unknown.
  public long endedNanos() {
    return endedNanos;
  }

  /// Whether it exchanges Sends and Recvs with only one or two others there, as pipeline stages do.
  public boolean pipelined() {
    return !peers.isEmpty()
        && peers.size() < NcclEvent.Collective.MANY_PEERS
        && !peers.contains(rank);
  }

  /// Its Sends and Recvs for the first few peers, by peer; empty if lines were lost.
  public Map<Integer, Posted> posted() {
    return postedCut ? Map.of() : posted;
  }

  /// The longest time between two Sends or Recvs.
  public long longestPauseNanos() {
    return longestPauseNanos;
  }

  /// How many hosts NCCL counts, -1 if no line states it. NCCL counts pods on one machine as hosts.
  public int nodes() {
    return nodes;
  }

  /// Ranks that NCCL takes to be on this one's host, -1 if no line states it.
  public int localRanks() {
    return localRanks;
  }

  /// Collective channels, -1 if no line states it.
  public int channels() {
    return channels;
  }

  /// Channels for NVLink SHARP, -1 if no line states it.
  public int nvlsChannels() {
    return nvlsChannels;
  }

  /// Graphs that were found for it, by pattern: 4 is the ring. Each host searches alone, and the
  /// ranks then agree on the worst.
  public Map<Integer, Searched> searched() {
    return searched;
  }

  /// The GDR flag of the rings line, an AND over all ranks; -1 if no line states it.
  public int ringGdr() {
    return ringGdr;
  }

  /// Bootstrap timings of this rank, null if not printed.
  public NcclEvent.@Nullable BootstrapTimings bootstrap() {
    return bootstrap;
  }

  /// The network that the `Using network` line names, empty if there was none.
  public String network() {
    return network;
  }

  /// The line that states it, null if none does.
  public @Nullable Evidence proof(Statement statement) {
    return proofs.get(statement);
  }

  void init(NcclEvent.CommInit e, long atNanos, Evidence line) {
    rank = e.rank() >= 0 ? e.rank() : rank;
    nranks = e.nranks() >= 0 ? e.nranks() : nranks;
    switch (e.phase()) {
      case START -> prove(Statement.START, line);
      case COMPLETE -> {
        complete = true;
        prove(Statement.COMPLETE, line);
      }
      case DESTROY, ABORT -> ended(atNanos);
      case REVOKE -> ended = true;
    }
  }

  /// Records that it came up before its log was read.
  void joined(int itsRank, int ofRanks) {
    rank = itsRank;
    nranks = ofRanks;
    complete = true;
  }

  void ended(long atNanos) {
    ended = true;
    endedNanos = Math.max(endedNanos, atNanos);
  }

  void uses(String itsNetwork, Evidence line) {
    network = itsNetwork;
    prove(Statement.NETWORK, line);
  }

  void counts(NcclEvent.CommNodes e, Evidence line) {
    nodes = e.nodes();
    localRanks = e.localRanks();
    prove(Statement.NODES, line);
  }

  void bootstrapped(NcclEvent.BootstrapTimings e, Evidence line) {
    bootstrap = e;
    prove(Statement.BOOTSTRAP, line);
  }

  void has(NcclEvent.Channels e, Evidence line) {
    channels = e.coll();
    nvlsChannels = e.nvls();
    prove(Statement.CHANNELS, line);
  }

  void connected(NcclEvent.RingsConnected e, Evidence line) {
    ringGdr = e.gdr();
    prove(Statement.RINGS, line);
  }

  void treesConnected(Evidence line) {
    prove(Statement.TREES, line);
  }

  void searched(NcclEvent.GraphPattern e, Evidence line) {
    if (searched.size() < MAX_PATTERNS) {
      searched.putIfAbsent(e.pattern(), new Searched(e, line));
    }
  }

  void sendsTo(int peer) {
    if (peers.size() < NcclEvent.Collective.MANY_PEERS) {
      peers.add(peer);
    }
  }

  void posted(NcclEvent.Posted e, long atNanos, Evidence line) {
    long last = posted.values().stream().mapToLong(Posted::atNanos).reduce(NO_TIME, Math::max);
    if (last != NO_TIME && atNanos != NO_TIME) {
      longestPauseNanos = Math.max(longestPauseNanos, atNanos - last);
    }
    posted.put(e.peer(), new Posted(e.sends(), e.receives(), atNanos, line));
  }

  /// Records that lines were lost: the number of Sends and Recvs among them is unknown.
  void cut() {
    postedCut = true;
  }

  /// Whether no line of its init was seen.
  boolean unstated() {
    return proofs.isEmpty();
  }

  private void prove(Statement statement, Evidence line) {
    proofs.putIfAbsent(statement, line);
  }
}
