package io.ringside.standalone.demo;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.Severity;
import io.ringside.standalone.news.News;
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

/// What the viewer of the demo reads until its last word: of each incident the finding that it is
/// about as the report shows it, and under it in a line each what else was found in that job.
/// Thread-safe: findings come from the feed's thread.
final class Bulletin {
  private final Console console;
  private final String root;
  private final UnaryOperator<Finding> lines;
  private final ProgressLine progress;
  private final News news = new News();
  private final List<Finding> all = new ArrayList<>();

  /// What else was found in the job that plays, before its headline stands; by id.
  private final Map<String, Finding> beside = new LinkedHashMap<>();

  private Shown shown = Shown.NONE;

  /// What stands on the terminal of the incident that plays.
  private record Shown(@Nullable Incident incident, boolean headline) {
    static final Shown NONE = new Shown(null, false);
  }

  /// @param root folder of the played logs, with a slash at its end
  /// @param lines adds where the proof of a headline stands
  Bulletin(Console console, String root, UnaryOperator<Finding> lines) {
    this.console = console;
    this.root = root;
    this.lines = lines;
    this.progress = console.progress();
  }

  /// Tells which incident begins.
  synchronized void open(Incident incident, int number, int of) {
    say("", "── %d of %d: %s".formatted(number, of, incident.title()), incident.story());
    shown = new Shown(incident, false);
    beside.clear();
  }

  /// How much of the incident was played.
  synchronized void progress(double share) {
    progress.draw("playing", share);
  }

  /// Takes a version of a finding, which may be about any incident: lines are told of the one that
  /// plays.
  synchronized void announce(Finding finding) {
    all.add(finding);
    notifyAll();
    var item = news.take(finding);
    var incident = shown.incident();
    if (incident == null || !finding.job().equals(incident.job())) {
      return; // the page has it
    }
    if (incident.isAbout(finding)) {
      item.ifPresent(this::headline);
    } else if (shown.headline()) {
      item.ifPresent(this::besides);
    } else {
      beside.put(finding.id(), finding);
    }
  }

  private void headline(News.Item item) {
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

  private void besides(News.Item item) {
    switch (item.kind()) {
      case RAISED, NOTED -> say(line(item.finding()));
      case WORSE, CAUSE, ENDED, WITHDRAWN -> {} // the page has it
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

  /// Whether a version of a finding met it.
  synchronized boolean isFound(Incident incident) {
    return all.stream().anyMatch(incident::isMetBy);
  }

  /// Waits for that, but not for ever.
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

  /// Nothing more is told of the incident that played.
  synchronized void close() {
    beside();
    shown = Shown.NONE;
  }

  /// The last word: each incident with its headline once more.
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
