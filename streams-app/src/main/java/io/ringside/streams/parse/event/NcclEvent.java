package io.ringside.streams.parse.event;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What NCCL reports about itself. Formats: NCCL sources, tags 2.4 to 2.30.7; file names are those
/// of 2.27.3.
public sealed interface NcclEvent extends LineEvent {

  /// `NCCL version 2.27.3+cuda12.9` (src/init.cc).
  record Version(String nccl) implements NcclEvent {}

  /// A variable that NCCL took from the environment, or that a plugin set.
  record EnvironmentSet(String name, String value, boolean byPlugin) implements NcclEvent {}

  /// Variables that a shell exports, an environment lists or a launcher passes on. The line does
  /// not say which process gets them.
  ///
  /// @param variables the variables; one that is unset has an empty value
  /// @param ofCommand whether they apply only to the processes of one command
  record Declared(List<EnvironmentSet> variables, boolean ofCommand) implements NcclEvent {
    public Declared {
      variables = List.copyOf(variables);
    }
  }

  /// `Bootstrap: Using eth0:10.0.4.51<0>`.
  record InterfaceChosen(String address) implements NcclEvent {}

  /// `NET/Plugin: Loaded net plugin Libfabric (v10)`: symbol found, not yet initialised.
  record NetPluginLoaded(String name) implements NcclEvent {}

  /// The plugin's library is absent or cannot be loaded; NCCL continues with its own networks.
  record NetPluginMissing(String library) implements NcclEvent {}

  /// `Initialized NET plugin Libfabric` (since 2.27.3).
  record NetPluginInitialised(String name) implements NcclEvent {}

  /// `Failed to initialize NET plugin Libfabric` (since 2.28.3; also printed for IB on hosts
  /// without IB).
  record NetPluginFailed(String name) implements NcclEvent {}

  /// `Using network Libfabric`: NCCL's choice for one communicator on one rank.
  record NetworkChosen(String name) implements NcclEvent {}

  /// `NET/IB : Using [0]mlx5_0:1/IB [RO]; OOB eth0:…` and `NET/Socket : Using [0]eth0:…`.
  /// The list is empty for the IB line that 2.24.3 and later print without any device.
  record NetDevices(String network, List<String> devices) implements NcclEvent {}

  /// `NET/IB: [0] mlx5_0:uverbs0:1/IB provider=Mlx5 speed=400000 …` (since 2.27.3,
  /// src/transport/net_ib) and `NET/IB : Made virtual device [0] name=mlx5_0 speed=400000 …` (since
  /// 2.24.3).
  ///
  /// @param name name of the HCA, or of several HCAs that are used as one
  /// @param mbps negotiated speed of the port's link, in Mb/s
  record IbPort(String name, long mbps) implements NcclEvent {}

  /// `NET/IB : No device found.` Harmless where the fabric is not InfiniBand.
  record NoIbDevice() implements NcclEvent {}

  /// `NET/Libfabric : GPU Direct RDMA Enabled for HCA 0 'rdmap0'`.
  record GdrSupport(String network, boolean enabled) implements NcclEvent {}

  /// Which stage of its life a communicator reached.
  enum Phase {
    START,
    COMPLETE,
    DESTROY,
    /// Abort begun or done.
    ABORT,
    /// Revoke begun or done (2.28.7 and later).
    REVOKE
  }

  /// `ncclCommInitRankConfig comm 0x… rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 101d0 commId 0x… -
  /// Init START` in all its versions (src/init.cc).
  ///
  /// @param phase START, COMPLETE, …
  /// @param comm pointer, `0x…`: valid in one process only and reused after a destroy
  /// @param rank rank within this communicator
  /// @param nranks size of this communicator
  /// @param cudaDev CUDA device
  /// @param nvmlDev NVML index (since 2.18.3), else -1
  /// @param busId PCI bus id as `0000:10:1d.0`, else null
  /// @param commId hash equal on all ranks (not on split lines since 2.23.4), else null
  /// @param parent pointer of the parent of a split, else null
  /// @param splitCount number of splits of the parent, including this one; -1 where absent
  /// @param color colour of a split; 0 where absent
  record CommInit(
      Phase phase,
      String comm,
      int rank,
      int nranks,
      int cudaDev,
      int nvmlDev,
      @Nullable String busId,
      @Nullable String commId,
      @Nullable String parent,
      int splitCount,
      int color)
      implements NcclEvent {}

