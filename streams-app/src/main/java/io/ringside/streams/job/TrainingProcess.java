package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.LogSource;
import io.ringside.streams.fact.Writer;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.OfiEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One training process and everything that its lines state about it. Normally it owns one GPU and
/// is one global rank.
public final class TrainingProcess {
  private static final int MAX_WARNINGS = 24;

  /// Refused attempts from which a peer counts as unreachable. Peers that come up later refuse at
  /// first.
  private static final int MANY_REFUSED = 20;

  /// The same for unanswered attempts. Each one costs minutes.
  private static final int MANY_UNANSWERED = 3;

  private static final int MAX_PLUGIN_LINES = 16;

  /// NCCL and its plugins know some 300 variables.
  private static final int MAX_VARIABLES = 512;

  private static final int MAX_MEMBERSHIPS = 256;

  /// What a statement takes besides its text, about.
  private static final int STATEMENT_BYTES = 256;

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
  private String networkInterface = "";
  private int nics = -1;
  private List<String> hcas = List.of();
  private int failedCall;
  private final IbPorts ibPorts = new IbPorts();
  private long firstNanos = NO_TIME;
  private long lastCallNanos = NO_TIME;
  private boolean joinedLate;
  private boolean calledUnnamed;
  private boolean sharedVersion;
  private final Map<Statement, Evidence> proofs = new TreeMap<>();
  private final Map<String, Variable> environment = new TreeMap<>();
  private Map<String, Variable> declared = Map.of();
  private final Map<String, Membership> memberships = new TreeMap<>();
  private final Edges edges = new Edges();
  private final MachinePaths ways = new MachinePaths();
  private final List<PluginLine> pluginLines = new ArrayList<>();
  private final List<Warned> warnings = new ArrayList<>();
  private @Nullable Warned unreachable;
  private int connectAttempts;

  /// What its statements take, about.
  private int bytes;

  private transient int grown;

  /// Whether its log holds lines of several hosts, so that the node that read the log is not the
  /// machine of all its processes.
  private boolean gathered;

  TrainingProcess() {}

  TrainingProcess(String id, LogSource source, Writer writer) {
    this.id = id;
    this.source = source;
    this.host = writer.hostOf(source);
    this.pid = writer.pid();
  }

  /// What a line reports about the setup of a network.
  public enum Step {
    LOADED,
    MISSING,
    FAILED,
    INITIALISED,
    NO_PROVIDER
  }

  /// A line about the setup of a network plugin.
  public record PluginLine(Step step, String name, Evidence proof) {}

  /// A variable as this process sees it.
  public record Variable(String value, boolean byPlugin, Evidence proof) {}

  /// A WARN line.
  public record Warned(String message, Evidence proof) {}

  /// Kinds of statements in its lines. The first line of each kind is kept.
  public enum Statement {
    VERSION,
    INTERFACE,
    NETWORK,
    OFI,
    PLUGIN_VERSION,
    PLATFORM,
    PROVIDER,
    PROVIDER_FILTER,
    P2P,
    P2P_UNAVAILABLE,
    IB_DEVICES,
    NO_IB_DEVICE,
    /// GPUDirect RDMA of a network other than sockets.
    GDR_ENABLED,
    GDR_DISABLED,
    NVLS,
    NO_NVLS,
    NVLS_LOST,
    /// A call of the program returned an error.
    CALL_FAILED,
    /// A communicator is up, but no line names it.
    UNNAMED
  }

