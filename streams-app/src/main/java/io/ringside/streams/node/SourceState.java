package io.ringside.streams.node;

import io.ringside.schemas.event.LogChunk;
import io.ringside.streams.fact.UnnamedComm;
import io.ringside.streams.fact.UnseenComm;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.ras.RasReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What must be remembered of one log file from chunk to chunk: how far it was read, and which
/// communicators its processes hold. Owned by one stream thread.
public final class SourceState {
  /// Limits what one log file can make the service remember: names of processes come from the log
  /// itself. A launcher's log holds the lines of all ranks of a job, hence the high number.
  private static final int MAX_PROCESSES = 8_192;

  /// Limit for one process.
  private static final int MAX_MEMBERSHIPS = 256;

  /// Limit for all processes together: 256 processes with [#MAX_MEMBERSHIPS] each.
  private static final int MAX_ALL_MEMBERSHIPS = 65_536;

  /// No machine has more GPUs in one process.
  private static final int MAX_GPUS = 32;

  long epoch = Long.MIN_VALUE;
  long nextSequence;

  /// Whether any chunk has come.
  boolean begun;

  final FileClock times = new FileClock();

  /// Byte offset up to which the file was read.
  long knownEnd;

  long repeatedChunks;
  String ncclVersion = "";
  final FailureReading failures = new FailureReading();
  final TimerReading timers = new TimerReading();
  final StrideReading strides = new StrideReading();
  final WorkReading work = new WorkReading();
  final MetricRows metrics = new MetricRows();
  final SplitRow row = new SplitRow();
  final RasReader ras = new RasReader();
  final PastedListing pasted = new PastedListing();
  final LineKinds kinds = new LineKinds();

  /// Whether a line of a new kind had no time and no line with one has come since.
  boolean novelUntimed;

  /// Whether a bar without a timestamp was drawn and no line with one has come since.
  boolean barUntimed;

  /// Whether lines with timestamps follow the last bar.
  boolean behindBar;

  final Map<String, ProcessState> processes = new HashMap<>();

  /// Number of memberships over all processes of the file.
  private int memberships;

  /// Stored separately, since it rarely changes.
  transient SeenStatements told = new SeenStatements();

  /// Continues with the statements that were stored.
  public void use(SeenStatements kept) {
    told = kept;
  }

  /// Whether the chunk was read before.
  ///
  /// An agent that was killed sends again what was not acknowledged, maybe cut at other lines.
  /// Repeats are therefore recognised by their offsets in the file: lines before the known end are
  /// skipped, and a chunk that begins after it leaves a gap.
  boolean repeats(LogChunk chunk) {
    if (chunk.epoch() > epoch) {
      epoch = chunk.epoch();
      nextSequence = 0;
      knownEnd = 0;
    }
    boolean again =
        chunk.epoch() < epoch
            || chunk.nextOffset() < knownEnd
            || (chunk.nextOffset() == knownEnd && chunk.sequence() < nextSequence);
    if (again) {
      repeatedChunks++;
    }
    return again;
  }

  /// Moves the read position to the end of the chunk.
  ///
  /// @return how many bytes are missing before it
  long advance(LogChunk chunk) {
    // the first chunk begins where the agent began to read, or at what the topic still holds
    long lost = begun ? Math.max(0, chunk.firstOffset() - knownEnd) : 0;
    begun = true;
    knownEnd = chunk.nextOffset();
    nextSequence = chunk.sequence() + 1;
    return lost;
  }

  /// The process of this host and pid, created when first seen; null if the file has named too many
  /// other processes.
  @Nullable ProcessState process(String host, int pid) {
    var name = host + ":" + pid;
    var known = processes.get(name);
    if (known == null && processes.size() < MAX_PROCESSES) {
      known = new ProcessState(host, pid);
      processes.put(name, known);
    }
    return known;
  }

