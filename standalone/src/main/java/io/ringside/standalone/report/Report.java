package io.ringside.standalone.report;

import static io.ringside.standalone.report.ColouredText.dim;
import static io.ringside.standalone.report.ColouredText.plain;
import static io.ringside.standalone.report.ColouredText.strong;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.publish.Causes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The report of `ringside analyze`: a verdict for every job, then for each run the checklist, the
/// transport, the waits and the findings with their evidence.
public final class Report {
  /// Limit of groups of left-out files that are listed.
  private static final int MOST_SKIPPED = 8;

  private static final int MOST_NAMED = 3;

  private static final int FEW_LINES = 6;

  private final Page page;
  private final String root;

  private Report(Screen screen, ReportContent account) {
    this.page = new Page(screen);
    this.root = account.input().root();
  }

  /// The whole report, line by line; the last one is the verdict.
  public static List<String> of(ReportContent account, Screen screen) {
    var report = new Report(screen, account);
    account.jobs().forEach(report::job);
    if (account.jobs().isEmpty()) {
      report.noJob(account.input());
    }
    report.input(account.input(), account.leftOut());
    report.page.blank();
    report.next(account.jobs());
    report.last(account.verdict());
    return report.page.lines();
  }

  /// One finding as the report shows it, with a few lines of its evidence.
  ///
  /// @param root paths below this folder are shown relative to it
  public static List<String> of(Finding finding, String root, Screen screen) {
    var page = new Page(screen);
    new FindingSection(page, root, FEW_LINES).write(finding, finding);
    return page.lines();
  }

  /// Only the end of the report, in as many lines as needed.
  public static List<String> verdict(ReportContent account, Screen screen) {
    var report = new Report(screen, account);
    report.last(account.verdict());
    return report.page.lines();
  }

  /// The cause of a finding in words, empty if unknown.
  public static String cause(Finding finding) {
    return FindingSection.cause(finding);
  }

  private void job(JobView job) {
    page.blank();
    rule(job.name());
    headline(job.verdict(), job.findings());
    boolean several = job.runs().size() > 1;
    new DifferenceSection(page).write(job.runs());
    for (RunSummary run : job.runs()) {
      run(job, run, several);
    }
    findings(job.runs().isEmpty() ? "Findings" : "Findings about no run", job.ofNoRun());
  }

  private void rule(String name) {
    var title = " " + SafeText.of(name) + " ";
    var dashes = "─".repeat(Math.max(2, page.screen().width() - 2 - title.length()));
    page.line(0, dim("──"), strong(title), dim(dashes));
  }

  private void headline(Verdict verdict, List<Finding> findings) {
    var mark = SeverityMark.of(verdict);
    page.paragraph(2, 4, mark.span(), new ColouredText(verdict.summary(), ink(verdict)));
    if (findings.size() > 1) {
      page.line(4, dim(counts(findings)));
    }
  }

  private static AnsiColour ink(Verdict verdict) {
    return verdict.level().equals("critical") ? AnsiColour.BAD : AnsiColour.STRONG;
  }

