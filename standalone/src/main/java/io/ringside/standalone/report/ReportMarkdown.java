package io.ringside.standalone.report;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.publish.Causes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Writes the report as Markdown to paste into an issue: the verdict and the findings of each job,
/// with folded evidence.
final class ReportMarkdown {
  /// Characters with a meaning at GitHub, in Markdown or in HTML. A bare @ would mention a user, a
  /// bare # would link an issue.
  private static final Map<Character, String> ESCAPED =
      Map.ofEntries(
          Map.entry('&', "&amp;"),
          Map.entry('<', "&lt;"),
          Map.entry('>', "&gt;"),
          Map.entry('@', "&#64;"),
          Map.entry('#', "&#35;"),
          Map.entry('\\', "\\\\"),
          Map.entry('`', "\\`"),
          Map.entry('*', "\\*"),
          Map.entry('_', "\\_"),
          Map.entry('~', "\\~"),
          Map.entry('[', "\\["),
          Map.entry(']', "\\]"),
          Map.entry('|', "\\|"),
          Map.entry('!', "\\!"));

  private static final String TRY = "try: ";

  private final List<String> lines = new ArrayList<>();
  private final ReportContent account;

  private ReportMarkdown(ReportContent account) {
    this.account = account;
  }

  static String of(ReportContent account) {
    var report = new ReportMarkdown(account);
    account.jobs().forEach(report::job);
    if (account.jobs().isEmpty()) {
      report.block("### ? " + escaped(account.verdict().summary()));
    }
    report.end();
    return String.join("\n", report.lines);
  }

  private void job(JobView job) {
    block("### %s %s".formatted(job.mark().sign(), escaped(job.name())));
    block("**" + escaped(job.verdict().summary()) + "**");
    for (var run : job.runs()) {
      block(escaped(RunSection.sentence(run)));
    }
    var causes = Causes.among(job.findings());
    job.findings().forEach(finding -> finding(finding, causes.root(finding)));
    job.runs().forEach(this::notJudged);
  }

  private void finding(Finding finding, Finding root) {
    block(
        "#### %s `%s` %s%s"
            .formatted(
                SeverityMark.of(finding.severity()).sign(),
                finding.kind().label(),
                finding.severity().label(),
                finding.state().over() ? ", ended" : ""));
    block(escaped(finding.summary()));
    for (var line : FindingDetails.of(finding, root)) {
      lines.add(
          "- " + (line.startsWith(TRY) ? TRY + span(line.substring(TRY.length())) : escaped(line)));
    }
    lines.add("- runbook: `" + finding.runbook() + "`");
    if (finding.lateStep() != null) {
      lateStep(new LateStepRows(finding.lateStep(), true));
    }
    block("<details><summary>proof</summary>");
    code(finding.evidence().stream().map(line -> SafeText.of(Proofs.line(line))).toList());
    block("</details>");
  }

  private void lateStep(LateStepRows step) {
    block("one step: " + escaped(step.title()));
    var rows = new ArrayList<>(step.rows().stream().map(LateStepRows.Row::text).toList());
    if (!step.leftOut().isEmpty()) {
      rows.add(step.leftOut());
    }
    code(rows);
  }

  private void notJudged(RunSummary run) {
    if (run.notJudged().isEmpty()) {
      return;
    }
    block("Not judged:");
    run.notJudged().forEach(each -> lines.add("- " + escaped(each.what() + ": " + each.because())));
  }

  private void end() {
    var input = account.input();
    var left = account.leftOut().sentence();
    block(
        "<sub>%s, %s read%s · ringside analyze</sub>"
            .formatted(
                Figures.count(input.lines(), "line"),
                Figures.bytes(input.bytes()),
                left.isEmpty() ? "" : "; " + escaped(left)));
  }

  private void block(String text) {
    if (!lines.isEmpty() && !lines.getLast().isEmpty()) {
      lines.add("");
    }
    lines.add(text);
    lines.add("");
  }

  /// A code span, so that a command can be copied as it is.
  private static String span(String text) {
    var fence = fence(List.of(text), 1);
    var space = text.startsWith("`") || text.endsWith("`") ? " " : "";
    return fence + space + text + space + fence;
  }

  /// A fence of more backticks than any run inside.
  private static String fence(List<String> text, int shortest) {
    int longest = shortest - 1;
    for (var line : text) {
      int run = 0;
      for (int i = 0; i < line.length(); i++) {
        run = line.charAt(i) == '`' ? run + 1 : 0;
        longest = Math.max(longest, run);
      }
    }
    return "`".repeat(longest + 1);
  }

  private void code(List<String> text) {
    var fence = fence(text, 3);
    lines.add(fence + "text");
    lines.addAll(text);
    lines.add(fence);
  }

  static String escaped(String text) {
    var out = new StringBuilder();
    var safe = SafeText.of(text);
    for (int i = 0; i < safe.length(); i++) {
      out.append(ESCAPED.getOrDefault(safe.charAt(i), safe.substring(i, i + 1)));
    }
    return out.toString();
  }
}
