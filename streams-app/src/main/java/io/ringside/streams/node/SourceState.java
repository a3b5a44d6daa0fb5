package io.ringside.streams.node;

import io.ringside.schemas.event.LogChunk;
import io.ringside.streams.fact.Unnamed;
import io.ringside.streams.fact.Unseen;
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
  /// Whoever writes the log names processes and communicators, so there is an end: as many
  /// processes as a job may have, for launchers gather the lines of all ranks in one file.
  private static final int MAX_PROCESSES = 8_192;

  /// Of one process.
  private static final int MAX_MEMBERSHIPS = 256;

  /// Of all of them: what 256 processes have that have as many each.
  private static final int MAX_ALL_MEMBERSHIPS = 65_536;

  /// No machine has more in one process.
  private static final int MAX_GPUS = 32;

  long epoch = Long.MIN_VALUE;
  long nextSequence;

  /// Whether any chunk came.
  boolean begun;

  final ToldTimes times = new ToldTimes();

  /// Byte offset up to which the file was read.
  long knownEnd;

  long repeatedChunks;
  String ncclVersion = "";
  final FailureReading failures = new FailureReading();
  final TimerReading timers = new TimerReading();
  final StrideReading strides = new StrideReading();
  final WorkReading work = new WorkReading();
  final MetricRows metrics = new MetricRows();
  final TornRow row = new TornRow();
  final RasReader ras = new RasReader();
  final Pasted pasted = new Pasted();

  /// Whether a bar was drawn of which no stamped line has said since that it is past.
  boolean barUntimed;

  /// Whether stamped lines stand behind the last bar.
  boolean behindBar;

  final Map<String, ProcessState> processes = new HashMap<>();

  /// Of all processes.
  private int memberships;

  /// Kept apart, since it rarely changes.
  transient StatedBefore told = new StatedBefore();

  /// Goes on with what was told before.
  public void use(StatedBefore kept) {
    told = kept;
  }

  /// Whether the chunk was read before.
  ///
  /// An agent that was killed sends again what was not acknowledged, maybe cut at other lines, so
  /// repeats are told by their offsets in the file: lines before the known end are skipped, a chunk
  /// that begins after it leaves a gap.
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

  /// Goes on behind the chunk.
  ///
  /// @return how many bytes are missing before it
  long advance(LogChunk chunk) {
    // where the first chunk begins is where the agent began, or what the topic still holds
    long lost = begun ? Math.max(0, chunk.firstOffset() - knownEnd) : 0;
    begun = true;
    knownEnd = chunk.nextOffset();
    nextSequence = chunk.sequence() + 1;
    return lost;
  }

  /// The process of this host and pid, made when first seen; null where the file has named too many
  /// others.
  @Nullable ProcessState process(String host, int pid) {
    var name = host + ":" + pid;
    var known = processes.get(name);
    if (known == null && processes.size() < MAX_PROCESSES) {
      known = new ProcessState(host, pid);
      processes.put(name, known);
    }
    return known;
  }

  /// Notes a process's part in a communicator.
  ///
  /// @param pointer of the communicator in that process
  /// @return false where the process, or the whole file, has had a part in too many others
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

  /// A process's part in the communicator of a call whose init lines were not seen, null where
  /// there have been too many.
  @Nullable Membership unseen(ProcessState process, NcclEvent.Collective call) {
    var membership =
        new Membership(new Unseen(call.comm(), call.nranks()).text(), 0, -1, call.nranks());
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

    /// Bus ids of its GPUs, in the order in which it initialised them; CUDA's number where a line
    /// has none (NCCL 2.4).
    final List<String> gpus = new ArrayList<>();

    /// By pointer, which is valid until the communicator is destroyed.
    final Map<String, Membership> memberships = new HashMap<>();

    /// The communicator whose init the thread last ran, by thread id.
    final Map<Integer, String> pointerByThread = new HashMap<>();

    /// How many communicators without a name came up, by GPU and size.
    final Map<String, Integer> unnamed = new HashMap<>();

    /// The communicator initialised or used last.
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

    /// What stands for the name of the communicator that an init line without a name is about, null
    /// where that is not known. NCCL of that time prints one line when a communicator is up and one
    /// when it is destroyed; a pointer that was used since then is that of another one.
    @Nullable String unnamed(NcclEvent.CommInit init) {
      var known = memberships.get(init.comm());
      if (init.phase() != NcclEvent.Phase.COMPLETE || known != null && !known.spent()) {
        return known == null ? null : known.comm;
      }
      var key = gpu(init) + "|" + init.nranks();
      if (unnamed.size() >= MAX_MEMBERSHIPS && !unnamed.containsKey(key)) {
        return null;
      }
      return new Unnamed(init.nranks(), unnamed.merge(key, 1, Integer::sum)).text();
    }

    /// The communicator that an edge is of. Its line does not say, but one end of it is this
    /// process, which has another rank in each communicator.
    ///
    /// @param likely by the thread and what the process did last
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

  /// A process's part in a communicator.
  static final class Membership {
    String comm = "";
    int gpu;
    int rank;
    int nranks;
    long nextOrdinal;

    /// To whom it sends: the first few are enough to tell a pipeline from an exchange of all with
    /// all.
    private int[] peers = new int[0];

    /// Sends to the first of them, Recvs from it, and so on. Fewer where some were not counted,
    /// which no count makes good.
    private long[] posted = new long[0];

    /// Whether this is a peer that was not seen yet, of the first few.
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

    /// Counts a Send or Recv; null where its peer is not one of the first few.
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

    /// Whether it was destroyed or aborted.
    boolean over;

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

    /// Whether a line names it. Otherwise its edges and all else that is said while it comes up
    /// stand before the line of its init, if that was seen.
    boolean named() {
      return !Unnamed.is(comm) && count == null;
    }

    /// Whether its pointer may be another one's from now on, and an init line with it is no repeat.
    private boolean spent() {
      return count != null || Unnamed.is(comm) && (over || nextOrdinal > 0 || peers.length > 0);
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
