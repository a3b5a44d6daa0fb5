package io.ringside.streams.detect.network;

import io.ringside.streams.expect.Thresholds;
import io.ringside.streams.fact.PortErrorKind;
import io.ringside.streams.job.hardware.PortHistory;
import io.ringside.streams.job.hardware.PortSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Compares one port with its own past and with the run's other ports in the same minutes. Healthy
/// ports retransmit a little all the time, now and then a lot for a minute, and all together when
/// the fabric is full. So a port is reported only if its share rises in three readings, and rises
/// more than on the others.
///
/// @param node node of the port
/// @param device name of the device, empty for TCP
/// @param share events per packet in the bad readings
/// @param past usual share of the port itself, NaN if unknown
/// @param peers median share of the other ports in these readings
/// @param bad the readings that show it
record PortSuspicion(
    String node,
    String device,
    PortErrorKind trouble,
    double share,
    double past,
    double peers,
    List<PortSample> bad) {
  private static final int LEAST_LOOKS = 3;
  private static final int LEAST_PEERS = 3;

  /// Extra factor over the other ports for a port without a known past. The others must also be
  /// calm: ports differ, and a full fabric shows on all of them.
  private static final double WITHOUT_PAST = 3;

  private static final double CALM = 0.01;

  /// A port whose share is smaller than the worst by more than this factor may only see the trouble
  /// of the worst port from the other end.
  private static final double VICTIM = 3;

  /// Readings of two nodes that are at most this far apart belong to the same minute.
  private static final long TOGETHER_NANOS = 120_000_000_000L;

  /// @param node node of the port
  /// @param recent its readings within the run
  record Port(String node, String device, PortHistory history, List<PortSample> recent) {
    boolean tcp() {
      return device.isEmpty();
    }

    /// The reading closest to this time, if the port carried traffic then.
    Optional<PortSample> about(long nanos) {
      PortSample nearest = null;
      for (var look : recent) {
        if (look.facts().packets() > 0
            && Math.abs(look.atNanos() - nanos) <= TOGETHER_NANOS
            && (nearest == null
                || Math.abs(look.atNanos() - nanos) < Math.abs(nearest.atNanos() - nanos))) {
          nearest = look;
        }
      }
      return Optional.ofNullable(nearest);
    }
  }

  /// The suspicious ports, the worst first. Ports with too few known peers are left out.
  static List<PortSuspicion> of(
      PortErrorKind trouble, List<Port> ports, Thresholds.Hardware limit) {
    var minutes = new PortMinutes(trouble, ports);
    var suspicions = new ArrayList<PortSuspicion>();
    for (var port : ports) {
      var bad = new ArrayList<PortSample>();
      double peers = 0;
      for (var look : port.recent()) {
        if (much(trouble, look, port.tcp(), limit)) {
          var others = minutes.about(look, port.tcp());
          if (others.peers() >= LEAST_PEERS && stands(trouble, port, look, others, limit)) {
            bad.add(look);
            peers = Math.max(peers, others.share());
          }
        }
      }
      if (bad.size() >= LEAST_LOOKS) {
        double past = port.history().known() ? port.history().share(trouble) : Double.NaN;
        double share = bad.stream().mapToDouble(look -> share(trouble, look)).average().orElse(0);
        suspicions.add(
            new PortSuspicion(port.node(), port.device(), trouble, share, past, peers, bad));
      }
    }
    double worst = suspicions.stream().mapToDouble(PortSuspicion::share).max().orElse(0);
    return suspicions.stream()
        .filter(it -> it.share() * VICTIM >= worst)
        .sorted((one, other) -> Double.compare(other.share(), one.share()))
        .toList();
  }

  private static boolean stands(
      PortErrorKind trouble,
      Port port,
      PortSample look,
      PortMinutes.Minute others,
      Thresholds.Hardware limit) {
    double share = share(trouble, look);
    if (!port.history().known()) {
      return share >= WITHOUT_PAST * limit.timesPeers() * others.share()
          && others.share() <= CALM * floor(trouble, port.tcp(), limit);
    }
    double rise = share / port.history().share(trouble);
    return rise >= limit.timesPast()
        && rise >= limit.timesPeers() * others.rise()
        && share >= limit.timesPeers() * others.share();
  }

  private static boolean much(
      PortErrorKind trouble, PortSample look, boolean tcp, Thresholds.Hardware limit) {
    return look.facts().events(trouble) >= limit.least()
        && look.facts().packets() > 0
        && share(trouble, look) >= floor(trouble, tcp, limit);
  }

  private static double floor(PortErrorKind trouble, boolean tcp, Thresholds.Hardware limit) {
    return switch (trouble) {
      case RETRANSMITS -> tcp ? limit.tcpRetransmits() : limit.retransmits();
      case TIMEOUTS -> limit.timeouts();
      case DAMAGED -> limit.damaged();
      case DROPS -> limit.drops();
      case LINK_DOWN -> 0;
    };
  }

  static double share(PortErrorKind trouble, PortSample look) {
    return look.facts().events(trouble) / (double) Math.max(1, look.facts().packets());
  }

  /// `40 times its past, 80 times the others'`.
  String words() {
    var words = new ArrayList<String>();
    if (!Double.isNaN(past)) {
      words.add("%.0f times its past".formatted(share / past));
    }
    words.add(
        peers <= 0 ? "the others have none" : "%.0f times the others'".formatted(share / peers));
    return String.join(", ", words);
  }
}