  /// Notes a process's membership in a communicator.
  ///
  /// @param pointer address of the communicator in that process
  /// @return false if the process, or the whole file, has too many other memberships
  boolean join(ProcessState process, String pointer, Membership membership) {
    if (!process.memberships.containsKey(pointer)) {
      if (memberships >= MAX_ALL_MEMBERSHIPS || process.memberships.size() >= MAX_MEMBERSHIPS) {
        return false;
      }
      memberships++;
    }
    process.memberships.put(pointer, membership);
    return true;
  }

  /// A process's membership in the communicator of a call whose init lines were not seen; null if
  /// there are too many memberships.
  @Nullable Membership unseen(ProcessState process, NcclEvent.Collective call) {
    var membership =
        new Membership(new UnseenComm(call.comm(), call.nranks()).text(), 0, -1, call.nranks());
    membership.count = new CallCount();
    return join(process, call.comm(), membership) ? membership : null;
  }

  /// Whether lines of the file name the host that wrote them.
  boolean hasHeaders() {
    return processes.values().stream().anyMatch(process -> !process.host.isEmpty());
  }

  /// One process of the file.
  static final class ProcessState {
    String host = "";
    int pid;

    /// Bus ids of its GPUs, in the order in which it initialised them; CUDA's device number where a
    /// line has no bus id (NCCL 2.4).
    final List<String> gpus = new ArrayList<>();

    /// Memberships by pointer, which is valid until the communicator is destroyed.
    final Map<String, Membership> memberships = new HashMap<>();

    /// The communicator whose init the thread last ran, by thread id.
    final Map<Integer, String> pointerByThread = new HashMap<>();

    /// Number of communicators without a name that came up, by GPU and size.
    final Map<String, Integer> unnamed = new HashMap<>();

    /// Pointer of the communicator initialised or used last.
    @Nullable String lastPointer;

    ProcessState() {}

    ProcessState(String host, int pid) {
      this.host = host;
      this.pid = pid;
    }

    /// Which of the process's GPUs an init line is about.
    int gpu(NcclEvent.CommInit init) {
      var busId = init.busId() == null ? "cuda " + init.cudaDev() : init.busId();
      int known = gpus.indexOf(busId);
      if (known >= 0 || gpus.size() >= MAX_GPUS) {
        return Math.max(known, 0);
      }
      gpus.add(busId);
      return gpus.size() - 1;
    }

    /// Name that stands for the communicator of an init line without a name; null if it cannot be
    /// found. NCCL of that time prints one line when a communicator is up and one when it is
    /// destroyed. An init line whose pointer was used since then is about another communicator.
    @Nullable String unnamed(NcclEvent.CommInit init) {
      var known = memberships.get(init.comm());
      if (init.phase() != NcclEvent.Phase.COMPLETE || known != null && !known.spent()) {
        return known == null ? null : known.comm;
      }
      var key = gpu(init) + "|" + init.nranks();
      if (unnamed.size() >= MAX_MEMBERSHIPS && !unnamed.containsKey(key)) {
        return null;
      }
      return new UnnamedComm(init.nranks(), unnamed.merge(key, 1, Integer::sum)).text();
    }

    /// The communicator that an edge belongs to. The edge's line does not name it, but one end is
    /// this process, which has a different rank in each communicator.
    ///
    /// @param likely the best guess, by the thread and the process's last lines
    @Nullable Membership owner(NcclEvent.Edge edge, @Nullable Membership likely) {
      Membership fitting = null;
      boolean several = false;
      for (var membership : memberships.values()) {
        if (membership.named() && membership.hasOwn(edge)) {
          if (likely != null && membership.comm.equals(likely.comm)) {
            return membership;
          }
          several |= fitting != null && !fitting.comm.equals(membership.comm);
          fitting = membership;
        }
      }
      return likely == null || fitting == null || several ? likely : fitting;
    }
  }

  /// A process's membership in a communicator.
  static final class Membership {
    String comm = "";
    int gpu;

    /// So many calls have to be counted one by one before a jump of the count is believed.
    private static final int COUNTED = 16;

    /// Most lines that are missing at once; a larger jump is no loss of a collector.
    private static final int MOST_MISSING = 10_000;

