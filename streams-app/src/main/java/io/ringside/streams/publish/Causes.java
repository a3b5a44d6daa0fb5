package io.ringside.streams.publish;

import io.ringside.schemas.event.Finding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Findings and what they follow from, so that one fault is told once.
public final class Causes {
  private final Map<String, Finding> byId = new HashMap<>();

  private Causes(Collection<Finding> findings) {
    findings.forEach(finding -> byId.put(finding.id(), finding));
  }

  /// Among these findings; a cause that is not one of them counts for nothing.
  public static Causes among(Collection<Finding> findings) {
    return new Causes(findings);
  }

  /// What the finding follows from in the end; itself if it stands for itself.
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

  /// Whether it follows from another one.
  public boolean isEffect(Finding finding) {
    return !root(finding).id().equals(finding.id());
  }

  /// The same findings, each cause before what follows from it: the order of the worst of each
  /// family.
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
