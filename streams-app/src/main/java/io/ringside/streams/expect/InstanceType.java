package io.ringside.streams.expect;

import io.ringside.platform.config.Require;
import java.util.Set;
import java.util.TreeSet;

/// What a cloud machine has, and what its links can carry.
///
/// @param gpu model of its GPUs, a key of `gpuModels`
/// @param gpus how many
/// @param nvlinkGBps what one GPU's NVLinks carry in one direction, in GB/s (10^9 bytes); 0 without
/// @param efa EFA interfaces, 0 for none
/// @param networkGbps what all network cards carry together, in Gbit/s
/// @param gdr whether NICs reach GPU memory directly, as far as NCCL's lines show it
/// @param fabric the network between the machines where it is not EFA: `ib`, `roce`,
///     `tcpx`, `fastrak`, `gib`; empty for none but Ethernet
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

  /// A machine with EFA, or with Ethernet alone.
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

  /// The fabric in words, empty if there is none but Ethernet: `EFA`, `InfiniBand`, …
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

  /// The bus bandwidth in GB/s that no ring over these machines can exceed: NVLink's within one,
  /// the network cards' between several. 0 if not known.
  ///
  /// @param severalNodes whether the ring leaves the machine
  public double busGBpsAtMost(boolean severalNodes) {
    return severalNodes ? networkGbps / BITS : nvlinkGBps;
  }
}
