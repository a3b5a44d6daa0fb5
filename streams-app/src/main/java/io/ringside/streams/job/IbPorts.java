package io.ringside.streams.job;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.parse.event.NcclEvent;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The InfiniBand and RoCE ports that NCCL found for one process, with the speed to which each link
/// was negotiated. All ranks of a host print the same. Not thread-safe.
public final class IbPorts {
  private static final int MOST = 64;

  private final Map<String, Long> mbps = new TreeMap<>();

  /// Lines of the first port and of those whose speed differs from its. Lines of other ports are
  /// left out, since they are never needed as proof.
  private final Map<String, Evidence> lines = new TreeMap<>();

  private long first = -1;

  IbPorts() {}

  void note(NcclEvent.IbPort port, Evidence line) {
    if (mbps.size() >= MOST || mbps.putIfAbsent(port.name(), port.mbps()) != null) {
      return;
    }
    if (first != port.mbps()) {
      first = first < 0 ? port.mbps() : first;
      lines.put(port.name(), line);
    }
  }

  /// Speed by name of the HCA, in Mb/s; empty where NCCL did not print it.
  public Map<String, Long> mbps() {
    return mbps;
  }

  /// The line of a port whose speed is not that of all others, null if it was left out.
  public @Nullable Evidence line(String port) {
    return lines.get(port);
  }
}
