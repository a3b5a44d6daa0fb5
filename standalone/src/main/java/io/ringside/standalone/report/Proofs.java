package io.ringside.standalone.report;

import io.ringside.schemas.event.Evidence;
import java.util.ArrayList;
import java.util.Objects;

/// Formats evidence: file and line, time, rank and host, and the delay after another rank.
final class Proofs {
  private Proofs() {}

  /// `20:42:35.049 · rank 6 · +120 ms after rank 2`. Unknown parts are left out, and so is a host
  /// that the location already names.
  static String note(Evidence evidence) {
    var notes = new ArrayList<String>();
    if (evidence.time() != null) {
      notes.add(Figures.milli(evidence.time()));
    }
    if (evidence.rank() != null) {
      notes.add("rank " + evidence.rank());
    }
    var host = evidence.host();
    if (host != null
        && !host.equals(evidence.node())
        && !host.equals(evidence.pod())
        && !file(evidence).contains(host)) {
      notes.add(host);
    }
    var after = evidence.after();
    if (after != null) {
      notes.add("+%s after rank %d".formatted(Figures.seconds(after.seconds()), after.rank()));
    }
    return String.join(" · ", notes);
  }

  /// The file to open, even if the line number is unknown.
  static String file(Evidence evidence) {
    return Objects.requireNonNullElse(evidence.part(), evidence.file());
  }

  /// `:1598`, empty if the line number is unknown.
  static String number(Evidence evidence) {
    return evidence.line() == null ? "" : ":" + evidence.line();
  }

  /// Everything on one line: `logs/0.log:1598  20:42:35.049 · rank 6 · +120 ms after rank 2  text`.
  static String line(Evidence evidence) {
    var note = note(evidence);
    return "%s%s  %s%s"
        .formatted(
            file(evidence), number(evidence), note.isEmpty() ? "" : note + "  ", evidence.text());
  }
}
