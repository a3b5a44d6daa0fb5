package io.ringside.schemas.event;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Traffic of one network interface of a node, as the kernel counts it.
///
/// @param name as in `/sys/class/infiniband` or `/sys/class/net`: `rdmap16s27`, `mlx5_0`, `eth0`
/// @param port 1 or more; 0 for Ethernet, which has none
/// @param receivedBytes since the driver was loaded
/// @param sentBytes since the driver was loaded
/// @param receivedPerSecond bytes per second since the previous report; null in the first report
///     and after the counter was reset
/// @param sentPerSecond like `receivedPerSecond`
public record NetworkInterface(
    String name,
    int port,
    Kind kind,
    long receivedBytes,
    long sentBytes,
    @Nullable Double receivedPerSecond,
    @Nullable Double sentPerSecond) {

  public NetworkInterface {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(kind, "kind");
  }

  /// Kind of network.
  public enum Kind implements LabelledEnum {
    EFA,
    INFINIBAND,
    /// RDMA over Ethernet. Its counters hold its RDMA traffic; the `/sys/class/net` interface of
    /// the same card counts the rest.
    ROCE,
    ETHERNET
  }
}
