package io.ringside.streams.detect.network;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.KernelStamp;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;

/// Finds ports whose link went down repeatedly within minutes according to the kernel's log. A
/// single time may be somebody configuring the port, and boots are further apart.
public final class FlappingPorts implements Detector {
  private static final int AGAIN = 2;

  private static final double APART_SECONDS = 600;

  @Override
  public List<Finding> examine(Examination examination) {
    var byPort = new LinkedHashMap<Port, List<Sign>>();
    for (var sign : examination.run().failures().signs()) {
      if (sign.event() instanceof FailureEvent.LinkDown(String device, String name)) {
        byPort
            .computeIfAbsent(
                new Port(sign.line().node(), sign.source(), device, name), _ -> new ArrayList<>())
            .add(sign);
      }
    }
    var findings = new ArrayList<Finding>();
    var told = new HashSet<Port>();
    byPort.forEach(
        (port, downs) -> {
          var close = close(downs);
          // the RDMA device of an Ethernet port goes down with it
          if (close.size() >= AGAIN
              && told.add(new Port(port.node(), port.source(), port.device(), ""))) {
            findings.add(finding(port, close, examination));
          }
        });
    return findings;
  }

  private record Port(String node, String source, String device, String name) {}

  /// The events that have another one close to them; empty if no line has a time.
  private static List<Sign> close(List<Sign> downs) {
    var close = new ArrayList<Sign>();
    for (int i = 0; i < downs.size(); i++) {
      boolean before = i > 0 && apart(downs.get(i - 1), downs.get(i)) <= APART_SECONDS;
      boolean after =
          i + 1 < downs.size() && apart(downs.get(i), downs.get(i + 1)) <= APART_SECONDS;
      if (before || after) {
        close.add(downs.get(i));
      }
    }
    return close;
  }

  private static double apart(Sign one, Sign other) {
    return one.atNanos() != NO_TIME && other.atNanos() != NO_TIME
        ? Nanos.seconds(other.atNanos() - one.atNanos())
        : KernelStamp.secondsApart(one.line().text(), other.line().text());
  }

  private static Finding finding(Port port, List<Sign> downs, Examination examination) {
    var processes =
        examination.run().byRank().stream()
            .filter(process -> process.source().node().equals(port.node()))
            .toList();
    // the node of a saved log is known only from its file, so the summary does not name it
    var where = processes.isEmpty() ? "" : " of node " + port.node();
    var draft =
        FindingDraft.about(FindingKind.NETWORK_ERRORS, Severity.WARNING, examination, processes)
            .subject("flapping " + port.node() + " " + port.name())
            .summary(
                "the link of %s%s went down %d times within minutes"
                    .formatted(port.name(), where, downs.size()))
            .expected("a link that stays up")
            .observed("%d times the link of %s fell".formatted(downs.size(), port.device()))
            .cause("its cable, its transceiver or the switch's port");
    var first = downs.getFirst().atNanos();
    if (first != NO_TIME) {
      draft.between(Nanos.instant(first), null);
    }
    downs.stream().limit(4).forEach(sign -> draft.proof(sign.line()));
    return draft.finding();
  }
}
