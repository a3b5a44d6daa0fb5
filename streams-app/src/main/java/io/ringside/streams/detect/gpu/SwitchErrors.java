package io.ringside.streams.detect.gpu;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.List;
import java.util.TreeSet;

/// Reports the driver's errors of the switches between a node's GPUs. The driver marks errors as
/// fatal: these end every job whose GPUs the switch connects, and last until it is reset. All
/// others are INFO.
final class SwitchErrors {
  private SwitchErrors() {}

  static Finding of(String node, List<Sign> signs, Examination examination) {
    var codes = new TreeSet<Integer>();
    var switches = new TreeSet<String>();
    for (var sign : signs) {
      if (sign.event() instanceof FailureEvent.SwitchXid xid) {
        codes.add(xid.code());
        switches.add(xid.busId());
      }
    }
    var worst = signs.stream().filter(SwitchErrors::fatal).findFirst().orElse(signs.getFirst());
    boolean fatal = fatal(worst);
    var processes =
        examination.run().byRank().stream()
            .filter(process -> process.source().node().equals(node))
            .toList();
    var draft =
        FindingDraft.about(
                FindingKind.GPU_ERROR,
                fatal ? Severity.CRITICAL : Severity.INFO,
                examination,
                processes)
            .subject("sxid " + node)
            .summary("%s of node %s: %s".formatted(who(switches), node, words(worst)))
            .expected("no SXid")
            .observed("SXid %s, %d lines".formatted(codes, signs.size()))
            .cause(
                fatal
                    ? "a switch between the GPUs or one of its links failed: drain the node, reset its GPUs and switches"
                    : "the driver calls it non-fatal: watch whether it comes again");
    var first = signs.getFirst().atNanos();
    if (first != NO_TIME) {
      draft.between(Nanos.instant(first), null);
    }
    draft.proof(worst.line());
    signs.stream().filter(sign -> sign != worst).limit(3).forEach(sign -> draft.proof(sign.line()));
    DriverErrors.beside(worst, examination).forEach(draft::proof);
    return draft.finding();
  }

  private static boolean fatal(Sign sign) {
    return sign.event() instanceof FailureEvent.SwitchXid xid && xid.fatal();
  }

  private static String who(TreeSet<String> switches) {
    return switches.size() == 1 ? "NVSwitch " + switches.first() : switches.size() + " NVSwitches";
  }

  private static String words(Sign sign) {
    return sign.event() instanceof FailureEvent.SwitchXid xid
        ? "SXid %d, %s, %s".formatted(xid.code(), xid.fatal() ? "fatal" : "non-fatal", xid.words())
        : sign.line().text();
  }
}
