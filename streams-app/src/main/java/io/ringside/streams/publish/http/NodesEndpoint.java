package io.ringside.streams.publish.http;

import io.ringside.streams.expect.Expectations;
import io.ringside.streams.publish.NodeOverview;
import io.ringside.streams.publish.NodeViews;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// The memory of nodes as JSON: `/api/nodes`, of one cluster with `?cluster=`, the suspects alone with
/// `?suspect=true`.
public final class NodesEndpoint implements Endpoint {
  private static final List<String> PATH = List.of("api", "nodes");

  private final NodeViews views;
  private final Supplier<Expectations> expectations;

  /// @param expectations say from how many runs on a node is suspect
  public NodesEndpoint(NodeViews views, Supplier<Expectations> expectations) {
    this.views = views;
    this.expectations = expectations;
  }

  @Override
  public Optional<Response> answer(Request request) {
    if (!request.path().equals(PATH)) {
      return Optional.empty();
    }
    request.allowOnly(Set.of("cluster", "suspect"));
    var cluster = request.parameter("cluster");
    var suspect = request.parameter("suspect").map(NodesEndpoint::flag);
    var limit = expectations.get().thresholds().nodes();
    return Optional.of(
        Response.json(
            200,
            new NodeList(
                views.nodes().stream()
                    .map(memory -> NodeOverview.of(memory, limit))
                    .filter(node -> cluster.map(node.cluster()::equals).orElse(true))
                    .filter(node -> suspect.map(is -> is == node.suspect()).orElse(true))
                    .sorted(NodeOverview.WORST_FIRST)
                    .toList())));
  }

  private static boolean flag(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new Refused(400, "suspect cannot be '%s', only true, false".formatted(text));
    };
  }

  record NodeList(List<NodeOverview> nodes) {}
}
