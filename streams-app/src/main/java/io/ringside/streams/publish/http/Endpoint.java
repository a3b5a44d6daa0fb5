package io.ringside.streams.publish.http;

import java.util.Optional;

/// Answers what lies under its paths. Called from many threads at once.
@FunctionalInterface
public interface Endpoint {
  /// The answer, or empty if the path is somebody else's.
  Optional<Response> answer(Request request);
}
