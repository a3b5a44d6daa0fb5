package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.LogSource;
import io.ringside.streams.fact.Writer;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.NcclHead;
import io.ringside.streams.parse.event.OfiEvent;
import io.ringside.streams.parse.event.Transport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// One training process and all that its lines said about it. Normally it owns one GPU and is one
/// global rank.
public final class TrainingProcess {
  private static final int MAX_WARNINGS = 24;

  /// Peers that come up later refuse at first.
  private static final int MANY_REFUSED = 20;

  /// A peer that does not answer at all costs minutes each time.
  private static final int MANY_UNANSWERED = 3;

  private static final int MAX_PLUGIN_LINES = 16;

  /// NCCL and its plugins know some 300 variables.
  private static final int MAX_VARIABLES = 512;

  private static final int MAX_MEMBERSHIPS = 256;

  /// The line that says that a communicator without a name is up.
  private static final String UNNAMED = "unnamed";

  private static final int MAX_EDGES = 8_192;

  /// Of all its edges: a network or two, each with its ways.
  private static final int MAX_TRANSPORTS = 16;

  private static final int MAX_GPUS = 64;
  private static final int SEVERAL = -1;

  private static final int MAX_PATTERNS = 8;

  private String id = "";
  private LogSource source = new LogSource("", "?", "", "?", "", "", "?", "?");
  private String host = "";
  private int pid;
  private @Nullable String busId;
  private int nvmlDev = -1;
  private String ncclVersion = "";
  private String pluginVersion = "";
  private String libfabricVersion = "";
  private String instanceType = "";
  private String provider = "";
  private int nics = -1;
  private long firstNanos = NO_TIME;
  private long lastCallNanos = NO_TIME;
  private boolean joinedLate;
  private boolean calledUnnamed;
  private boolean sharedVersion;
  private final Map<String, Evidence> proofs = new TreeMap<>();
  private final Map<String, Variable> environment = new TreeMap<>();
  private final Map<String, Membership> memberships = new TreeMap<>();
  private final Map<String, EdgeGroup> edges = new TreeMap<>();

  /// Its ranks by device, as edges tell of which no communicator is known; SEVERAL of a device that is of more communicators.
  private final Map<Integer, Integer> rankByDevice = new TreeMap<>();

  private final Set<String> transports = new TreeSet<>();
  private final Map<String, Ways> ways = new TreeMap<>();

  /// The GPU in the tree of the machine whose branches come next, by the device that prints.
  private final Map<Integer, String> branching = new TreeMap<>();

  private final List<PluginLine> pluginLines = new ArrayList<>();
  private final List<Warned> warnings = new ArrayList<>();
  private @Nullable Warned unreachable;
  private int connectAttempts;

  /// Whether its log holds lines of several hosts, so that whoever read the log does not name the machine.
  private boolean gathered;

  TrainingProcess() {}

  TrainingProcess(String id, LogSource source, Writer writer) {
    this.id = id;
    this.source = source;
    this.host = writer.hostOf(source);
    this.pid = writer.pid();
  }

  /// What a line says of the way to a network: loaded, failed, chosen …
  public enum Step {
    LOADED,
    MISSING,
    FAILED,
    INITIALISED,
    NO_PROVIDER
  }

  /// A line of a network plugin's life.
  public record PluginLine(Step step, String name, Evidence proof) {}

  /// A variable as this process sees it.
  public record Variable(String value, boolean byPlugin, Evidence proof) {}

  /// A WARN line.
  public record Warned(String message, Evidence proof) {}

  /// What NCCL takes the ways from one GPU of the machine to be (GRAPH).
  ///
  /// @param ofTree whether the machine's tree alone tells them: its NVLinks, and nothing behind them
  public record Ways(NcclEvent.GpuPaths paths, Evidence proof, boolean ofTree) {
    private boolean leadsTo(String end) {
      return paths.paths().stream().anyMatch(path -> path.to().equals(end));
    }
  }

  /// What NCCL's search made of the machine for one communicator (GRAPH).
  public record Searched(NcclEvent.GraphPattern graph, Evidence proof) {}

