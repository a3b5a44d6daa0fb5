package io.ringside.schemas.event;

import java.util.Map;
import java.util.Objects;

/// Counters of a part of a node since its driver was loaded, or its current state. Readers use the
/// names that they know; values that a driver does not provide are left out.
///
/// @param name `mlx5_0/1` for a port, the PCI bus id in NCCL's form for a GPU, empty for TCP
/// @param values by name: for ports the kernel's names (`link_downed`, `retrans_pkts`), for TCP
///     those of `/proc/net/snmp` (`RetransSegs`), for GPUs those of {@link Gpu}
public record HardwareCounters(Kind kind, String name, Map<String, Long> values) {
  public HardwareCounters {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(name, "name");
    values = Map.copyOf(values);
  }

  /// Kind of part.
  public enum Kind implements LabelledEnum {
    /// A port of EFA, InfiniBand or RoCE.
    PORT,
    /// All TCP connections of the node.
    TCP,
    GPU
  }

  /// Names of the values read from nvidia-smi for a GPU.
  public static final class Gpu {
    /// Counters summed over all its NVLinks.
    public static final String NVLINK_REPLAYS = "nvlink_replays";

    public static final String NVLINK_RECOVERIES = "nvlink_recoveries";
    public static final String NVLINK_CRC = "nvlink_crc";

    /// Number of NVLinks that are up, and of those that are not.
    public static final String NVLINKS = "nvlinks";

    public static final String NVLINKS_INACTIVE = "nvlinks_inactive";

    /// PCIe generation and lanes, current and maximum. Idle GPUs lower the generation.
    public static final String PCIE_GEN = "pcie_gen";

    public static final String PCIE_GEN_MAX = "pcie_gen_max";
    public static final String PCIE_WIDTH = "pcie_width";
    public static final String PCIE_WIDTH_MAX = "pcie_width_max";

    /// Utilization in percent.
    public static final String BUSY = "busy";

    /// Corrected (single-bit) ECC errors since the driver was loaded.
    public static final String ECC_CORRECTED = "ecc_corrected";

    /// 1 if a row waits for a reset to be remapped, and 1 if remapping failed.
    public static final String ROWS_PENDING = "rows_pending";

    public static final String ROWS_FAILED = "rows_failed";

    /// Degrees Celsius left until it is too hot to keep its clocks; 0 or less means too hot.
    public static final String THERMAL_MARGIN = "thermal_margin";

    private Gpu() {}
  }
}
