package io.ringside.shipper.config;

import java.nio.file.Path;

/// What the agent asks of its node beside logs and GPUs. Each needs a right that logs do not, so each is off unless it is
/// asked for.
public record Witnesses(Kernel kernel) {
  /// Asks nothing.
  static final Witnesses NONE = new Witnesses(new Kernel(false, Path.of("/dev/kmsg")));

  /// The driver's lines in the kernel's log: Xid, SXid, NVLink and fabric.
  ///
  /// @param device must be given as it is: links are not followed
  public record Kernel(boolean enabled, Path device) {}
}