  /// Lines of a communicator about its edges between two ranks, all of one transport.
  ///
  /// @param comm empty where the lines come before their communicator is known, as before 2.16.2
  /// @param fromBracket what they say in brackets behind the sending rank if `comm` is empty, see {@link NcclEvent.Edge}; else -1
  /// @param toBracket the same of the receiving rank
  /// @param lines how many channels and directions
  public record EdgeGroup(
      String comm,
      int from,
      int to,
      long fromBracket,
      long toBracket,
      Transport transport,
      int lines,
      Evidence proof) {

    /// Whether the ranks may be these GPUs, by the bus ids that NCCL prints up to 2.18.1.
    public boolean mayJoin(@Nullable String fromBusId, @Nullable String toBusId) {
      return mayBe(fromBracket, fromBusId) && mayBe(toBracket, toBusId);
    }

    private static boolean mayBe(long bracket, @Nullable String busId) {
      return bracket < 0 || busId == null || NcclEvent.busId(bracket).equals(busId);
    }
  }

  /// This process's part in one communicator; what no line said is -1, empty or null.
  public static final class Membership {
    private int rank = -1;
    private int nranks = -1;
    private boolean complete;
    private boolean ended;
    private long endedNanos = NO_TIME;
    private final Set<Integer> peers = new TreeSet<>();
    private int nodes = -1;
    private int localRanks = -1;
    private int channels = -1;
    private int ringGdr = -1;
    private NcclEvent.@Nullable BootstrapTimings bootstrap;
    private String network = "";
    private int nvlsChannels = -1;
    private final Map<Integer, Searched> searched = new TreeMap<>();
    private final Map<String, Evidence> proofs = new TreeMap<>();

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

    /// When, NO_TIME if unknown.
    public long endedNanos() {
      return endedNanos;
    }

    /// Whether it sends to or receives from one or two others there, as stages of a pipeline do.
    public boolean pipelined() {
      return !peers.isEmpty()
          && peers.size() < NcclEvent.Collective.MANY_PEERS
          && !peers.contains(rank);
    }

    /// How many hosts NCCL counts, -1 if not said. Pods on one machine are hosts to NCCL.
    public int nodes() {
      return nodes;
    }

    /// Ranks that NCCL takes to be on this one's host, -1 if not said.
    public int localRanks() {
      return localRanks;
    }

    /// Collective channels, -1 if not said.
    public int channels() {
      return channels;
    }

    /// Channels for NVLink SHARP, -1 if not said.
    public int nvlsChannels() {
      return nvlsChannels;
    }

    /// The graphs that were found for it, by pattern: 4 is the ring. Each host searches alone, and the ranks then agree on
    /// the worst.
    public Map<Integer, Searched> searched() {
      return searched;
    }

    /// The GDR flag of the rings line, an AND over all ranks; -1 if not said.
    public int ringGdr() {
      return ringGdr;
    }

    /// Bootstrap timings of this rank, null if not printed.
    public NcclEvent.@Nullable BootstrapTimings bootstrap() {
      return bootstrap;
    }

    /// What `Using network` said, empty if it did not.
    public String network() {
      return network;
    }

    /// The line that says so, by topic: `start`, `complete`, `network`, `nodes`, `rings`, `trees`,
    /// `bootstrap`, `channels`.
    public @Nullable Evidence proof(String topic) {
      return proofs.get(topic);
    }
  }

