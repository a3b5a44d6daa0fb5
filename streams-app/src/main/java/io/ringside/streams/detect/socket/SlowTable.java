package io.ringside.streams.detect.socket;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.NetworkUse;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.bandwidth.Table;
import io.ringside.streams.job.bandwidth.Table.Measured;
import java.util.Comparator;
import java.util.Optional;

/// Finds a log fragment with `Using network Socket`, without hosts or edges, and with an nccl-tests
/// table whose bandwidth is that of Ethernet. INFO, since no line shows that there are several
/// hosts.
final class SlowTable {
  /// In GB/s. 25 Gbit/s Ethernet reaches this; two GPUs of one host reach more, also over shared
  /// memory.
  private static final double ETHERNET_GBPS = 3;

  private SlowTable() {}

  static Optional<Finding> of(Examination examination) {
    var silent =
        examination.run().processes().stream()
            .filter(process -> bare(process, examination))
            .toList();
    if (silent.isEmpty() || !examination.edges().isEmpty()) {
      return Optional.empty();
    }
    return examination.job().tables(examination.run()).stream()
        .filter(table -> table.busIds().isEmpty() || table.hosts().size() > 1)
        .flatMap(table -> best(table, examination).stream())
        .filter(row -> row.busGBps() > 0 && row.busGBps() <= ETHERNET_GBPS)
        .findFirst()
        .map(
            row ->
                FindingDraft.about(FindingKind.SOCKET_TRANSPORT, Severity.INFO, examination, silent)
                    .summary(
                        "NCCL chose TCP sockets, and %.1f GB/s is what Ethernet carries"
                            .formatted(row.busGBps()))
                    .expected("an RDMA network, if the nodes have one")
                    .observed("network Socket, busbw of %.1f GB/s at best".formatted(row.busGBps()))
                    .cause("no line says how many hosts there are, or how they are linked")
                    .proof(silent.getFirst().proof(TrainingProcess.Statement.NETWORK))
                    .proof(row.line())
                    .finding());
  }

  /// Whether its lines name a network but no communicator's local ranks.
  private static boolean bare(TrainingProcess process, Examination examination) {
    return NetworkUse.of(process, examination).chosen().equals("Socket")
        && process.memberships().values().stream().allMatch(part -> part.localRanks() < 0);
  }

  private static Optional<Measured> best(Table table, Examination examination) {
    long large = examination.expectations().thresholds().bandwidth().leastBytes();
    return table.rows().stream()
        .filter(row -> row.bytes() >= large && !Double.isNaN(row.busGBps()))
        .max(Comparator.comparingDouble(Measured::busGBps));
  }
}
