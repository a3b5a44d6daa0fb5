package io.ringside.streams.expect;

import io.ringside.platform.config.Require;
import java.util.Set;
import java.util.TreeSet;

/// What a cloud machine contains, and the bandwidth of its links.
///
/// @param gpu model of its GPUs, a key of `gpuModels`
/// @param gpus number of GPUs
/// @param nvlinkGBps bandwidth of one GPU's NVLinks in one direction, in GB/s (10^9 bytes); 0
///   without NVLink
/// @param efa number of EFA interfaces, 0 for none
/// @param networkGbps bandwidth of all network cards together, in Gbit/s
/// @param gdr whether NICs access GPU memory directly, as far as NCCL's lines show it
/// @param fabric the network between the machines other than EFA: `ib`, `roce`, `tcpx`, `fastrak`,
///     `gib`; empty if there is only Ethernet
public record InstanceType(
    String gpu,
    int gpus,
    double nvlinkGBps,
    int efa,
    double networkGbps,
    boolean gdr,
    String fabric) {
  private static final int BITS = 8;

  private static final Set<String> FABRICS =
      new TreeSet<>(Set.of("", "ib", "roce", "tcpx", "fastrak", "gib"));

  /// A machine with EFA, or with Ethernet only.
  public InstanceType(
      String gpu, int gpus, double nvlinkGBps, int efa, double networkGbps, boolean gdr) {
    this(gpu, gpus, nvlinkGBps, efa, networkGbps, gdr, "");
  }

  public InstanceType {
    Require.text("gpu", gpu);
    Require.between("gpus", 1, 1024, gpus);
    Require.between("nvlinkGBps", 0, 100_000, nvlinkGBps);
    Require.between("efa", 0, 1024, efa);
    Require.between("networkGbps", 0, 1_000_000, networkGbps);
    if (!FABRICS.contains(fabric)) {
      throw new IllegalArgumentException("fabric must be one of " + FABRICS + ", was " + fabric);
    }
  }

  /// The fabric's name for reports, empty if there is only Ethernet: `EFA`, `InfiniBand`, …
  public String fabricName() {
    return efa > 0
        ? "EFA"
        : switch (fabric) {
          case "ib" -> "InfiniBand";
          case "roce" -> "RoCE";
          case "gib" -> "RoCE (gIB)";
          case "tcpx" -> "GPUDirect-TCPX";
          case "fastrak" -> "GPUDirect-TCPXO (FasTrak)";
          default -> "";
        };
  }

  /// Whether all GPUs are linked by NVLink.
  public boolean nvlink() {
    return nvlinkGBps > 0;
  }

  /// The bus bandwidth in GB/s that no ring over these machines can exceed: NVLink's within one
  /// machine, the network cards' between several. 0 if unknown.
  ///
  /// @param severalNodes whether the ring leaves the machine
  public double busGBpsAtMost(boolean severalNodes) {
    return severalNodes ? networkGbps / BITS : nvlinkGBps;
  }
}