  /// Notes one event with its line. Repeats change nothing; of contradictory lines the first of the
  /// file counts, so that the order of arrival does not matter.
  void note(NcclEvent event, @Nullable String comm, int repeat, long atNanos, Evidence line) {
    switch (event) {
      case NcclEvent.Version e -> {
        ncclVersion = e.nccl();
        sharedVersion = false;
        prove("version", line);
      }
      case NcclEvent.EnvironmentSet e -> {
        var known = environment.get(e.name());
        if (known == null ? environment.size() < MAX_VARIABLES : !e.byPlugin()) {
          boolean byPlugin = e.byPlugin() || (known != null && known.byPlugin());
          environment.put(e.name(), new Variable(e.value(), byPlugin, line));
        }
      }
      case NcclEvent.InterfaceChosen _ -> prove("interface", line);
      case NcclEvent.NetPluginLoaded e -> plugin(Step.LOADED, e.name(), line);
      case NcclEvent.NetPluginMissing e -> plugin(Step.MISSING, e.library(), line);
      case NcclEvent.NetPluginFailed e -> plugin(Step.FAILED, e.name(), line);
      case NcclEvent.NetPluginInitialised e -> plugin(Step.INITIALISED, e.name(), line);
      case NcclEvent.Warning e -> {
        if (warnings.size() < MAX_WARNINGS) {
          warnings.add(new Warned(e.message(), line));
        }
      }
      case NcclEvent.ConnectRetry e -> {
        connectAttempts = e.attempt();
        if (e.attempt() >= (e.reason().contains("refused") ? MANY_REFUSED : MANY_UNANSWERED)) {
          unreachable =
              new Warned(
                  "cannot connect to %s: %s, attempt %d of %d"
                      .formatted(
                          e.peer().isEmpty() ? "a peer" : e.peer(),
                          e.reason(),
                          e.attempt(),
                          e.attempts()),
                  line);
        }
      }
      case NcclEvent.NetDevices e -> {
        if (e.network().equals("IB") && !e.devices().isEmpty()) {
          prove("ib-devices", line);
        }
      }
      case NcclEvent.NoIbDevice _ -> prove("no-ib-device", line);
      case NcclEvent.GdrSupport e -> {
        if (!e.network().equals("Socket")) {
          prove(e.enabled() ? "gdr-enabled" : "gdr-disabled", line);
        }
      }
      case NcclEvent.NvlsSupport e ->
          prove(
              e.available()
                  ? "nvls"
                  : line.text().contains("Failed to bind") ? "nvls-lost" : "no-nvls",
              line);
      case NcclEvent.GraphPattern e -> {
        if (comm != null && membership(comm).searched.size() < MAX_PATTERNS) {
          membership(comm).searched.putIfAbsent(e.pattern(), new Searched(e, line));
        }
      }
      case NcclEvent.GpuPaths e -> {
        var known = ways.get(e.busId());
        if (known == null && ways.size() < MAX_GPUS || known != null && known.ofTree()) {
          ways.put(e.busId(), new Ways(e, line, false));
        }
      }
      case NcclEvent.TopologyBranch e -> branch(e, line);
      case NcclEvent.P2pCheck _ -> prove("p2p", line);
      case NcclEvent.P2pUnavailable _ -> prove("p2p-unavailable", line);
      case NcclEvent.NetworkChosen e -> {
        var membership = membership(comm == null ? "" : comm);
        membership.network = e.name();
        membership.proofs.putIfAbsent("network", line);
        prove("network", line);
      }
      case NcclEvent.CommInit e -> init(e, comm, atNanos, line);
      case NcclEvent.CommNodes e -> {
        if (comm != null) {
          var membership = membership(comm);
          membership.nodes = e.nodes();
          membership.localRanks = e.localRanks();
          membership.proofs.putIfAbsent("nodes", line);
        }
      }
      case NcclEvent.BootstrapTimings e -> {
        if (comm != null) {
          var membership = membership(comm);
          membership.bootstrap = e;
          membership.proofs.putIfAbsent("bootstrap", line);
        }
      }
      case NcclEvent.Channels e -> {
        if (comm != null) {
          membership(comm).channels = e.coll();
          membership(comm).nvlsChannels = e.nvls();
          membership(comm).proofs.putIfAbsent("channels", line);
        }
      }
      case NcclEvent.RingsConnected e -> {
        if (comm != null) {
          membership(comm).ringGdr = e.gdr();
          membership(comm).proofs.putIfAbsent("rings", line);
        }
      }
      case NcclEvent.TreesConnected _ -> {
        if (comm != null) {
          membership(comm).proofs.putIfAbsent("trees", line);
        }
      }
      case NcclEvent.Edge e -> edge(e, comm == null ? "" : comm, repeat, line);
      case NcclEvent.Collective e -> {
        var membership = comm == null ? null : membership(comm);
        if (membership != null && membership.peers.size() < NcclEvent.Collective.MANY_PEERS) {
          membership.peers.add(e.root());
        }
      }
      case NcclEvent.Spliced _ -> {}
    }
  }

