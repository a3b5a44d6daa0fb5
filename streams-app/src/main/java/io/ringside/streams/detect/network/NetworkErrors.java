package io.ringside.streams.detect.network;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.NodesOfRun;
import io.ringside.streams.fact.PortErrorKind;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.hardware.PortHistory;
import io.ringside.streams.job.hardware.PortSample;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Finds ports of the run's nodes whose errors rise in comparison with their own past and with the
/// other ports, and links that went down during the run. A counter that was reset or is missing is
/// not judged.
public final class NetworkErrors implements Detector {
  static final String CAUSE =
      "its cable, its transceiver or the switch's port; or the other end of its path";

  private static final double PERCENT = 100;

  @Override
  public List<Finding> examine(Examination examination) {
    var nodes = NodesOfRun.of(examination);
    var ports = ports(nodes, examination);
    var findings = new ArrayList<Finding>();
    for (var trouble : PortErrorKind.values()) {
      if (trouble != PortErrorKind.LINK_DOWN) {
        PortSuspicion.of(trouble, ports, examination.expectations().thresholds().hardware())
            .forEach(it -> findings.add(rising(it, nodes, examination)));
      }
    }
    findings.addAll(down(ports, nodes, examination));
    return findings;
  }

  private static List<PortSuspicion.Port> ports(
      Map<String, List<TrainingProcess>> nodes, Examination examination) {
    long since = examination.run().firstNanos();
    var ports = new ArrayList<PortSuspicion.Port>();
    for (var node : nodes.keySet()) {
      examination
          .job()
          .watch(node)
          .ifPresent(
              watch ->
                  watch
                      .ports()
                      .forEach(
                          (device, history) ->
                              ports.add(
                                  new PortSuspicion.Port(
                                      node, device, history, within(history, since)))));
    }
    return ports;
  }

  /// The readings from the time of the run. What happened before the run is the port's past, not
  /// trouble of this run.
  private static List<PortSample> within(PortHistory history, long sinceNanos) {
    var recent = history.recent();
    return recent.isEmpty() || recent.getFirst().atNanos() >= sinceNanos
        ? recent
        : recent.stream().filter(look -> look.atNanos() >= sinceNanos).toList();
  }

  private static Finding rising(
      PortSuspicion port, Map<String, List<TrainingProcess>> nodes, Examination examination) {
    var what = name(port.device()) + " of node " + port.node();
    var draft =
        FindingDraft.about(
                FindingKind.NETWORK_ERRORS,
                Severity.WARNING,
                examination,
                nodes.getOrDefault(port.node(), List.of()))
            .subject(port.trouble() + " " + port.node() + " " + port.device())
            .summary(
                "%s of %s rise: %s of its packets, %s"
                    .formatted(port.trouble().words(), what, percent(port.share()), port.words()))
            .expected(
                "%s of packets, as its past and the run's other ports"
                    .formatted(percent(Double.isNaN(port.past()) ? port.peers() : port.past())))
            .observed(percent(port.share()) + " of packets")
            .cause(
                port.device().isEmpty()
                    ? "a card, cable or path of that node loses packets; what else the node sends counts too"
                    : CAUSE);
    port.bad().forEach(look -> draft.proof(line(port.node(), look)));
    return draft.finding();
  }

  /// Findings for links that went down. If at least half of the nodes lose a link, the fault is in
  /// the fabric between them.
  private static List<Finding> down(
      List<PortSuspicion.Port> ports,
      Map<String, List<TrainingProcess>> nodes,
      Examination examination) {
    var findings = new ArrayList<Finding>();
    var fell = new ArrayList<PortSuspicion.Port>();
    var where = new HashSet<String>();
    for (var port : ports) {
      if (port.recent().stream().anyMatch(look -> look.facts().events(PortErrorKind.LINK_DOWN) > 0)
          && carries(port)) {
        fell.add(port);
        where.add(port.node());
      }
    }
    var counted = new HashSet<String>();
    ports.stream().filter(port -> !port.tcp()).forEach(port -> counted.add(port.node()));
    if (where.size() > 1 && 2 * where.size() >= counted.size()) {
      findings.add(fabric(fell, where.size(), counted.size(), examination));
    } else {
      fell.forEach(port -> findings.add(fallen(port, nodes, examination)));
    }
    return findings;
  }

  /// Whether the port carries traffic; a port without traffic may have no cable.
  private static boolean carries(PortSuspicion.Port port) {
    return port.history().recent().stream().anyMatch(look -> look.facts().packets() > 0);
  }

  private static Finding fallen(
      PortSuspicion.Port port, Map<String, List<TrainingProcess>> nodes, Examination examination) {
    var draft =
        FindingDraft.about(
                FindingKind.NETWORK_ERRORS,
                Severity.WARNING,
                examination,
                nodes.getOrDefault(port.node(), List.of()))
            .subject("down " + port.node() + " " + port.device())
            .summary(
                "the link of %s of node %s went down while the run used the node"
                    .formatted(name(port.device()), port.node()))
            .expected("a link that stays up")
            .observed("link_downed rose")
            .cause(
                "its cable, its transceiver or the switch's port: the next time may end the job");
    downs(port).forEach(draft::proof);
    return draft.finding();
  }

  private static Finding fabric(
      List<PortSuspicion.Port> fell, int where, int counted, Examination examination) {
    var draft =
        FindingDraft.about(FindingKind.NETWORK_ERRORS, Severity.WARNING, examination, List.of())
            .subject("down fabric")
            .summary("links of %d of %d nodes went down at once".formatted(where, counted))
            .expected("links that stay up")
            .observed("link_downed rose on %d ports".formatted(fell.size()))
            .cause("a switch or the fabric's manager, not the machines");
    fell.forEach(port -> downs(port).stream().limit(1).forEach(draft::proof));
    return draft.finding();
  }

  private static List<Evidence> downs(PortSuspicion.Port port) {
    return port.recent().stream()
        .filter(look -> look.facts().events(PortErrorKind.LINK_DOWN) > 0)
        .map(look -> line(port.node(), look))
        .toList();
  }

  private static Evidence line(String node, PortSample look) {
    var facts = look.facts();
    return Evidence.ofNode(
        Nanos.instant(look.atNanos()),
        node,
        facts.device().isEmpty() ? "/proc/net/snmp" : "/sys/class/infiniband/" + facts.device(),
        "%s: %s, packets +%d since the look before"
            .formatted(name(facts.device()), facts.words(), facts.packets()));
  }

  private static String name(String device) {
    return device.isEmpty() ? "TCP" : device;
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.4g %%", PERCENT * share);
  }
}
