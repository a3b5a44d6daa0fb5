package io.ringside.streams.detect.link;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.HostLinks;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.ledger.LinkLoss;
import io.ringside.streams.ledger.LinkLoss.What;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// Finds hosts on which all GPUs have worse links than on the best similar host. Similar hosts have
/// as many ranks on the same GPUs by bus id, the same type, NCCL, network cards and variables. The
/// worse host is named, since links get worse by themselves and never better. If most hosts are
/// worse, the best host may be of another kind, and none is named.
final class NarrowHosts {
  private NarrowHosts() {}

  static Optional<Finding> of(Examination examination) {
    var hosts = HostLinks.of(examination);
    if (hosts.stream().map(HostLinks::links).distinct().count() < 2) {
      return Optional.empty();
    }
    var groups = new LinkedHashMap<HostLinks.Likeness, List<HostLinks>>();
    for (var host : hosts) {
      groups.computeIfAbsent(host.likeness(examination), _ -> new ArrayList<>()).add(host);
    }
    return groups.values().stream()
        .map(alike -> among(alike, examination))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<Finding> among(List<HostLinks> alike, Examination examination) {
    var best =
        alike.stream()
            .max(Comparator.comparing(HostLinks::links, LinkLoss.FROM_WORST))
            .orElseThrow();
    var weak = new ArrayList<HostLinks>();
    LinkLoss worst = null;
    for (var host : alike) {
      var loss = LinkLoss.between(best.links(), host.links()).orElse(null);
      if (loss != null && (worst == null || worst.what() == loss.what())) {
        worst = worst == null ? loss : worst;
        weak.add(host);
      }
    }
    return worst == null || 2 * weak.size() > alike.size()
        ? Optional.empty()
        : Optional.of(finding(worst, weak, best, examination));
  }

  private static Finding finding(
      LinkLoss loss, List<HostLinks> weak, HostLinks best, Examination examination) {
    var processes = weak.stream().map(HostLinks::processes).flatMap(Collection::stream).toList();
    var other = name(best);
    var draft =
        FindingDraft.about(FindingKind.LINK_DEGRADED, Severity.WARNING, examination, processes)
            .subject(loss.what() == What.RINGS ? "rings" : "host " + loss.what())
            .summary(
                "%s (%s)"
                    .formatted(
                        summary(loss, name(weak.getFirst()), weak.size() - 1, other),
                        RankText.words(processes.stream().map(examination.run()::rank).toList())))
            .expected(
                "%s, as on host %s with the same GPUs, NCCL and variables"
                    .formatted(loss.was(), other))
            .observed(loss.is())
            .cause(cause(loss.what()) + "; or that host is another kind of machine");
    commands(loss.what()).forEach(draft::tryNow);
    weak.stream().limit(3).forEach(host -> draft.proofs(host.proofs()));
    return draft.proofs(best.proofs()).finding();
  }

  private static String summary(LinkLoss loss, String host, int more, String other) {
    var where = "host " + host + (more == 0 ? "" : " and %d more".formatted(more));
    return switch (loss.what()) {
      case NVLINK ->
          "NVLink of each GPU of %s carries %s, on host %s %s"
              .formatted(where, loss.is(), other, loss.was());
      case PCIE ->
          "PCIe of each GPU of %s carries %s, on host %s %s"
              .formatted(where, loss.is(), other, loss.was());
      case RINGS ->
          "NCCL found %s on %s, and %s on host %s: all ranks go by the worst"
              .formatted(loss.is(), where, loss.was(), other);
    };
  }

  static String cause(What what) {
    return switch (what) {
      case NVLINK -> "NVLinks that are down or did not train";
      case PCIE -> HostLinks.SLOWER_SLOT;
      case RINGS -> "links that are down or slower, or GPUs that the host does not see alike";
    };
  }

  static List<String> commands(What what) {
    return switch (what) {
      case NVLINK, RINGS -> List.of("nvidia-smi nvlink --status", "nvidia-smi topo -m");
      case PCIE ->
          List.of(
              "nvidia-smi --query-gpu=pci.bus_id,pcie.link.gen.max,pcie.link.width.current --format=csv");
    };
  }

  private static String name(HostLinks host) {
    TrainingProcess first = host.processes().getFirst();
    return first.host().isEmpty() ? first.node() : first.host();
  }
}