  /// Notes what the OFI plugin said.
  void note(OfiEvent event, Evidence line) {
    prove("ofi", line);
    switch (event) {
      case OfiEvent.PluginVersion e -> {
        pluginVersion = e.version();
        prove("plugin-version", line);
      }
      case OfiEvent.LibfabricVersion e -> libfabricVersion = e.version();
      case OfiEvent.Platform e -> {
        instanceType = e.instanceType();
        prove("platform", line);
      }
      case OfiEvent.Provider e -> {
        provider = e.provider();
        nics = e.nics();
        prove("provider", line);
      }
      case OfiEvent.NoProvider _ -> plugin(Step.NO_PROVIDER, "Libfabric", line);
      case OfiEvent.ProviderFilter _ -> prove("provider-filter", line);
    }
  }

  private void init(NcclEvent.CommInit e, @Nullable String comm, long atNanos, Evidence line) {
    if (e.busId() != null) {
      busId = e.busId();
    }
    nvmlDev = e.nvmlDev() >= 0 ? e.nvmlDev() : nvmlDev;
    if (comm == null) {
      if (e.phase() == NcclEvent.Phase.COMPLETE) {
        prove(UNNAMED, line);
      }
      return;
    }
    var membership = membership(comm);
    membership.rank = e.rank() >= 0 ? e.rank() : membership.rank;
    membership.nranks = e.nranks() >= 0 ? e.nranks() : membership.nranks;
    switch (e.phase()) {
      case START -> membership.proofs.putIfAbsent("start", line);
      case COMPLETE -> {
        membership.complete = true;
        membership.proofs.putIfAbsent("complete", line);
      }
      case DESTROY, ABORT -> {
        membership.ended = true;
        membership.endedNanos = Math.max(membership.endedNanos, atNanos);
      }
      case REVOKE -> membership.ended = true;
    }
  }

  private void edge(NcclEvent.Edge e, String comm, int repeat, Evidence line) {
    var label = Transports.label(e.transport());
    long from = comm.isEmpty() ? e.sourceBracket() : -1;
    long to = comm.isEmpty() ? e.targetBracket() : -1;
    var key = comm + "|" + e.source() + "|" + e.target() + "|" + label;
    if (comm.isEmpty()) {
      key += "|" + from + "|" + to;
      own(e, line.text());
    }
    var known = edges.get(key);
    if (known == null
        && (edges.size() >= MAX_EDGES
            || (transports.size() >= MAX_TRANSPORTS && !transports.contains(label)))) {
      return;
    }
    transports.add(label);
    edges.put(
        key,
        known == null
            ? new EdgeGroup(comm, e.source(), e.target(), from, to, e.transport(), repeat, line)
            : new EdgeGroup(
                comm,
                e.source(),
                e.target(),
                from,
                to,
                known.transport(),
                known.lines() + repeat,
                known.proof()));
  }

  /// Whoever prints an edge is its sender, or the receiver if the line says so.
  private void own(NcclEvent.Edge e, String text) {
    var device = NcclHead.device(text);
    if (device.isPresent() && rankByDevice.size() < MAX_GPUS) {
      int rank = e.direction() == NcclEvent.Direction.RECEIVE ? e.target() : e.source();
      rankByDevice.merge(
          device.getAsInt(), rank, (one, other) -> one.equals(other) ? one : SEVERAL);
    }
  }

  /// The ranks whose edges it prints, where no line names their communicator.
  public Collection<Integer> ranksOfEdges() {
    return rankByDevice.values().stream().filter(rank -> rank != SEVERAL).toList();
  }

  private void plugin(Step step, String name, Evidence line) {
    if (pluginLines.size() < MAX_PLUGIN_LINES) {
      pluginLines.add(new PluginLine(step, name, line));
    }
  }

