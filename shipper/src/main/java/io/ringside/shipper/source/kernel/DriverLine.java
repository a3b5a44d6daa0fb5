package io.ringside.shipper.source.kernel;

import java.util.List;

/// Selects the kernel log lines that leave the node: those in which NVIDIA's driver reports broken
/// GPUs, switches and links. No other line does.
final class DriverLine {
  private static final List<String> LINKS =
      List.of("NVLink", "nvlink", "NVSwitch", "nvswitch", "abric", "fallen off the bus");

  private DriverLine() {}

  static boolean is(KernelRecord record) {
    var text = record.text();
    return record.kernel()
        && (text.startsWith("NVRM: Xid (PCI:")
            || text.startsWith("nvidia-nvswitch") && text.contains(": SXid (PCI:")
            || (text.startsWith("NVRM: ") || text.startsWith("nvidia"))
                && LINKS.stream().anyMatch(text::contains));
  }
}
