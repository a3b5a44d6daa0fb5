package io.ringside.streams.publish.http;

import io.ringside.streams.expect.Expectations;
import io.ringside.streams.publish.NodeOverview;
import io.ringside.streams.publish.NodeViews;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The memory of nodes as JSON: `/api/nodes`. `?cluster=` selects one cluster, `?suspect=true` only
/// the suspects; paged like the jobs.
///
/// @param expectations define how many runs make a node suspect
public record NodesEndpoint(NodeViews views, Supplier<Expectations> expectations)
    implements Endpoint {
  private static final List<String> PATH = List.of("api", "nodes");

  @Override
  public Optional<Response> answer(Request request) {
    if (!request.path().equals(PATH)) {
      return Optional.empty();
    }
    request.needsAllNamespaces();
    request.allowOnly(Set.of("cluster", "suspect", "limit", "cursor"));
    var cursor = PageCursor.of(request, NodeOverview.Place::read);
    var cluster = request.parameter("cluster");
    var suspect = request.parameter("suspect").map(NodesEndpoint::flag);
    var limit = expectations.get().thresholds().nodes();
    var look = views.lookAtNodes();
    var matching =
        look.nodes().stream()
            .map(memory -> NodeOverview.of(memory, limit))
            .filter(node -> cluster.map(node.cluster()::equals).orElse(true))
            .filter(node -> suspect.map(is -> is == node.suspect()).orElse(true))
            .sorted(Comparator.comparing(NodeOverview.Place::of))
            .toList();
    var page = cursor.of(matching, NodeOverview.Place::of, NodeOverview.Place::parts);
    return Optional.of(
        Response.json(
            200, new NodeList(page.entries(), matching.size(), page.next(), look.missing())));
  }

  private static boolean flag(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new RefusedRequest(400, "suspect cannot be '%s', only true, false".formatted(text));
    };
  }

  /// @param total number of matches; `nodes` is one page of them
  /// @param next the cursor of the next page, null if this is the last
  /// @param missing what could not be queried and why; empty if the answer is complete
  record NodeList(
      List<NodeOverview> nodes, int total, @Nullable String next, List<String> missing) {}
}