  private void prove(String topic, Evidence line) {
    proofs.putIfAbsent(topic, line);
  }

  /// Gives up its part in a communicator that turned out to be several.
  void forget(String comm, boolean called) {
    var gone = memberships.remove(comm);
    var complete = gone == null ? null : gone.proof("complete");
    if (complete != null) {
      prove(UNNAMED, complete);
    }
    calledUnnamed |= called;
  }

  /// It makes calls on a communicator that no line names and that cannot be told from others.
  void calledUnnamed() {
    calledUnnamed = true;
  }

  /// Whether it does.
  public boolean callsUnnamed() {
    return calledUnnamed;
  }

  /// Whether a communicator of it is up, be it known which one or not.
  public boolean cameUp() {
    return proof(UNNAMED) != null || memberships.values().stream().anyMatch(Membership::complete);
  }

  /// Takes over what a line of its file says of the version that names no process: rank 0 prints it so for all (src/init.cc,
  /// `showVersion`). Of several the newest counts.
  void shareVersion(String version, Evidence line) {
    if (ncclVersion.isEmpty() || sharedVersion) {
      ncclVersion = version;
      sharedVersion = true;
      proofs.put("version", line);
    }
  }

  /// Its part in a communicator; of too many one that is not kept.
  private Membership membership(String comm) {
    var known = memberships.get(comm);
    if (known == null) {
      known = new Membership();
      if (memberships.size() < MAX_MEMBERSHIPS) {
        memberships.put(comm, known);
      }
    }
    return known;
  }

  void began(long nanos) {
    if (nanos != NO_TIME && (firstNanos == NO_TIME || nanos < firstNanos)) {
      firstNanos = nanos;
    }
  }

  /// It calls, and its init lines were not seen.
  void joinedLate() {
    joinedLate = true;
  }

  /// Whether an init line of it was not seen.
  boolean calledUnseen() {
    return joinedLate;
  }

  /// Whether nothing is known of its start: it ran before its log was read, or the log's beginning is gone.
  public boolean startUnseen() {
    return joinedLate && memberships.values().stream().allMatch(each -> each.proofs.isEmpty());
  }

  /// It is a rank of a communicator that came up before its log was read.
  void joined(String comm, int rank, int nranks) {
    var membership = membership(comm);
    membership.rank = rank;
    membership.nranks = nranks;
    membership.complete = true;
  }

  /// Its GPU, of which no line of its own tells.
  void holds(String itsBusId) {
    if (busId == null) {
      busId = itsBusId;
    }
  }

  /// It has given up the communicator.
  void destroyed(String comm, long atNanos) {
    var membership = memberships.get(comm);
    if (membership != null) {
      membership.ended = true;
      membership.endedNanos = Math.max(membership.endedNanos, atNanos);
    }
  }

  /// It made a collective call then.
  void called(long nanos) {
    lastCallNanos = Math.max(lastCallNanos, nanos);
  }

  /// Whether it has given up its largest communicators, all of them, and has called nothing since.
  public boolean tornDown() {
    int largest =
        memberships.values().stream()
            .filter(Membership::complete)
            .mapToInt(Membership::nranks)
            .max()
            .orElse(-1);
    return largest >= 0
        && memberships.values().stream()
            .filter(each -> each.complete() && each.nranks() == largest)
            .allMatch(Membership::ended)
        && (lastCallNanos == NO_TIME
            || tornDownNanos() == NO_TIME
            || lastCallNanos <= tornDownNanos());
  }

  /// When it gave up the last of its communicators, NO_TIME if unknown.
  long tornDownNanos() {
    return memberships.values().stream()
        .mapToLong(Membership::endedNanos)
        .reduce(NO_TIME, Math::max);
  }

  /// Unique for ever: log source, host and pid.
  public String id() {
    return id;
  }

  public LogSource source() {
    return source;
  }

  public int pid() {
    return pid;
  }

  /// Whether it stands for lines that name no process.
  boolean nobody() {
    return pid < 0;
  }

