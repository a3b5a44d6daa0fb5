package io.ringside.standalone.report;

import static io.ringside.standalone.report.ColouredText.dim;
import static io.ringside.standalone.report.ColouredText.plain;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/// Shows one finding: what, who, when, why, at what cost, and the raw lines that prove it.
///
/// @param folder paths below this folder are shown relative to it; empty for none
/// @param mostLines limit of evidence lines shown
record FindingSection(Page page, String folder, int mostLines) {
  private static final int INDENT = 6;
  private static final int LABEL = 10;
  private static final int MOST_ROWS_A_LINE = 3;
  private static final int MOST_NAMES = 4;

  /// The node of files that were given without one; not shown.
  private static final String LOCAL = "local";

  /// All causes of a straggler, in words.
  private static final Map<String, String> CAUSES =
      Map.of(
          "gpu-throttled", "its GPU is throttled",
          "gpu-contended", "another process uses its GPU",
          "gpu-clock", "its GPU runs at a lower clock than its peers",
          "host",
              "the host: its GPU idles while the others spin, so look at CPU, data loading, I/O",
          "data", "its data: batches that differ in length, packed documents or experts",
          "stage",
              "its place: it has the same place in each group of the job, and more to do there",
          "duty",
              "duties beside training that the first rank often has: logging, evaluation, checkpoints",
          "chance", "perhaps chance: such long waits are too few yet to tell",
          "unknown", "unknown: nothing that was recorded sets its GPU apart");

  /// @param root the root cause, or the finding itself if it has no cause
  void write(Finding finding, Finding root) {
    var mark = SeverityMark.of(finding.severity());
    page.line(
        4,
        mark.span(),
        new ColouredText(finding.kind().label(), mark.ink()),
        dim("  " + finding.severity().label()),
        dim(finding.state().over() ? ", ended" : ""));
    page.paragraph(INDENT, INDENT, plain(finding.summary()));
    row("who", who(finding));
    row("when", Figures.span(finding.since(), finding.until()));
    row("expected", finding.expected());
    row("observed", finding.observed());
    row("cause", cause(finding));
    if (!root.id().equals(finding.id())) {
      row("follows", "from " + root.kind().label() + ": " + root.summary());
    }
    row("cost", CostWords.of(finding));
    rows("witnesses", witnesses(finding));
    commands(finding.tryNow());
    row("runbook", Objects.requireNonNullElse(finding.runbook(), ""));
    chain(FallbackChain.of(finding));
    if (finding.lateStep() != null) {
      lateStep(new LateStepRows(finding.lateStep(), page.screen().blocks()));
    }
    proof(finding.evidence());
  }

  private void chain(List<String> links) {
    row("chain", String.join(page.screen().blocks() ? " → " : " -> ", links));
  }

  private void lateStep(LateStepRows step) {
    row("one step", step.title());
    for (var each : step.rows()) {
      page.line(
          INDENT + LABEL,
          plain(each.name() + "  "),
          new ColouredText(each.drawn(), each.late() ? AnsiColour.WARN : AnsiColour.NOTE),
          dim("  " + each.says()));
    }
    row("", step.leftOut());
  }

  private void row(String label, String text) {
    if (!text.isEmpty()) {
      page.paragraph(INDENT, INDENT + LABEL, dim(Figures.left(label, LABEL)), plain(text));
    }
  }

  private void rows(String label, List<String> texts) {
    for (int i = 0; i < texts.size(); i++) {
      row(i == 0 ? label : "", texts.get(i));
    }
  }

  /// Writes commands unbroken, so that they can be copied: text that the terminal itself wraps is
  /// still copied as one line.
  private void commands(List<String> commands) {
    for (int i = 0; i < commands.size(); i++) {
      page.whole(
          plain(" ".repeat(INDENT)),
          dim(Figures.left(i == 0 ? "try" : "", LABEL)),
          plain(SafeText.of(commands.get(i))));
    }
  }

  /// If there are several witnesses: the statement of each, and whether they agree.
  private static List<String> witnesses(Finding finding) {
    if (finding.witnesses().size() < 2) {
      return List.of();
    }
    var words = new ArrayList<String>();
    finding.witnesses().forEach(it -> words.add(it.name() + ": " + it.says()));
    var agree = finding.agree();
    if (agree != null) {
      words.add(agree ? "they agree" : "they do not agree");
    }
    return words;
  }

  static String who(Finding finding) {
    List<String> parts = new ArrayList<>();
    if (!finding.ranks().isEmpty()) {
      parts.add(
          (finding.ranks().size() == 1 ? "rank " : "ranks ")
              + some(finding.ranks().stream().map(String::valueOf).toList()));
    }
    if (!finding.gpus().isEmpty()) {
      parts.add("GPU " + some(finding.gpus()));
    }
    if (!finding.pods().isEmpty()) {
      parts.add("in " + some(finding.pods()));
    }
    if (!finding.nodes().isEmpty() && !finding.nodes().equals(List.of(LOCAL))) {
      parts.add("on " + some(finding.nodes()));
    }
    return String.join(" · ", parts);
  }

  private static String some(List<String> names) {
    var shown = names.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
    int more = names.size() - MOST_NAMES;
    return more > 0 ? shown + " and " + more + " more" : shown;
  }

  static String cause(Finding finding) {
    var cause = finding.cause();
    return cause == null ? "" : CAUSES.getOrDefault(cause, cause);
  }

  /// The causes in words. The page uses the same words (told.js).
  static Map<String, String> causes() {
    return CAUSES;
  }

  /// Shows evidence grouped by file, each line with its number.
  private void proof(List<Evidence> evidence) {
    Map<String, List<Evidence>> byFile =
        evidence.stream()
            .limit(mostLines)
            .collect(Collectors.groupingBy(Proofs::file, LinkedHashMap::new, Collectors.toList()));
    boolean first = true;
    for (var file : byFile.entrySet()) {
      var label = Figures.left(first ? "proof" : "", LABEL);
      page.paragraph(
          INDENT,
          INDENT + LABEL,
          dim(label),
          dim(place(file.getValue().getFirst(), file.getKey())));
      file.getValue().forEach(this::line);
      first = false;
    }
    if (evidence.size() > mostLines) {
      page.line(INDENT + LABEL, dim("and " + (evidence.size() - mostLines) + " more"));
    }
  }

  private String place(Evidence evidence, String whole) {
    var file = whole.startsWith(folder) ? whole.substring(folder.length()) : whole;
    var pod =
        evidence.pod().isEmpty() || file.contains(evidence.pod()) ? "" : " of " + evidence.pod();
    var node = evidence.node().equals(LOCAL) ? "" : " on " + evidence.node();
    return file + pod + node;
  }

  private void line(Evidence evidence) {
    var number = Proofs.number(evidence);
    var note = Proofs.note(evidence);
    var bar = page.screen().blocks() ? " │ " : " | ";
    var spans = new ArrayList<ColouredText>();
    spans.add(dim(number.isEmpty() && !note.isEmpty() ? "" : Figures.right(number, 8) + bar));
    spans.add(dim(note.isEmpty() ? "" : note + bar));
    spans.addAll(KeyWords.marked(evidence.text()));
    page.wrapped(INDENT + 2, INDENT + 12, MOST_ROWS_A_LINE, spans.toArray(ColouredText[]::new));
  }
}