  /// `comm 0x… rank 0 nRanks 4 nNodes 4 localRanks 1 localRank 0 MNNVL 0`. NCCL tells nodes apart
  /// by a hash of the host name: pods of one machine count as several nodes.
  record CommNodes(String comm, int nodes, int localRanks) implements NcclEvent {}

  /// `Bootstrap timings total 59.8 (create …, send …, recv …, ring …, delay …)` (since 2.23.4).
  record BootstrapTimings(
      double totalSeconds,
      double createSeconds,
      double sendSeconds,
      double recvSeconds,
      double ringSeconds,
      double delaySeconds)
      implements NcclEvent {}

  /// `24 coll channels, 24 collnet channels, 0 nvls channels, 32 p2p channels, 32 p2p channels per
  /// peer`; -1 for a number that the version does not print.
  record Channels(int coll, int nvls) implements NcclEvent {}

  /// `Pattern 4, crossNic 0, nChannels 2, bw 20.0/20.0, type PHB/PIX, sameChannels 1` (GRAPH).
  ///
  /// @param pattern 4 is the ring
  /// @param bwIntraGBps bandwidth of a channel within the machine, the number before the `/`, in
  ///   GB/s
  /// @param typeIntra type of the path within the machine, the text before the `/`
  record GraphPattern(int pattern, int channels, double bwIntraGBps, String typeIntra)
      implements NcclEvent {}

  /// `GPU/0-17000 :GPU/0-17000 (0/5000.0/LOC) GPU/0-65000 (1/240.0/NVL) CPU/0-0 (1/24.0/PHB)`
  /// (GRAPH): the paths that NCCL sees from one GPU. Until 2.18 the ids lack the number of the
  /// machine, `GPU/17000`.
  ///
  /// @param busId of the GPU
  /// @param paths in the order of the line, which NCCL cuts off after about 1,000 bytes
  record GpuPaths(String busId, List<GraphPath> paths) implements NcclEvent {
    public GpuPaths {
      paths = List.copyOf(paths);
    }
  }

  /// A branch of the machine's tree that NCCL prints (GRAPH): `+ PCI[24.0] - GPU/0-17000 (0)` for a
  /// GPU, `+ NVL[240.0] - NVS/0-0` for its NVLinks in the lines after it, and
  /// `+ PCI[24.0] - NIC/0-18000` for a network card.
  ///
  /// @param to bus id of a GPU, `NVS`, or `NIC/` with the card's address as it is printed
  record TopologyBranch(boolean nvlink, double bwGBps, String to) implements NcclEvent {}

  /// One path of a [GpuPaths].
  ///
  /// @param to bus id of a GPU; for other ends the kind, `CPU`, `NET` …
  /// @param hops 1 for neighbours
  /// @param type `NVL`, `PIX`, `PXB`, `PHB`, `SYS` …
  record GraphPath(String to, int hops, double bwGBps, String type) {}

  /// The direction of an edge, seen from the process that prints it.
  enum Direction {
    SEND,
    RECEIVE,
    /// The sender prints P2P and SHM edges, without a direction.
    NONE
  }

  /// `Channel 00/0 : 3[0] -> 0[0] [receive] via NET/Libfabric/0/GDRDMA`.
  ///
  /// @param source rank in the communicator
  /// @param target rank in the communicator
  /// @param sourceBracket the text in brackets read as hexadecimal: up to 2.18.1 the packed bus id
  ///     (see [NcclEvent#busId]), from 2.18.3 the decimal NVML index; -1 where not printed
  record Edge(
      int source,
      int target,
      Direction direction,
      Transport transport,
      long sourceBracket,
      long targetBracket)
      implements NcclEvent {

    /// An edge without the values in brackets.
    public Edge(int source, int target, Direction direction, Transport transport) {
      this(source, target, direction, transport, -1, -1);
    }
  }

  /// `Connected all rings, use ring PXN 0 GDR 1`; -1 where the version does not say. GDR is the AND
  /// over all ranks of the communicator.
  record RingsConnected(int gdr) implements NcclEvent {}

  /// `Connected all trees` or `Connected binomial trees`.
  record TreesConnected() implements NcclEvent {}

