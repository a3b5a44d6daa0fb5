package io.ringside.standalone.report;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What is known of the lines that prove one finding: which line of which file, by which rank, when.
///
/// @param steps late calls among them
record Proofs(Finding finding, LineNumbers lines, RankNames ranks, List<LateStep> steps) {
  Proofs {
    steps = List.copyOf(steps);
  }

  static Proofs of(Finding finding, JobView job, Account account) {
    var run = job.runs().stream().filter(each -> each.run().equals(finding.run())).findFirst();
    return new Proofs(
        finding,
        account.lines(),
        account.ranks(),
        LateStep.of(finding, run.orElse(null), account.ranks()));
  }

  /// Where neither files nor processes are known.
  static Proofs bare(Finding finding) {
    return new Proofs(finding, LineNumbers.NONE, RankNames.NONE, List.of());
  }

  /// `20:42:35.049 · rank 6 · +120 ms after rank 2`; what is not known is not there.
  String note(Evidence evidence) {
    var notes = new ArrayList<String>();
    if (evidence.time() != null) {
      notes.add(Figures.milli(evidence.time()));
    }
    ranks.of(finding, evidence).ifPresent(rank -> notes.add("rank " + rank));
    step(evidence).ifPresent(step -> notes.add(step.after()));
    return String.join(" · ", notes);
  }

  private Optional<LateStep> step(Evidence evidence) {
    return steps.stream().filter(step -> step.arriving().equals(evidence)).findFirst();
  }

  /// All on one line: `logs/0.log:1598  20:42:35.049 · rank 6 · +120 ms after rank 2  text`.
  String line(Evidence evidence) {
    var number = lines.of(evidence).map(it -> ":" + it.number()).orElse("");
    var note = note(evidence);
    return "%s%s  %s%s"
        .formatted(
            lines.file(evidence), number, note.isEmpty() ? "" : note + "  ", evidence.text());
  }
}
