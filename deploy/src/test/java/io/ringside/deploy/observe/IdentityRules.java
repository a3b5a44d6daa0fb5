package io.ringside.deploy.observe;

import java.util.List;

/// A job is cluster, namespace and name, a node cluster and name; what an instance is called tells
/// neither.
final class IdentityRules {
  static final List<PanelRule> ALL =
      List.of(
          new PanelRule("joins over the instance", IdentityRules::joinsInstances),
          new PanelRule("names a job without its namespace", IdentityRules::bareJob),
          new PanelRule("leads to a job without cluster and namespace", IdentityRules::lostJob),
          new PanelRule("leads to a node without its cluster", IdentityRules::lostNode),
          new PanelRule("asks for a node without its cluster", IdentityRules::bareNode));

  private IdentityRules() {}

  /// Where Thanos or Mimir read several Prometheus as one, two clusters may share the name of an
  /// instance.
  private static boolean joinsInstances(Panel panel) {
    return panel.asks("on (instance)", "ignoring (", "group_left (node)");
  }

  private static boolean bareJob(Panel panel) {
    return panel.legends().stream()
        .anyMatch(it -> it.contains("{{job}}") && !it.contains("{{namespace}}"));
  }

  private static boolean lostJob(Panel panel) {
    return panel.json().findValuesAsString("url").stream()
        .anyMatch(
            url ->
                (url.contains("#/job/")
                        && !url.contains("?cluster=${__data.fields.proof:raw}")
                        && !url.contains(
                            "?cluster=${cluster:percentencode}&namespace=${namespace:percentencode}"))
                    || (url.contains("var-job=")
                        && !url.contains("?var-cluster=${__data.fields.board:raw}&var-job=")));
  }

  private static boolean lostNode(Panel panel) {
    return panel.json().findValuesAsString("url").stream()
        .anyMatch(
            url ->
                url.contains("var-node=")
                    && !(url.contains("?var-cluster=${__data.fields.cluster}&var-node=")
                        && panel.columns().stream().anyMatch(it -> it.source().equals("cluster"))));
  }

  private static boolean bareNode(Panel panel) {
    return panel.expressions().stream()
        .anyMatch(
            it -> it.contains("node=\"$node\"") && !it.contains("cluster=\"$cluster\",node="));
  }
}
