package io.ringside.streams.detect.network;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.NetworkUse;
import io.ringside.streams.job.Membership;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.Optional;

/// Finds an RDMA card for which libibverbs has no library that fits its kernel driver (rdma-core,
/// libibverbs/init.c), so NCCL finds no device. The same warnings appear on machines whose other
/// cards work, so they count only for a process that found no device and chose sockets.
final class UnloadedProvider {
  static final String CAUSE =
      "the card's library in the image (rdma-core, libibverbs) does not fit the driver of the host's kernel: install the"
          + " version that came with the driver, or mount the host's";

  private UnloadedProvider() {}

  /// The warning in the process's file, if it counts.
  static Optional<Evidence> of(TrainingProcess process, Examination examination) {
    if (process.proof(TrainingProcess.Statement.NO_IB_DEVICE) == null
        || process.variable("NCCL_IB_DISABLE").equals("1")
        || process.variable("NCCL_NET").equalsIgnoreCase("Socket")) {
      return Optional.empty();
    }
    return examination.run().failures().signs().stream()
        .filter(sign -> sign.source().equals(process.source().id()))
        .filter(sign -> sign.event() instanceof FailureEvent.DriverNotice said && ofVerbs(said))
        .findFirst()
        .map(sign -> sign.line());
  }

  /// Whether the warning is about a card other than EFA. EFA is never a device of NCCL's own
  /// InfiniBand network, with or without a library.
  private static boolean ofVerbs(FailureEvent.DriverNotice said) {
    return said.ofVerbs()
        && !said.words().contains("Driver efa ")
        && !said.words().contains("/efa_");
  }

  /// The finding for a run that does not use sockets between hosts, or not yet: the fault shows
  /// once the run spans several hosts.
  static Optional<Finding> latent(Examination examination) {
    var blind =
        examination.run().processes().stream()
            .filter(process -> NetworkUse.of(process, examination).chosen().equals("Socket"))
            .filter(process -> of(process, examination).isPresent())
            .toList();
    boolean used =
        examination.run().processes().stream()
            .anyMatch(process -> NetworkUse.of(process, examination).overSocket());
    if (blind.isEmpty() || used) {
      return Optional.empty();
    }
    var first = blind.getFirst();
    boolean local =
        first.memberships().values().stream()
            .anyMatch(part -> part.complete() && part.localRanks() > 0 || alone(part));
    return Optional.of(
        FindingDraft.about(FindingKind.NETWORK_FALLBACK, Severity.INFO, examination, blind)
            .subject("provider")
            .summary(
                "a card for RDMA is there, but libibverbs has no library that fits its driver; "
                    + NetworkUse.outlook(local))
            .expected("a card that libibverbs can use, for jobs on several hosts")
            .observed("NCCL finds no InfiniBand or RoCE device, and chose Socket")
            .cause(CAUSE)
            .tryNow("ibv_devinfo")
            .proof(of(first, examination).orElse(null))
            .proof(first.proof(TrainingProcess.Statement.NO_IB_DEVICE))
            .proof(first.proof(TrainingProcess.Statement.NETWORK))
            .finding());
  }

  private static boolean alone(Membership part) {
    return part.nranks() == 1;
  }
}
