package io.ringside.standalone.report;

import io.ringside.schemas.event.Finding;
import io.ringside.streams.publish.Causes;
import java.util.ArrayList;
import java.util.List;

/// Writes commands of a GitHub workflow: one line for each finding, which annotates the run at the
/// line that proves it, and a notice for what was not judged. The last line is the verdict.
///
/// GitHub shows ten errors, ten warnings and ten notices per step, so the worst of each job come
/// first.
final class ReportGithub {
  private final List<String> lines = new ArrayList<>();

  private ReportGithub() {}

  static String of(ReportContent account) {
    var report = new ReportGithub();
    for (var job : account.jobs()) {
      var causes = Causes.among(job.findings());
      job.findings().forEach(finding -> report.finding(job, finding, causes.root(finding)));
    }
    account.jobs().forEach(report::notJudged);
    if (!account.leftOut().by().isEmpty()) {
      report.lines.add("::notice::" + data(account.leftOut().sentence()));
    }
    report.lines.add(SafeText.of(account.verdict().line()));
    return String.join("\n", report.lines);
  }

  private void finding(JobView job, Finding finding, Finding root) {
    var command =
        switch (finding.severity()) {
          case CRITICAL -> "error";
          case WARNING -> "warning";
          case INFO -> "notice";
        };
    var first = finding.evidence().getFirst();
    var properties = new ArrayList<String>();
    properties.add("file=" + property(Proofs.file(first)));
    if (first.line() != null) {
      properties.add("line=" + first.line());
    }
    properties.add("title=" + property(finding.kind().label() + " in " + job.name()));
    var text = new ArrayList<>(List.of(SafeText.of(finding.summary())));
    text.addAll(FindingDetails.of(finding, root));
    text.add(SafeText.of(first.text()));
    lines.add(
        "::%s %s::%s"
            .formatted(command, String.join(",", properties), data(String.join("\n", text))));
  }

  private void notJudged(JobView job) {
    var text = new ArrayList<String>();
    for (var run : job.runs()) {
      run.notJudged().forEach(each -> text.add(SafeText.of(each.what() + ": " + each.because())));
    }
    if (!text.isEmpty()) {
      lines.add(
          "::notice title=%s::%s"
              .formatted(
                  property("not judged in " + job.name()),
                  data(String.join("\n", text.stream().distinct().toList()))));
    }
  }

  /// Escapes the text after the second pair of colons; a line break in it would end the command and
  /// begin another.
  private static String data(String text) {
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
  }

  /// Escapes a property's value before the second pair of colons.
  private static String property(String text) {
    return data(SafeText.of(text)).replace(":", "%3A").replace(",", "%2C");
  }
}
