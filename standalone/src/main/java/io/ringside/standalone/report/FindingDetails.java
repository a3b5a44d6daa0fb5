package io.ringside.standalone.report;

import io.ringside.schemas.event.Finding;
import java.util.ArrayList;
import java.util.List;

/// The details of a finding besides its summary, as lines of text, the same in every format without
/// columns.
final class FindingDetails {
  private FindingDetails() {}

  /// `observed: Socket`, `cause: …`, `try: fi_info -p efa`; unknown details are left out.
  ///
  /// @param root the root cause, or the finding itself if it has no cause
  static List<String> of(Finding finding, Finding root) {
    var lines = new ArrayList<String>();
    add(lines, "who", FindingSection.who(finding));
    add(lines, "when", Figures.span(finding.since(), finding.until()));
    add(lines, "expected", finding.expected());
    add(lines, "observed", finding.observed());
    add(lines, "cause", FindingSection.cause(finding));
    if (!root.id().equals(finding.id())) {
      add(lines, "follows from", root.kind().label());
    }
    add(lines, "cost", CostWords.of(finding));
    add(lines, "chain", String.join(" → ", FallbackChain.of(finding)));
    finding.tryNow().forEach(command -> add(lines, "try", command));
    return List.copyOf(lines);
  }

  private static void add(List<String> lines, String what, String text) {
    if (!text.isEmpty()) {
      lines.add(what + ": " + SafeText.of(text));
    }
  }
}