  /// Notes one event with its line. Repeats change nothing; of contradictory lines the first of the
  /// file counts, so that the order of arrival does not matter.
  void note(NcclEvent event, @Nullable String comm, int repeat, long atNanos, Evidence line) {
    if (!addsLittle(event)) {
      keeps(line);
    }
    switch (event) {
      case NcclEvent.Version e -> {
        ncclVersion = e.nccl();
        sharedVersion = false;
        prove(Statement.VERSION, line);
      }
      case NcclEvent.EnvironmentSet e -> {
        var known = environment.get(e.name());
        if (known == null ? environment.size() < MAX_VARIABLES : !e.byPlugin()) {
          boolean byPlugin = e.byPlugin() || (known != null && known.byPlugin());
          environment.put(e.name(), new Variable(e.value(), byPlugin, line));
        }
      }
      case NcclEvent.InterfaceChosen e -> {
        networkInterface = networkInterface.isEmpty() ? e.address() : networkInterface;
        prove(Statement.INTERFACE, line);
      }
      case NcclEvent.NetPluginLoaded e -> plugin(Step.LOADED, e.name(), line);
      case NcclEvent.NetPluginMissing e -> plugin(Step.MISSING, e.library(), line);
      case NcclEvent.NetPluginFailed e -> plugin(Step.FAILED, e.name(), line);
      case NcclEvent.NetPluginInitialised e -> plugin(Step.INITIALISED, e.name(), line);
      case NcclEvent.Warning e -> {
        if (warnings.size() < MAX_WARNINGS) {
          warnings.add(new Warned(e.message(), line));
          keeps(line);
        }
      }
      case NcclEvent.ConnectRetry e -> retried(e, line);
      case NcclEvent.CallFailed e -> {
        failedCall = failedCall == 0 ? e.result() : failedCall;
        prove(Statement.CALL_FAILED, line);
      }
      case NcclEvent.NetDevices e -> {
        if (e.network().equals("IB") && !e.devices().isEmpty()) {
          hcas = hcas.isEmpty() ? e.devices() : hcas;
          prove(Statement.IB_DEVICES, line);
        }
      }
      case NcclEvent.IbPort e -> ibPorts.note(e, line);
      case NcclEvent.NoIbDevice _ -> prove(Statement.NO_IB_DEVICE, line);
      case NcclEvent.GdrSupport e -> {
        if (!e.network().equals("Socket")) {
          prove(e.enabled() ? Statement.GDR_ENABLED : Statement.GDR_DISABLED, line);
        }
      }
      case NcclEvent.NvlsSupport e ->
          prove(
              switch (e.state()) {
                case AVAILABLE -> Statement.NVLS;
                case MISSING -> Statement.NO_NVLS;
                case LOST -> Statement.NVLS_LOST;
              },
              line);
      case NcclEvent.GpuPaths e -> ways.add(e, line);
      case NcclEvent.TopologyBranch e -> ways.add(e, line);
      case NcclEvent.P2pCheck _ -> prove(Statement.P2P, line);
      case NcclEvent.P2pUnavailable _ -> prove(Statement.P2P_UNAVAILABLE, line);
      case NcclEvent.NetworkChosen e -> {
        membership(comm == null ? "" : comm).uses(e.name(), line);
        prove(Statement.NETWORK, line);
      }
      case NcclEvent.CommInit e -> init(e, comm, atNanos, line);
      case NcclEvent.GraphPattern e -> membership(comm).searched(e, line);
      case NcclEvent.CommNodes e -> membership(comm).counts(e, line);
      case NcclEvent.BootstrapTimings e -> membership(comm).bootstrapped(e, line);
      case NcclEvent.Channels e -> membership(comm).has(e, line);
      case NcclEvent.RingsConnected e -> membership(comm).connected(e, line);
      case NcclEvent.TreesConnected _ -> membership(comm).treesConnected(line);
      case NcclEvent.Collective e -> membership(comm).sendsTo(e.root());
      case NcclEvent.Posted e -> membership(comm).posted(e, atNanos, line);
      case NcclEvent.Edge e -> edges.add(e, comm == null ? "" : comm, repeat, line);
      case NcclEvent.Declared _, NcclEvent.Spliced _ -> {}
    }
  }

  /// Counts what a statement takes: its text, and what was read from it.
  private void keeps(Evidence line) {
    int more = STATEMENT_BYTES + 2 * line.text().length();
    bytes += more;
    grown += more;
  }

  /// Whether such a statement takes the place of the one before, or is kept only if there is room.
  private static boolean addsLittle(NcclEvent event) {
    return event instanceof NcclEvent.Warning
        || event instanceof NcclEvent.ConnectRetry
        || event instanceof NcclEvent.TopologyBranch
        || event instanceof NcclEvent.Collective
        || event instanceof NcclEvent.Posted;
  }

  /// What its statements have taken since the last call, in bytes, about.
  int takeGrown() {
    int more = grown;
    grown = 0;
    return more;
  }

  /// Adds what its statements take to the sum of its node.
  void addBytesTo(Map<String, Long> byNode) {
    byNode.merge(source.node(), (long) bytes, Long::sum);
  }

