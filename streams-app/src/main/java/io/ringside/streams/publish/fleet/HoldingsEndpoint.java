package io.ringside.streams.publish.fleet;

import io.ringside.streams.publish.Holdings;
import io.ringside.streams.publish.http.Endpoint;
import io.ringside.streams.publish.http.Request;
import io.ringside.streams.publish.http.Response;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// `/instance/holdings`: what this instance holds, for the other instances. Not for people: `/api`
/// has the same of all instances.
///
/// @param own what this instance holds
public record HoldingsEndpoint(Supplier<Holdings> own) implements Endpoint {
  static final String PATH = "/instance/holdings";

  @Override
  public Optional<Response> answer(Request request) {
    if (!request.path().equals(List.of("instance", "holdings"))) {
      return Optional.empty();
    }
    request.needsAllNamespaces();
    return Optional.of(Response.json(200, own.get()));
  }
}
