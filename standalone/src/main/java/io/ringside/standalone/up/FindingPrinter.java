package io.ringside.standalone.up;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.Severity;
import io.ringside.standalone.news.FindingFeed;
import io.ringside.standalone.news.FindingNews;
import io.ringside.standalone.report.Report;
import io.ringside.standalone.report.SafeText;
import io.ringside.standalone.terminal.Console;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Prints findings as they come, with their job and the time of detection. A raised finding is
/// printed as in the report; a finding caused by another one, notes and changes take one line.
/// Thread-safe: findings come from the feed's thread.
final class FindingPrinter implements FindingFeed.Listener {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Console console;
  private final InstantSource clock;
  private final UnaryOperator<Finding> lines;
  private final FindingNews news = new FindingNews();
  private final Map<String, Finding> before = new LinkedHashMap<>();

  /// @param lines adds line numbers to the evidence of raised findings
  FindingPrinter(Console console, InstantSource clock, UnaryOperator<Finding> lines) {
    this.console = console;
    this.clock = clock;
    this.lines = lines;
  }

  @Override
  public synchronized void before(Finding finding) {
    before.put(finding.id(), finding);
    news.know(finding);
  }

  @Override
  public synchronized void begins() {
    var holding =
        before.values().stream()
            .filter(finding -> finding.state() == Finding.State.ACTIVE)
            .filter(finding -> finding.severity() != Severity.INFO)
            .toList();
    if (!before.isEmpty()) {
      say(
          switch (holding.size()) {
            case 0 -> "No finding was active when Ringside last stopped";
            case 1 -> "Still active from the last run: 1 finding";
            default -> "Still active from the last run: %d findings".formatted(holding.size());
          });
    }
    holding.forEach(
        finding ->
            console
                .out()
                .println(
                    SafeText.of(
                        "    ▲ %s · %s: %s"
                            .formatted(name(finding), finding.kind().label(), finding.summary()))));
    console.out().flush();
    before.clear();
  }

  @Override
  public synchronized void now(Finding finding) {
    news.take(finding).ifPresent(this::tell);
  }

  /// Prints one line with the time.
  synchronized void say(String line) {
    console.out().println(TIME.format(clock.instant()) + " UTC  " + line);
    console.out().flush();
  }

  private void tell(FindingNews.Item item) {
    var finding = item.finding();
    var name = SafeText.of(name(finding));
    switch (item.kind()) {
      case RAISED -> {
        if (finding.causedBy() != null) {
          say(name + "  " + item.words());
          return;
        }
        console.out().println();
        say(name);
        Report.of(lines.apply(finding), "", console.screen()).forEach(console.out()::println);
        console.out().flush();
      }
      case NOTED, WORSE, CAUSE, ENDED, WITHDRAWN -> say(name + "  " + item.words());
    }
  }

  private static String name(Finding finding) {
    var key = JobKey.of(finding);
    if (key.job().isEmpty()) {
      return String.join(", ", finding.nodes());
    }
    return key.namespace().isEmpty() ? key.job() : key.job() + " · " + key.namespace();
  }
}
