package io.ringside.streams.publish.http;

import java.util.Optional;

/// Answers requests to its paths. Called from many threads at once.
@FunctionalInterface
public interface Endpoint {
  /// The answer, or empty if the path belongs to another endpoint.
  Optional<Response> answer(Request request);
}