  /// `Check P2P Type isAllDirectP2p 0 directMode 0`. Up to 2.28.3 it is also 0 if there is only one
  /// local rank.
  record P2pCheck() implements NcclEvent {}

  /// `P2P is disabled between connected GPUs 0 and 1.` or
  /// `Could not enable P2P between dev 0(=…) and dev 1(=…)`.
  record P2pUnavailable() implements NcclEvent {}

  /// `NVLS multicast support is available on dev 0`, its negation, and
  /// `… Proceeding without NVLS support.`
  record NvlsSupport(Nvls state) implements NcclEvent {}

  /// Availability of NVLink SHARP on a machine, as a rank finds it.
  enum Nvls {
    AVAILABLE,
    MISSING,
    /// Supported, but multicast memory could not be obtained.
    LOST
  }

  /// A line of `NCCL_DEBUG_SUBSYS=COLL`, printed when the host enqueues the operation.
  ///
  /// @param op AllReduce, AllGather, … : always one of a fixed set of instances
  /// @param comm pointer of the communicator
  /// @param count elements; per rank for AllGather and ReduceScatter
  /// @param datatype ncclDataType_t
  /// @param root root, or the peer for Send and Recv
  /// @param opCount NCCL's count of earlier work on the communicator: up to 2.26.6 every launch,
  ///   since 2.27.3 only operations that a proxy of this rank helps with (`ncclProxyStart` in
  ///   src/proxy.cc), so that ranks differ or stay at 0
  /// @param nranks size of the communicator
  record Collective(
      String op, String comm, long count, int datatype, int root, long opCount, int nranks)
      implements NcclEvent {
    /// A pipeline stage sends to one or two peers. A rank with this many peers exchanges data with
    /// all ranks.
    public static final int MANY_PEERS = 3;

    /// Whether all ranks of the communicator call it.
    public boolean ofAllRanks() {
      return switch (op) {
        case "Send", "Recv", "PutSignal", "Signal", "WaitSignal" -> false;
        default -> true;
      };
    }
  }

  /// Number of Sends and Recvs that a process has posted to a peer on a communicator. They are
  /// counted from their lines, because no sequence number aligns them as it does collective calls.
  record Posted(int peer, long sends, long receives) implements NcclEvent {}

  /// `group.cc:422 -> 2`: an error has reached the call that the program made
  /// (src/include/checks.h).
  ///
  /// @param result value of `ncclResult_t`: 1 CUDA, 2 system, 3 internal, 6 remote
  record CallFailed(int result) implements NcclEvent {}

  /// A WARN line, of NCCL or of a plugin (`NET/OFI …`), and an ABORT line of the oldest versions.
  ///
  /// @param message text after `NCCL WARN `
  record Warning(String message) implements NcclEvent {}

  /// `… connect to 10.0.0.1<51234> returned Connection refused, retrying (3/34) after sleep for 300
  /// msec`.
  ///
  /// @param peer address of the peer, or empty where the version does not print it
  /// @param attempt number of the attempt, or -1
  record ConnectRetry(String peer, String reason, int attempt, int attempts) implements NcclEvent {}

  /// Text was lost or mixed here: a line is cut short, or one line holds two. It shows that C stdio
  /// was block-buffered and shared, so arrival times and ordinals of this process mean little.
  record Spliced() implements NcclEvent {}

  /// Unpacks a bus id that NCCL prints with `%lx`: `0x101d0` is `0000:10:1d.0` (src/misc/utils.cc).
  static String busId(long packed) {
    var domain = packed >>> 20;
    var digits = Math.max(4, (67 - Long.numberOfLeadingZeros(domain)) / 4);
    var out = new byte[digits + ":00:00.0".length()];
    for (var i = 0; i < digits; i++) {
      out[i] = hex(domain >>> 4 * (digits - 1 - i));
    }
    out[digits] = ':';
    out[digits + 1] = hex(packed >>> 16);
    out[digits + 2] = hex(packed >>> 12);
    out[digits + 3] = ':';
    out[digits + 4] = hex(packed >>> 8);
    out[digits + 5] = hex(packed >>> 4);
    out[digits + 6] = '.';
    out[digits + 7] = hex(packed);
    return new String(out, StandardCharsets.ISO_8859_1);
  }

  private static byte hex(long digits) {
    return (byte) "0123456789abcdef".charAt((int) digits & 15);
  }
}