    int rank;
    int nranks;
    long nextOrdinal;

    /// Its peers in Sends and Recvs. The first few are enough to tell a pipeline from an all-to-all
    /// exchange.
    private int[] peers = new int[0];

    /// Number of Sends to the first peer, then of Recvs from it, and so on for each peer. Shorter
    /// if some calls were not counted, since those counts cannot be recovered.
    private long[] posted = new long[0];

    /// Numbers a call by its line and notes, by its `opCount`, whether lines before it are missing:
    /// a collector dropped them. NCCL up to 2.26.6 counts each launch, so the count is the line's
    /// number unless calls are grouped; since 2.27.3 ranks differ, and no count is believed that
    /// was not the number of each of the first calls.
    long number(NcclEvent.Collective call) {
      long ordinal = nextOrdinal++;
      long jump = call.opCount() - ordinal - missing;
      if (uncounted || jump == 0) {
        return ordinal;
      }
      if (jump < 0 || jump > MOST_MISSING || ordinal < COUNTED) {
        uncounted = true;
      } else {
        missing += jump;
      }
      return ordinal;
    }

    /// Number of calls before this one whose lines are missing.
    long missing() {
      return missing;
    }

    /// A call that not all ranks make: what `opCount` counts is no longer known.
    void callsAPeer() {
      uncounted = true;
    }

    /// Whether this peer is new; only the first few are kept.
    boolean newPeer(int peer) {
      if (peers.length == NcclEvent.Collective.MANY_PEERS
          || IntStream.of(peers).anyMatch(known -> known == peer)) {
        return false;
      }
      peers = Arrays.copyOf(peers, peers.length + 1);
      peers[peers.length - 1] = peer;
      posted = Arrays.copyOf(posted, posted.length + 2);
      return true;
    }

    /// Counts a Send or Recv; null if its peer is not one of the first few.
    NcclEvent.@Nullable Posted post(NcclEvent.Collective call) {
      int at = 0;
      while (at < peers.length && peers[at] != call.root()) {
        at++;
      }
      if (at == peers.length || posted.length < 2 * peers.length) {
        return null;
      }
      if (call.op().equals("Send")) {
        posted[2 * at]++;
      } else if (call.op().equals("Recv")) {
        posted[2 * at + 1]++;
      }
      return new NcclEvent.Posted(call.root(), posted[2 * at], posted[2 * at + 1]);
    }

    /// Whether the communicator was destroyed or aborted.
    boolean over;

    /// Whether NCCL's `opCount` has not risen by one from call to call, so that it says nothing of
    /// calls whose lines are missing.
    private boolean uncounted;

    /// Number of calls whose lines are missing, by `opCount`.
    private long missing;

    long lastCallNanos;
    CallRate rate = new CallRate();

    /// Numbers its calls if its init lines were not seen, else null.
    @Nullable CallCount count;

    Membership() {}

    Membership(String comm, int gpu, int rank, int nranks) {
      this.comm = comm;
      this.gpu = gpu;
      this.rank = rank;
      this.nranks = nranks;
      this.lastCallNanos = Long.MIN_VALUE;
    }

    /// Whether a line names the communicator. If none does, its edges and all other lines of its
    /// init come before the init line, if that was seen.
    boolean named() {
      return !UnnamedComm.is(comm) && count == null;
    }

    /// Whether its pointer may belong to another communicator from now on, so that an init line
    /// with the pointer is not a repeat.
    private boolean spent() {
      return count != null || UnnamedComm.is(comm) && (over || nextOrdinal > 0 || peers.length > 0);
    }

    /// Whether the edge may be this process's own in this communicator.
    boolean hasOwn(NcclEvent.Edge edge) {
      return Math.max(edge.source(), edge.target()) < nranks
          && switch (edge.direction()) {
            case SEND -> edge.source() == rank;
            case RECEIVE -> edge.target() == rank;
            case NONE -> edge.source() == rank || edge.target() == rank;
          };
    }
  }
}