  /// Records that lines were lost.
  void cut(String comm) {
    membership(comm).cut();
  }

  /// Notes a line of the OFI plugin.
  void note(OfiEvent event, Evidence line) {
    keeps(line);
    prove(Statement.OFI, line);
    switch (event) {
      case OfiEvent.PluginVersion e -> {
        pluginVersion = e.version();
        prove(Statement.PLUGIN_VERSION, line);
      }
      case OfiEvent.LibfabricVersion e -> libfabricVersion = e.version();
      case OfiEvent.Platform e -> {
        instanceType = e.instanceType();
        prove(Statement.PLATFORM, line);
      }
      case OfiEvent.Provider e -> {
        provider = e.provider();
        nics = e.nics();
        prove(Statement.PROVIDER, line);
      }
      case OfiEvent.NoProvider _ -> plugin(Step.NO_PROVIDER, "Libfabric", line);
      case OfiEvent.ProviderFilter _ -> prove(Statement.PROVIDER_FILTER, line);
    }
  }

  private void init(NcclEvent.CommInit e, @Nullable String comm, long atNanos, Evidence line) {
    busId = e.busId() == null ? busId : e.busId();
    nvmlDev = e.nvmlDev() >= 0 ? e.nvmlDev() : nvmlDev;
    membership(comm).init(e, atNanos, line);
    if (comm == null && e.phase() == NcclEvent.Phase.COMPLETE) {
      prove(Statement.UNNAMED, line);
    }
  }

