package io.ringside.standalone.analyze;

import io.ringside.standalone.news.FindingNews;
import io.ringside.standalone.report.Report;
import io.ringside.standalone.report.ReportContent;
import io.ringside.standalone.terminal.Console;
import java.util.List;

/// The output for files that are judged repeatedly: the whole report once, then what is new, and
/// the verdict if it has changed. Not thread-safe.
final class WatchedReport {
  private final Console console;
  private final FindingNews news = new FindingNews();
  private List<String> verdict = List.of();

  WatchedReport(Console console) {
    this.console = console;
  }

  /// Prints the first, whole report.
  void begin(ReportContent account) {
    account.findings().forEach(news::know);
    var lines = Report.of(account, console.screen());
    verdict = Report.verdict(account, console.screen());
    say(lines.toArray(String[]::new));
  }

  /// Prints that watching has started.
  void watching() {
    say("", "Watching: what is new is printed as it comes, until Ctrl-C.");
  }

  /// Prints what has changed.
  void goOn(ReportContent account) {
    for (var finding : account.findings()) {
      news.take(finding).ifPresent(this::tell);
    }
    news.withdrawn(account.findings()).forEach(this::tell);
    var now = Report.verdict(account, console.screen());
    if (!now.equals(verdict)) {
      verdict = now;
      say("");
      say(now.toArray(String[]::new));
    }
  }

  private void tell(FindingNews.Item item) {
    switch (item.kind()) {
      case RAISED -> {
        say("");
        Report.of(item.finding(), "", console.screen()).forEach(console.out()::println);
        console.out().flush();
      }
      case NOTED, WORSE, CAUSE, ENDED, WITHDRAWN -> say("    " + item.words());
    }
  }

  private void say(String... lines) {
    for (var line : lines) {
      console.out().println(line);
    }
    console.out().flush();
  }
}
