package io.ringside.shipper.source.kernel;

import java.util.List;

/// Which of the kernel's lines leave the node: what NVIDIA's driver says of broken GPUs, switches
/// and links. Nothing else does, whatever it says.
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
