package io.ringside.standalone.news;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.Severity;
import io.ringside.standalone.report.Report;
import io.ringside.standalone.report.SafeText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Finds what is new in a version of a finding. A finding is reported once when it is raised, and
/// in one line when it gets worse, when its cause becomes known and when it is over. Not
/// thread-safe.
public final class FindingNews {
  private final Map<String, Finding> known = new HashMap<>();

  /// A change of a finding.
  ///
  /// @param words the change in one line; a raised finding deserves more than a line
  public record Item(Kind kind, String words, Finding finding) {
    /// Kind of change.
    public enum Kind {
      RAISED,
      NOTED,
      WORSE,
      CAUSE,
      ENDED,
      WITHDRAWN
    }
  }

  /// Takes a version that need not be reported.
  public void know(Finding finding) {
    known.put(finding.id(), finding);
  }

  /// Takes a version; empty if it contains nothing new.
  public Optional<Item> take(Finding finding) {
    var before = known.put(finding.id(), finding);
    if (before == null || isNote(before) && !isNote(finding)) {
      return Optional.of(isNote(finding) ? noted(finding) : raised(finding));
    }
    if (finding.severity().compareTo(before.severity()) > 0) {
      var words = "✖ now " + finding.severity().label() + ": ";
      return item(Item.Kind.WORSE, words + finding.summary(), finding);
    }
    if (!before.state().over() && finding.state().over()) {
      return item(Item.Kind.ENDED, "✓ ended: " + finding.summary(), finding);
    }
    if (!Objects.equals(finding.cause(), before.cause()) && finding.cause() != null) {
      return item(Item.Kind.CAUSE, "the cause is known now: " + Report.cause(finding), finding);
    }
    return Optional.empty();
  }

  /// Known findings that are not among these any more: later lines refuted them.
  public List<Item> withdrawn(List<Finding> all) {
    var ids = all.stream().map(Finding::id).toList();
    var gone = known.values().stream().filter(finding -> !ids.contains(finding.id())).toList();
    gone.forEach(finding -> known.remove(finding.id()));
    return gone.stream()
        .map(
            finding ->
                new Item(
                    Item.Kind.WITHDRAWN, SafeText.of("taken back: " + finding.summary()), finding))
        .toList();
  }

  private static Item raised(Finding finding) {
    return new Item(
        Item.Kind.RAISED,
        SafeText.of(
            "▲ %s %s: %s"
                .formatted(finding.severity().label(), finding.kind().label(), finding.summary())),
        finding);
  }

  private static Item noted(Finding finding) {
    return new Item(Item.Kind.NOTED, SafeText.of("• note: " + finding.summary()), finding);
  }

  private static Optional<Item> item(Item.Kind kind, String words, Finding finding) {
    return Optional.of(new Item(kind, SafeText.of(words), finding));
  }

  private static boolean isNote(Finding finding) {
    return finding.severity() == Severity.INFO;
  }
}
