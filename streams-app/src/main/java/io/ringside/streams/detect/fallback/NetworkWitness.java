package io.ringside.streams.detect.fallback;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.job.TrainingProcess;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/// What the counters of the nodes' network cards show, in addition to NCCL's lines. They count all
/// traffic of a node, so they can confirm that traffic takes the wrong network, but cannot prove
/// that it does not.
///
/// @param observed words to append to what NCCL reports
/// @param proof the counters
record NetworkWitness(String observed, Evidence proof) {
  private static final double MEGA = 1e6;

  /// The counters of these processes' nodes; empty if no agent counted for long enough.
  static Optional<NetworkWitness> of(
      Collection<TrainingProcess> processes, Examination examination) {
    var limit = examination.expectations().thresholds().network();
    var nodes = new TreeSet<String>();
    processes.forEach(process -> nodes.add(process.node()));
    double seconds = 0;
    double rdma = 0;
    double ethernet = 0;
    Evidence proof = null;
    for (var node : nodes) {
      var traffic = examination.run().traffic().get(node);
      if (traffic == null || traffic.seconds() < limit.least().toMillis() / 1000.0) {
        continue;
      }
      seconds += traffic.seconds();
      rdma += traffic.rdmaBytes();
      ethernet += traffic.ethernetBytes();
      if (proof == null) {
        proof =
            Evidence.ofNode(
                traffic.at(),
                node,
                "network counters",
                String.format(
                    Locale.ROOT,
                    "in %s EFA and InfiniBand carried %.1f MB, Ethernet %.1f MB",
                    DurationWords.time(traffic.seconds()),
                    traffic.rdmaBytes() / MEGA,
                    traffic.ethernetBytes() / MEGA));
      }
    }
    if (proof == null) {
      return Optional.empty();
    }
    boolean silent = rdma <= limit.silentShare() * (rdma + ethernet);
    boolean busy = ethernet >= limit.busyMBps() * MEGA * seconds;
    var words =
        silent && busy
            ? "EFA is silent while Ethernet carries %.0f MB/s a node"
                .formatted(ethernet / seconds / MEGA)
            : silent
                ? "EFA is silent, and Ethernet carries little so far"
                : "the nodes' EFA carries %.0f MB/s all the same, maybe for other jobs"
                    .formatted(rdma / seconds / MEGA);
    return Optional.of(new NetworkWitness(words, proof));
  }
}
