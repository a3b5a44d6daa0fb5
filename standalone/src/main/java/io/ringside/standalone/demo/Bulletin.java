package io.ringside.standalone.demo;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.Severity;
import io.ringside.standalone.report.Report;
import io.ringside.standalone.report.SafeText;
import io.ringside.standalone.terminal.Console;
import io.ringside.standalone.terminal.ProgressLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// What the viewer of the demo reads until its last word: each finding once when it is raised, and a word when it is
/// over. Thread-safe: findings come from the feed's thread.
final class Bulletin {
  private final Console console;
  private final String root;
  private final ProgressLine progress;
  private final Map<String, Finding> known = new HashMap<>();
  private final List<Finding> all = new ArrayList<>();
  private boolean summed;

  /// @param root folder of the played logs, with a slash at its end
  Bulletin(Console console, String root) {
    this.console = console;
    this.root = root;
    this.progress = new ProgressLine(console.err(), System::nanoTime, console.watched());
  }

  /// Tells which incident begins.
  synchronized void open(Incident incident, int number, int of) {
    say("", "── %d of %d: %s".formatted(number, of, incident.title()), incident.story());
  }

  /// How much of the incident was played.
  synchronized void progress(double share) {
    progress.draw("playing", share);
  }

  /// Takes a version of a finding.
  synchronized void announce(Finding finding) {
    all.add(finding);
    notifyAll();
    var before = known.put(finding.id(), finding);
    if (summed) {
      return; // the page tells what comes now
    }
    if (before == null || isNote(before) && !isNote(finding)) {
      raised(finding);
    } else if (finding.severity().compareTo(before.severity()) > 0) {
      said("✖ now " + finding.severity().label(), finding);
    } else if (!Objects.equals(finding.cause(), before.cause()) && finding.cause() != null) {
      say("", "    the cause is known now: " + SafeText.of(Report.cause(finding)));
    } else if (isOver(finding) && !isOver(before)) {
      said("✓ ended", finding);
    }
  }

  private void raised(Finding finding) {
    if (isNote(finding)) {
      said("• note", finding);
    } else {
      say("");
      Report.of(finding, root, console.screen()).forEach(console.out()::println);
      console.out().flush();
    }
  }

  private void said(String what, Finding finding) {
    say("", "    " + what + ": " + SafeText.of(finding.summary()));
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

  /// The last word.
  synchronized void sum(List<Incident> incidents, List<Incident> missed) {
    summed = true;
    if (missed.isEmpty()) {
      say("", incidents.size() == 2 ? "Both incidents were found." : "All incidents were found.");
    }
    for (Incident incident : missed) {
      say("", "Not found: %s (%s).".formatted(incident.title(), incident.expected().label()));
    }
  }

  private static boolean isNote(Finding finding) {
    return finding.severity() == Severity.INFO;
  }

  private static boolean isOver(Finding finding) {
    return finding.state() == Finding.State.CLEARED;
  }

  private void say(String... lines) {
    progress.wipe();
    for (String line : lines) {
      console.out().println(line);
    }
    console.out().flush();
  }
}
