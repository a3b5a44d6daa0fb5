package io.ringside.deploy.observe;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Something that a panel does wrong, seen in a real Grafana, and how its JSON shows it.
///
/// @param name for a test's name
/// @param broken by this panel
record PanelRule(String name, Predicate<Panel> broken) {
  static List<PanelRule> all() {
    return Stream.of(
            ColourRules.ALL,
            UnitRules.ALL,
            StatRules.ALL,
            TableRules.ALL,
            CrowdRules.ALL,
            IdentityRules.ALL)
        .flatMap(List::stream)
        .toList();
  }

  boolean brokenBy(Panel panel) {
    return broken.test(panel);
  }

  @Override
  public String toString() {
    return name;
  }
}
