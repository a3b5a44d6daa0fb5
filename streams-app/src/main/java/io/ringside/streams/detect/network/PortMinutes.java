package io.ringside.streams.detect.network;

import io.ringside.streams.fact.PortErrorKind;
import io.ringside.streams.job.hardware.PortSample;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Statistics of the run's ports by minute. Each minute is computed only once, as a large run has
/// forty thousand ports.
final class PortMinutes {
  private static final long MINUTE_NANOS = 60_000_000_000L;

  private final PortErrorKind trouble;
  private final List<PortSuspicion.Port> ports;
  private final Map<Key, Minute> minutes = new HashMap<>();

  PortMinutes(PortErrorKind trouble, List<PortSuspicion.Port> ports) {
    this.trouble = trouble;
    this.ports = ports;
  }

  private record Key(boolean tcp, long minute) {}

  /// The ports of one kind in one minute.
  ///
  /// @param peers number of ports besides the examined one
  /// @param share median of events per packet; if the examined port has the most, that of the
  ///   others
  /// @param rise median factor by which ports exceed their own past, at least 1
  record Minute(int peers, double share, double rise) {}

  Minute about(PortSample look, boolean tcp) {
    return minutes.computeIfAbsent(
        new Key(tcp, Math.floorDiv(look.atNanos(), MINUTE_NANOS)), key -> minute(key, look));
  }

  private Minute minute(Key key, PortSample look) {
    var shares = new double[ports.size()];
    var rises = new double[ports.size()];
    int count = 0;
    for (var port : ports) {
      var there = port.tcp() == key.tcp() ? port.about(look.atNanos()).orElse(null) : null;
      if (there != null) {
        double share = PortSuspicion.share(trouble, there);
        shares[count] = share;
        rises[count] = port.history().known() ? share / port.history().share(trouble) : 1;
        count++;
      }
    }
    return new Minute(count - 1, middle(shares, count), Math.max(1, middle(rises, count)));
  }

  private static double middle(double[] values, int count) {
    Arrays.sort(values, 0, count);
    return count == 0 ? 0 : values[(count - 1) / 2];
  }
}
