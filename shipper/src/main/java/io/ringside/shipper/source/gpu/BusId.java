package io.ringside.shipper.source.gpu;

import java.util.Locale;

/// PCI bus ids as NCCL writes them: lower case, with a domain of four digits.
public final class BusId {
  private BusId() {}

  /// Turns nvidia-smi's `00000000:0B:00.0` into `0000:0b:00.0`. Domains above ffff, which VMs of
  /// some clouds have, keep their eight digits.
  public static String normal(String busId) {
    String lower = busId.strip().toLowerCase(Locale.ROOT);
    int colon = lower.indexOf(':');
    if (colon == 8 && lower.startsWith("0000")) {
      return lower.substring(4);
    }
    return lower;
  }
}