  private void retried(NcclEvent.ConnectRetry e, Evidence line) {
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

  /// The ranks whose edges it prints, where no line names their communicator.
  public Collection<Integer> ranksOfEdges() {
    return edges.ownRanks();
  }

  private void plugin(Step step, String name, Evidence line) {
    if (pluginLines.size() < MAX_PLUGIN_LINES) {
      pluginLines.add(new PluginLine(step, name, line));
    }
  }

  private void prove(Statement statement, Evidence line) {
    proofs.putIfAbsent(statement, line);
  }

  /// Gives up its membership in a communicator that turned out to be several.
  void forget(String comm, boolean called) {
    var gone = memberships.remove(comm);
    var complete = gone == null ? null : gone.proof(Membership.Statement.COMPLETE);
    if (complete != null) {
      prove(Statement.UNNAMED, complete);
    }
    calledUnnamed |= called;
  }

  /// Records that it makes calls on a communicator that no line names and that cannot be told from
  /// others.
  void calledUnnamed() {
    calledUnnamed = true;
  }

  /// Whether it makes calls on such a communicator.
  public boolean callsUnnamed() {
    return calledUnnamed;
  }

  /// Whether it makes Sends or Recvs.
  public boolean exchanges() {
    return memberships.values().stream().anyMatch(part -> !part.posted().isEmpty());
  }

  /// Whether any communicator of it is up, named or not.
  public boolean cameUp() {
    return proof(Statement.UNNAMED) != null
        || memberships.values().stream().anyMatch(Membership::complete);
  }

  /// Takes over the version from a line of its file that names no process: rank 0 prints it for all
  /// (src/init.cc, `showVersion`). Of several such lines the newest counts.
  void shareVersion(String version, Evidence line) {
    if (ncclVersion.isEmpty() || sharedVersion) {
      ncclVersion = version;
      sharedVersion = true;
      proofs.put(Statement.VERSION, line);
    }
  }

  /// Its membership in a communicator. If the communicator is unknown, or there are too many, the
  /// result is not kept.
  private Membership membership(@Nullable String comm) {
    if (comm == null) {
      return new Membership();
    }
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

  /// Records that it makes calls although its init lines were not seen.
  void joinedLate() {
    joinedLate = true;
  }

  /// Whether an init line of it was not seen.
  boolean calledUnseen() {
    return joinedLate;
  }

  /// Whether nothing is known of its start: it ran before its log was read, or the log's beginning
  /// is gone.
  public boolean startUnseen() {
    return joinedLate && memberships.values().stream().allMatch(Membership::unstated);
  }

  /// Records that it is a rank of a communicator that came up before its log was read.
  void joined(String comm, int rank, int nranks) {
    membership(comm).joined(rank, nranks);
  }

  /// Records its GPU, which none of its own lines names.
  void holds(String itsBusId) {
    if (busId == null) {
      busId = itsBusId;
    }
  }

  /// Records that it has given up the communicator.
  void destroyed(String comm, long atNanos) {
    var membership = memberships.get(comm);
    if (membership != null) {
      membership.ended(atNanos);
    }
  }

  /// When it made its last collective call, NO_TIME if no line of a call shows it.
  public long lastCallNanos() {
    return lastCallNanos;
  }

  /// Records a collective call at this time.
  void called(long nanos) {
    lastCallNanos = Math.max(lastCallNanos, nanos);
  }

  /// Whether it has given up all of its largest communicators and has made no call since.
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

  /// Unique forever: log source, host and pid.
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

  /// Host name in NCCL's header, empty if no line has one; in a pod it is the pod's name.
  public String host() {
    return host;
  }

  /// The machine, as far as it is known: the agent's node, else the host that NCCL prints.
  public String node() {
    return host.isEmpty() || source.nodeKnown() && !gathered ? source.node() : host;
  }

  /// Identifies the host among those of a run: one machine may have several hosts, such as pods.
  public String hostId() {
    return node() + "|" + host;
  }

  /// Records that a launcher has written its log for several hosts.
  void gathered() {
    gathered = true;
  }

  /// PCI bus id of its GPU, null if no line states it.
  public @Nullable String busId() {
    return busId;
  }

  /// NVML index of its GPU, -1 if no line states it.
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

  /// Number of NICs that the plugin found, -1 if it did not print it.
  public int nics() {
    return nics;
  }

  /// Result of the first call that failed, as an `ncclResult_t`; 0 if none is known.
  public int failedCall() {
    return failedCall;
  }

  /// Ports of HCAs that NCCL itself found, as it writes them (`mlx5_0:1/IB`); empty if it named
  /// none.
  public List<String> hcas() {
    return hcas;
  }

  /// Ports of its HCAs, with the speed at which each link came up.
  public IbPorts ibPorts() {
    return ibPorts;
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

  /// The libfabric provider that is requested, by a line of NCCL or the plugin, or of a shell that
  /// printed what it exported; empty if there is none.
  public String askedProvider() {
    return wantedValue("FI_PROVIDER");
  }

  /// The variable as NCCL or a plugin prints it, else as a shell, a list of the environment or a
  /// launcher declared it; null if no line has it.
  public @Nullable Variable wanted(String name) {
    var variable = environment.get(name);
    return variable == null ? declared.get(name) : variable;
  }

  /// Its value, empty if no line has it.
  public String wantedValue(String name) {
    var variable = wanted(name);
    return variable == null ? "" : variable.value();
  }

  void declared(Map<String, Variable> variables) {
    declared = variables;
  }

  /// Memberships by communicator.
  public Map<String, Membership> memberships() {
    return memberships;
  }

  public Iterable<EdgeGroup> edges() {
    return edges.groups();
  }

  /// Paths from each GPU of its machine, as NCCL sees them, by the GPU's bus id; empty without
  /// GRAPH lines.
  public Map<String, MachinePaths.Ways> ways() {
    return ways.byBusId();
  }

  /// PCIe links of its machine by the GPU's bus id, or by `NIC/` and the card's address; empty if
  /// no line shows the machine's topology tree.
  public Map<String, MachinePaths.Slot> slots() {
    return ways.slots();
  }

  public List<PluginLine> pluginLines() {
    return pluginLines;
  }

  public List<Warned> warnings() {
    return warnings;
  }

  /// The last of many attempts to connect to a peer (src/misc/socket.cc: the n-th is followed by a
  /// pause of n times 100 ms); null if connecting took fewer. A peer that starts late is reached
  /// before that.
  public @Nullable Warned unreachable() {
    return unreachable;
  }

  /// Number of the last attempt to reach a peer that did not answer.
  public int connectAttempts() {
    return connectAttempts;
  }

  /// The interface that bootstrap chose, with its address: `eth0:10.0.4.51<0>`; empty if no line
  /// names it.
  public String networkInterface() {
    return networkInterface;
  }

  /// The line that states it, null if none does.
  public @Nullable Evidence proof(Statement statement) {
    return proofs.get(statement);
  }
}
