package io.ringside.streams.publish;

import io.ringside.schemas.event.Finding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Findings and their causes, so that one fault is reported once.
public final class Causes {
  private final Map<String, Finding> byId = new HashMap<>();

  private Causes(Collection<Finding> findings) {
    findings.forEach(finding -> byId.put(finding.id(), finding));
  }

  /// Causes among these findings; a cause outside them is ignored.
  public static Causes among(Collection<Finding> findings) {
    return new Causes(findings);
  }

  /// The finding's root cause; the finding itself if it has none.
  public Finding root(Finding finding) {
    var root = finding;
    for (int i = 0; i < byId.size(); i++) {
      var cause = root.causedBy() == null ? null : byId.get(root.causedBy());
      if (cause == null) {
        return root;
      }
      root = cause;
    }
    return root;
  }

  /// Whether the finding has a cause.
  public boolean isEffect(Finding finding) {
    return !root(finding).id().equals(finding.id());
  }

  /// The same findings, with each cause before its effects. Families are ordered by their worst
  /// finding.
  public static List<Finding> first(List<Finding> worstFirst) {
    var causes = among(worstFirst);
    var families = new LinkedHashMap<String, List<Finding>>();
    for (var finding : worstFirst) {
      var root = causes.root(finding);
      var family = families.computeIfAbsent(root.id(), _ -> new ArrayList<>(List.of(root)));
      if (!finding.id().equals(root.id())) {
        family.add(finding);
      }
    }
    return families.values().stream().flatMap(List::stream).toList();
  }
}
