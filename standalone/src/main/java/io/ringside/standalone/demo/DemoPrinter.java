package io.ringside.standalone.demo;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.Severity;
import io.ringside.standalone.news.FindingNews;
import io.ringside.standalone.report.Report;
import io.ringside.standalone.report.SafeText;
import io.ringside.standalone.terminal.Console;
import io.ringside.standalone.terminal.ProgressLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Prints what a viewer of the demo reads: for each incident its main finding as the report shows
/// it, and below it one line for each other finding of that job. Thread-safe: findings come from
/// the feed's thread.
final class DemoPrinter {
  private final Console console;
  private final String root;
  private final UnaryOperator<Finding> lines;
  private final ProgressLine progress;
  private final FindingNews news = new FindingNews();
  private final List<Finding> all = new ArrayList<>();

  /// Other findings of the playing job that came before its headline, by id.
  private final Map<String, Finding> beside = new LinkedHashMap<>();

  private Shown shown = Shown.NONE;

  /// What the terminal shows of the playing incident.
  private record Shown(@Nullable Incident incident, boolean headline) {
    static final Shown NONE = new Shown(null, false);
  }

  /// @param root folder of the played logs, ending with a slash
  /// @param lines adds line numbers to the evidence of a headline
  DemoPrinter(Console console, String root, UnaryOperator<Finding> lines) {
    this.console = console;
    this.root = root;
    this.lines = lines;
    this.progress = console.progress();
  }

  /// Announces the incident that begins.
  synchronized void open(Incident incident, int number, int of) {
    say("", "── %d of %d: %s".formatted(number, of, incident.title()), incident.story());
    shown = new Shown(incident, false);
    beside.clear();
  }

  /// Shows how much of the incident has been played.
  synchronized void progress(double share) {
    progress.draw("playing", share);
  }

  /// Takes a version of a finding of any incident; prints only those of the playing incident.
  synchronized void announce(Finding finding) {
    all.add(finding);
    notifyAll();
    var item = news.take(finding);
    var incident = shown.incident();
    if (incident == null || !finding.job().equals(incident.job())) {
      return; // only the page shows it
    }
    if (incident.isAbout(finding)) {
      item.ifPresent(this::headline);
    } else if (shown.headline()) {
      item.ifPresent(this::besides);
    } else {
      beside.put(finding.id(), finding);
    }
  }

  private void headline(FindingNews.Item item) {
    switch (item.kind()) {
      case RAISED -> {
        say("");
        Report.of(lines.apply(item.finding()), root, console.screen())
            .forEach(console.out()::println);
        console.out().flush();
        shown = new Shown(shown.incident(), true);
        beside();
      }
      case NOTED, WORSE, CAUSE, ENDED, WITHDRAWN -> say("", "    " + item.words());
    }
  }

  private void besides(FindingNews.Item item) {
    switch (item.kind()) {
      case RAISED, NOTED -> say(line(item.finding()));
      case WORSE, CAUSE, ENDED, WITHDRAWN -> {} // only the page shows it
    }
  }

  private void beside() {
    if (!beside.isEmpty()) {
      say("    In the same job:");
      beside.values().forEach(finding -> say(line(finding)));
      beside.clear();
    }
  }

  private static String line(Finding finding) {
    return SafeText.of(
        "    %s %s: %s"
            .formatted(
                finding.severity() == Severity.INFO || finding.causedBy() != null ? "•" : "▲",
                finding.kind().label(),
                finding.summary()));
  }

  /// Whether a version of a finding has met the incident.
  synchronized boolean isFound(Incident incident) {
    return all.stream().anyMatch(incident::isMetBy);
  }

  /// Waits until the incident is found, at most the given time.
  synchronized void awaitFound(Incident incident, Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!isFound(incident)) {
      long left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
      if (left <= 0) {
        break;
      }
      wait(left);
    }
    progress.wipe();
  }

  /// Ends the output about the incident that was played.
  synchronized void close() {
    beside();
    shown = Shown.NONE;
  }

  /// Prints the summary: each incident with its headline once more.
  synchronized void sum(List<Incident> incidents, List<Incident> missed) {
    say("");
    for (Incident incident : incidents) {
      say(
          all.stream()
              .filter(incident::isMetBy)
              .reduce((_, later) -> later)
              .map(finding -> "✓ %s: %s".formatted(incident.title(), finding.summary()))
              .map(SafeText::of)
              .orElse(
                  "Not found: %s (%s).".formatted(incident.title(), incident.expected().label())));
    }
    if (missed.isEmpty()) {
      say("All incidents were found.");
    }
  }

  private void say(String... lines) {
    progress.wipe();
    for (String line : lines) {
      console.out().println(line);
    }
    console.out().flush();
  }
}
