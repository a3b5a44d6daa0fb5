package io.ringside.lab.simulate;

/// The NCCL releases whose lines are generated; what differs between them in what a job prints.
/// Facts from the format strings of NVIDIA/nccl at these tags.
public enum NcclVersion {
  V2_10("2.10.3", "11.4", 10),
  V2_11("2.11.4", "11.5", 11),
  V2_12("2.12.12", "11.6", 12),
  V2_13("2.13.4", "11.7", 13),
  V2_14("2.14.3", "11.7", 14),
  V2_15("2.15.5", "11.8", 15),
  V2_16("2.16.2", "11.8", 16),
  V2_17("2.17.1", "12.1", 17),
  V2_18("2.18.3", "12.1", 18),
  V2_19("2.19.3", "12.3", 19),
  V2_20("2.20.5", "12.4", 20),
  V2_21("2.21.5", "12.4", 21),
  V2_22("2.22.3", "12.6", 22),
  V2_23("2.23.4", "12.6", 23),
  V2_24("2.24.3", "12.6", 24),
  V2_25("2.25.1", "12.8", 25),
  V2_26("2.26.5", "12.9", 26),
  V2_27("2.27.3", "12.9", 27),
  V2_28("2.28.9", "13.0", 28),
  V2_29("2.29.7", "13.1", 29),
  V2_30("2.30.7", "13.1", 30);

  private final String nccl;
  private final String cuda;
  private final int minor;

  NcclVersion(String nccl, String cuda, int minor) {
    this.nccl = nccl;
    this.cuda = cuda;
    this.minor = minor;
  }

  /// As `NCCL version 2.27.3+cuda12.9` says it.
  String line() {
    return "NCCL version " + nccl + "+cuda" + cuda;
  }

  /// For example `2.27.3`.
  String number() {
    return nccl;
  }

  boolean since(int release) {
    return minor >= release;
  }

  /// Whether communicators show an id that all ranks share (2.16.2).
  boolean commIds() {
    return since(16);
  }

  /// Whether the start of an init is shown as well as its end, and the GPU's index in NVML beside
  /// its bus id (2.18.3). Up to then edges name bus ids.
  boolean startLines() {
    return since(18);
  }

  /// What follows the channel's number on an edge: the connection's, for P2P since 2.14, for
  /// networks since 2.12.
  String connection(boolean network) {
    return since(network ? 12 : 14) ? "/0" : "";
  }

  /// The plugin that goes with the release: its own name as `Using network` says it (`Libfabric`
  /// since plugin 1.13).
  String libfabricName() {
    return since(27) ? "Libfabric" : "AWS Libfabric";
  }

  /// The function name of an init line, with its blank; up to 2.20 it has none.
  String api(String name) {
    return since(21) ? name + " " : "";
  }

  /// Whether each rank prints the version line with a header; before, rank 0 alone prints it bare.
  boolean versionOnEveryRank() {
    return since(22);
  }

  /// Whether splits name parent and count instead of a commId of their own (2.23.4).
  boolean splitsWithoutId() {
    return since(23);
  }

  /// Whether the bootstrap's timings are printed (2.23.4).
  boolean bootstrapTimings() {
    return since(23);
  }

  /// Whether lines can carry time stamps with fractions (2.26.3).
  public boolean stamps() {
    return since(26);
  }

  /// Whether connections are made at first use, after init (2.22.3).
  boolean lazyConnections() {
    return since(22);
  }

  /// Whether `opCount` counts work over a network only (2.27.3).
  boolean countsNetworkOnly() {
    return since(27);
  }

  /// Whether ring lines say PXN and GDR (2.24.3).
  boolean ringsSayGdr() {
    return since(24);
  }

  /// How P2P edges over CUDA memory are named: driver-managed memory is the default since 2.19 only
  /// where the driver allows it, so 2.19 shows IPC here.
  String p2pKind() {
    return since(21) ? "CUMEM" : "IPC";
  }

  /// Shared memory as edges name it.
  String shm() {
    return since(30) ? "SHM/direct" : since(13) ? "SHM/direct/direct" : "direct shared memory";
  }

  /// Whether `Destroy COMPLETE` is shown by default.
  boolean showsDestroy() {
    return !since(30);
  }
}
