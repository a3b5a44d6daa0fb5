package io.ringside.streams.detect.link;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.HostLinks;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Membership.Searched;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.ledger.LinkLoss;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;

/// Finds hosts whose search found fewer or slower rings than that of most others, or rings over
/// worse links. Each host searches alone (`Pattern 4, … nChannels 12, bw 20.0/20.0, type NVL/PIX`),
/// and the ranks then agree on the worst result, so one host slows all. [NarrowHosts] compares
/// hosts that are alike in all known properties; this class compares with the majority.
final class SlowHosts {
  private static final int RING = 4;
  private static final double SHARE = LinkLoss.SHARE;
  private static final int LEAST = 3;

  private SlowHosts() {}

  static Optional<Finding> of(Examination examination) {
    var world = examination.run().world().map(Communicator::id).orElse("");
    Map<TrainingProcess, Searched> rings = new LinkedHashMap<>();
    int localRanks = -1;
    for (var process : examination.members(world)) {
      var membership = process.memberships().get(world);
      var ring = membership == null ? null : membership.searched().get(RING);
      if (membership == null || ring == null) {
        continue;
      }
      if (localRanks >= 0 && membership.localRanks() != localRanks) {
        return Optional.empty(); // hosts with more ranks have different rings
      }
      localRanks = membership.localRanks();
      rings.put(process, ring);
    }
    boolean alike =
        rings.keySet().stream().map(examination::instanceTypeName).distinct().count() <= 1;
    if (rings.size() < LEAST || !alike) {
      return Optional.empty();
    }
    var slow = slow(rings);
    if (!slow.isEmpty()) {
      slow.keySet().removeAll(excused(slow.keySet(), examination));
    }
    if (slow.isEmpty() || 2 * slow.size() >= rings.size()) {
      return Optional.empty();
    }
    var usual =
        rings.entrySet().stream()
            .filter(entry -> !slow.containsKey(entry.getKey()))
            .findFirst()
            .orElseThrow();
    return Optional.of(finding(slow, usual.getValue(), examination));
  }

  /// Processes of hosts with variables that the others do not have: the variables are the cause
  /// then.
  private static Set<TrainingProcess> excused(Set<TrainingProcess> slow, Examination examination) {
    var hosts = HostLinks.of(examination);
    var usual =
        hosts.stream()
            .filter(host -> host.processes().stream().noneMatch(slow::contains))
            .map(host -> host.variables(examination))
            .collect(Collectors.toSet());
    return hosts.stream()
        .filter(host -> !usual.contains(host.variables(examination)))
        .flatMap(host -> host.processes().stream())
        .collect(Collectors.toSet());
  }

  /// The rings of hosts whose rings are slower than most, or whose GPUs are further apart.
  private static SequencedMap<TrainingProcess, Searched> slow(
      Map<TrainingProcess, Searched> rings) {
    var speeds = rings.values().stream().map(SlowHosts::speed).sorted().toList();
    double usual = speeds.get(speeds.size() / 2);
    var types = rings.values().stream().map(SlowHosts::distance).sorted().toList();
    int usualType = types.get(types.size() / 2);
    var slow = new LinkedHashMap<TrainingProcess, Searched>();
    rings.forEach(
        (process, ring) -> {
          if (speed(ring) < SHARE * usual || (usualType >= 0 && distance(ring) > usualType)) {
            slow.put(process, ring);
          }
        });
    return slow;
  }

  private static Finding finding(
      SequencedMap<TrainingProcess, Searched> slow, Searched usual, Examination examination) {
    var first = slow.firstEntry().getValue();
    var draft =
        FindingDraft.about(FindingKind.LINK_DEGRADED, Severity.WARNING, examination, slow.keySet())
            .subject("rings")
            .summary(
                "NCCL found %s on the host of %s, and %s on others: all ranks go by the worst"
                    .formatted(
                        words(first),
                        RankText.words(
                            slow.keySet().stream().map(examination.run()::rank).toList()),
                        words(usual)))
            .expected(words(usual))
            .observed(words(first))
            .cause("links of that host that are down or slower, or GPUs that it does not see alike")
            .tryNow("nvidia-smi topo -m")
            .tryNow("nvidia-smi nvlink --status");
    slow.values().stream().limit(4).forEach(ring -> draft.proof(ring.proof()));
    draft.proof(usual.proof());
    return draft.finding();
  }

  private static double speed(Searched ring) {
    return ring.graph().channels() * ring.graph().bwIntraGBps();
  }

  /// Distance of the GPUs of a ring, -1 for an unknown link type.
  private static int distance(Searched ring) {
    return LinkLoss.distance(ring.graph().typeIntra());
  }

  private static String words(Searched ring) {
    var graph = ring.graph();
    return "%d rings of %.0f GB/s over %s"
        .formatted(graph.channels(), graph.bwIntraGBps(), graph.typeIntra());
  }
}
