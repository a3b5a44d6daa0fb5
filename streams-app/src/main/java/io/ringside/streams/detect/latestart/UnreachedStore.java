package io.ringside.streams.detect.latestart;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Finds a process that waited for the store of PyTorch's rendezvous until its timeout, and tries
/// again (torch 2.3 and later, torch/csrc/distributed/c10d/TCPStore.cpp). A connection that is
/// refused or reset is retried at once, as at every start, so it is no wait.
final class UnreachedStore {
  private static final Pattern GAVE_UP =
      Pattern.compile(
          "to host (\\S{1,200}) - retrying \\(.{1,120}\\): .{0,80}client socket has timed out after (\\d{1,9})(ms|s|min)\\b");

  private UnreachedStore() {}

  static List<Finding> examine(Examination examination) {
    var signs = new ArrayList<Sign>();
    double seconds = 0;
    for (var sign : examination.run().failures().signs()) {
      if (sign.event() instanceof FailureEvent.DriverNotice said && said.ofStore()) {
        double waited = seconds(said.words());
        if (waited > 0) {
          signs.add(sign);
          seconds = Math.max(seconds, waited);
        }
      }
    }
    var limit = examination.expectations().thresholds().lateStart();
    if (signs.isEmpty()
        || seconds < limit.note().toMillis() / 1e3
        || gaveUp(signs.getLast(), examination)) {
      return List.of();
    }
    var address = GAVE_UP.matcher(signs.getFirst().line().text());
    var where = address.find() ? " at " + address.group(1) : "";
    boolean came =
        signs.getLast().progressAfter() > 0 || examination.run().steps().observations() > 0;
    var draft =
        FindingDraft.about(
                FindingKind.LATE_START,
                seconds >= limit.warning().toMillis() / 1e3 ? Severity.WARNING : Severity.INFO,
                examination,
                List.of())
            .subject("store")
            .summary(
                "a process waited %s for the store%s that ranks meet in, %s"
                    .formatted(
                        DurationWords.time(seconds),
                        where,
                        came ? "and came in later" : "and tries again: the job has not begun"))
            .expected("every process reaches the store when it starts")
            .observed(
                "the connection timed out "
                    + (signs.size() == 1 ? "once" : signs.size() + " times"))
            .cause(
                "nothing answers at this address: rank 0 or the launcher is not up, the ranks were given different addresses or"
                    + " ports (MASTER_ADDR, MASTER_PORT), or a proxy or a firewall is between them");
    signs.stream().limit(4).forEach(sign -> draft.proof(sign.line()));
    return List.of(draft.finding());
  }

  /// Whether the process ended because of this: then that failure is reported instead.
  private static boolean gaveUp(Sign last, Examination examination) {
    return examination.run().failures().signs().stream()
        .filter(sign -> sign.source().equals(last.source()))
        .filter(sign -> sign.line().offset() > last.line().offset())
        .anyMatch(sign -> sign.event() instanceof FailureEvent.Raised);
  }

  private static double seconds(String words) {
    var found = GAVE_UP.matcher(words);
    if (!found.find()) {
      return 0;
    }
    long number = Long.parseLong(found.group(2));
    return switch (found.group(3)) {
      case "ms" -> number / 1e3;
      case "min" -> number * 60.0;
      default -> number;
    };
  }
}