  private static String counts(List<Finding> findings) {
    return Stream.of(Severity.CRITICAL, Severity.WARNING, Severity.INFO)
        .map(severity -> counted(severity, findings))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(", "));
  }

  private static String counted(Severity severity, List<Finding> findings) {
    long n = findings.stream().filter(finding -> finding.severity() == severity).count();
    if (n == 0) {
      return "";
    }
    return switch (severity) {
      case CRITICAL -> Figures.count(n) + " critical";
      case WARNING -> Figures.count(n, "warning");
      case INFO -> Figures.count(n, "note");
    };
  }

  private void run(JobView job, RunSummary run, boolean several) {
    var findings = job.of(run);
    page.blank();
    if (several) {
      headline(job.verdict(run).of("Run " + run.attempt() + ": "), findings);
    }
    new RunSection(page).write(run);
    findings("Findings", findings);
  }

  private void findings(String title, List<Finding> findings) {
    if (findings.isEmpty()) {
      return;
    }
    page.blank();
    page.line(2, strong(title));
    var section = new FindingSection(page, root, Finding.MAX_EVIDENCE);
    var causes = Causes.among(findings);
    for (Finding finding : findings) {
      section.write(finding, causes.root(finding));
      page.blank();
    }
  }

  private void noJob(InputSummary input) {
    page.blank();
    page.paragraph(
        2,
        4,
        new ColouredText("? ", AnsiColour.DIM),
        strong("No training run recognised: no NCCL line that starts a communicator was found. "),
        plain(
            input.files().stream().anyMatch(file -> file.kind().equals("log"))
                ? "Run the job with NCCL_DEBUG=INFO to see its transport, and with"
                    + " NCCL_DEBUG_SUBSYS=INIT,ENV,NET,GRAPH,COLL to see who waits for whom."
                : "There was no log among the files."));
  }

  /// Repeats the command to run next, for users who read a long report from its end.
  private void next(List<JobView> jobs) {
    Verdict.worst(jobs)
        .filter(job -> job.verdict().grave())
        .flatMap(job -> job.findings().stream().findFirst())
        .flatMap(finding -> finding.tryNow().stream().findFirst())
        .ifPresent(command -> page.whole(plain("  "), dim("try  "), plain(SafeText.of(command))));
  }

  /// Writes the verdict. It is broken into several lines only on a terminal, so that a program that
  /// reads the last line of a pipe gets all of it.
  private void last(Verdict verdict) {
    var mark = SeverityMark.of(verdict);
    var words = new ColouredText(verdict.summary(), ink(verdict));
    if (page.screen().blocks()) {
      page.paragraph(0, 2, mark.span(), words);
    } else {
      page.whole(mark.span(), words);
    }
  }

  private void input(InputSummary input, LeftOut leftOut) {
    page.blank();
    rule("read");
    var kinds =
        input.files().stream()
            .collect(Collectors.groupingBy(InputSummary.File::kind, Collectors.counting()));
    page.paragraph(2, 2, dim(read(input, kinds)));
    if (!input.root().isEmpty()) {
      page.paragraph(2, 4, dim("paths are below " + input.root()));
    }
    if (!leftOut.by().isEmpty()) {
      page.paragraph(2, 4, plain(leftOut.sentence()));
    }
    unparsed(input);
    skipped(input.skipped());
  }

  /// `2 logs, 7,545 lines (77.3 kB), 1 nvidia-smi recording`; kinds that do not occur are left out.
  private static String read(InputSummary input, Map<String, Long> kinds) {
    long topologies = kinds.getOrDefault("topology", 0L);
    long recordings = kinds.getOrDefault("nvidia-smi", 0L);
    return "%s, %s (%s)%s%s"
        .formatted(
            Figures.count(kinds.getOrDefault("log", 0L), "log"),
            Figures.count(input.lines(), "line"),
            Figures.bytes(input.bytes()),
            recordings == 0 ? "" : ", " + Figures.count(recordings, "nvidia-smi recording"),
            topologies == 0
                ? ""
                : ", "
                    + Figures.count(topologies)
                    + (topologies == 1 ? " topology" : " topologies"));
  }

  private void unparsed(InputSummary input) {
    var unparsed = input.unparsed();
    if (unparsed == null || unparsed.lines() == 0) {
      return;
    }
    page.line(
        2, dim(Figures.count(unparsed.lines(), "NCCL line") + " that Ringside does not know:"));
    for (var shape : unparsed.shapes()) {
      page.line(4, dim(Figures.right(Figures.count(shape.lines()), 7) + "  " + shape.shape()));
    }
  }

  /// Writes one line for all files of a folder that were left out for the same reason, with the
  /// names of a few.
  private void skipped(List<InputSummary.Skipped> skipped) {
    Map<List<String>, List<InputSummary.Skipped>> alike =
        skipped.stream()
            .collect(
                Collectors.groupingBy(
                    file -> List.of(folder(file.path()), file.reason()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    for (var files : alike.values().stream().limit(MOST_SKIPPED).toList()) {
      var first = files.getFirst();
      var what =
          files.size() <= MOST_NAMED
              ? files.stream().map(file -> relative(file.path())).collect(Collectors.joining(", "))
              : files.size()
                  + " files"
                  + (inRoot(first) ? "" : " in " + relative(folder(first.path())));
      page.paragraph(2, 4, dim("left out " + what + ": " + first.reason()));
    }
    if (alike.size() > MOST_SKIPPED) {
      page.line(2, dim("left out more; --json names every file"));
    }
  }

  private boolean inRoot(InputSummary.Skipped file) {
    return folder(file.path()).equals(root);
  }

  private String relative(String path) {
    return path.startsWith(root) ? path.substring(root.length()) : path;
  }

  private static String folder(String path) {
    return path.substring(0, path.lastIndexOf('/') + 1);
  }
}
