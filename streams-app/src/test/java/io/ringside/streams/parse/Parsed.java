package io.ringside.streams.parse;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.LineEvent;
import io.ringside.streams.parse.event.NcclHead;
import io.ringside.streams.parse.event.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A line and what the parser made of it.
record Parsed(
    String line, Outcome outcome, List<LineEvent> events, List<@Nullable NcclHead> heads) {

  static Parsed of(String line) {
    var events = new ArrayList<LineEvent>();
    var heads = new ArrayList<@Nullable NcclHead>();
    // inside a larger text: spans and ends must not depend on the line being all there is
    var text = Text.of("before\n" + line + "\nafter NCCL INFO ");
    var start = "before\n".length();
    var end = start + Text.of(line).length();
    var outcome =
        new LineParser(text)
            .parse(
                start,
                end,
                (head, event, from, to) -> {
                  if (from < start || to > end || from > to) {
                    throw new AssertionError(event + " has a span outside of its line");
                  }
                  heads.add(head);
                  events.add(event);
                });
    return new Parsed(line, outcome, List.copyOf(events), heads);
  }

  /// The only event.
  LineEvent event() {
    if (events.size() != 1) {
      throw new AssertionError("one event expected, was " + events + " of " + line);
    }
    return events.getFirst();
  }

  /// The head of the first event.
  NcclHead head() {
    var head = heads.isEmpty() ? null : heads.getFirst();
    if (head == null) {
      throw new AssertionError("no head: " + line);
    }
    return head;
  }

  /// As the golden files have it.
  String rendered() {
    if (events.isEmpty()) {
      return outcome.name();
    }
    var out = new StringBuilder();
    for (var i = 0; i < events.size(); i++) {
      var head = heads.get(i);
      out.append(i == 0 ? "" : " + ")
          .append(events.get(i))
          .append(head == null ? "" : " @ " + rendered(head));
    }
    return out.toString();
  }

  private static String rendered(NcclHead head) {
    return head.host()
        + ":"
        + head.pid()
        + ":"
        + head.tid()
        + (head.stamped() ? " " + head.stampNanos() + "/" + head.stampDigits() : "");
  }
}