  /// Host name in NCCL's header, empty where no line said; in a pod it is the pod's.
  public String host() {
    return host;
  }

  /// The machine, as far as anybody named it: the agent's node, else the host that NCCL prints.
  public String node() {
    return host.isEmpty() || source.nodeKnown() && !gathered ? source.node() : host;
  }

  /// Names the host among those of a run: one machine may hold several, as pods do.
  public String hostId() {
    return node() + "|" + host;
  }

  /// A launcher has written its log for several hosts.
  void gathered() {
    gathered = true;
  }

  /// PCI bus id of its GPU, null if no line said.
  public @Nullable String busId() {
    return busId;
  }

  /// NVML index of its GPU, -1 if no line said.
  public int nvmlDev() {
    return nvmlDev;
  }

  public String ncclVersion() {
    return ncclVersion;
  }

  public String pluginVersion() {
    return pluginVersion;
  }

  public String libfabricVersion() {
    return libfabricVersion;
  }

  /// Instance type as the OFI plugin names it, empty if it did not.
  public String instanceType() {
    return instanceType;
  }

  /// The libfabric provider that the plugin selected, empty if none.
  public String provider() {
    return provider;
  }

  /// NICs that the plugin found, -1 if it did not say.
  public int nics() {
    return nics;
  }

  /// When its first line was written, NO_TIME if unknown.
  public long firstNanos() {
    return firstNanos;
  }

  /// Variables by name.
  public Map<String, Variable> environment() {
    return environment;
  }

  /// The value of a variable, empty if not set.
  public String variable(String name) {
    var variable = environment.get(name);
    return variable == null ? "" : variable.value();
  }

  /// By communicator.
  public Map<String, Membership> memberships() {
    return memberships;
  }

  public Iterable<EdgeGroup> edges() {
    return edges.values();
  }

  private void branch(NcclEvent.TopologyBranch branch, Evidence line) {
    int device = NcclHead.device(line.text()).orElse(-1);
    if (!branch.nvlink()) {
      if (branching.size() < MAX_GPUS || branching.containsKey(device)) {
        branching.put(device, branch.to());
      }
      return;
    }
    var gpu = branching.get(device);
    var known = gpu == null ? null : ways.get(gpu);
    if (gpu == null
        || known == null && ways.size() >= MAX_GPUS
        || known != null && (!known.ofTree() || known.leadsTo(branch.to()))) {
      return;
    }
    var paths =
        new ArrayList<NcclEvent.GraphPath>(known == null ? List.of() : known.paths().paths());
    paths.add(new NcclEvent.GraphPath(branch.to(), 1, branch.bwGBps(), "NVL"));
    ways.put(
        gpu,
        new Ways(new NcclEvent.GpuPaths(gpu, paths), known == null ? line : known.proof(), true));
  }

  /// The ways from each GPU of its machine by the GPU's bus id, as NCCL sees them; empty without GRAPH lines.
  public Map<String, Ways> ways() {
    return ways;
  }

  public List<PluginLine> pluginLines() {
    return pluginLines;
  }

  public List<Warned> warnings() {
    return warnings;
  }

  /// The last of many attempts to connect to a peer (src/misc/socket.cc: the n-th is followed by a pause of n
  /// times 100 ms); null if connecting took fewer. A peer that starts late is met before that.
  public @Nullable Warned unreachable() {
    return unreachable;
  }

  /// How often it tried to reach a peer that did not answer, the last time.
  public int connectAttempts() {
    return connectAttempts;
  }

  /// The line that says so, by topic: `version`, `interface`, `network`, `ofi`, `plugin-version`,
  /// `platform`, `provider`, `provider-filter`, `p2p`, `ib-devices`, `no-ib-device`, `gdr-enabled` and
  /// `gdr-disabled` (GPUDirect RDMA of a card that is no socket), `nvls`,
  /// `no-nvls`, `nvls-lost`, `unnamed` (a communicator is up of which no line tells which one).
  public @Nullable Evidence proof(String topic) {
    return proofs.get(topic);
  }
}
