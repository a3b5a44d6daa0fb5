package io.ringside.streams.publish.fleet;

import io.ringside.streams.publish.InstanceHoldings;
import io.ringside.streams.publish.http.Endpoint;
import io.ringside.streams.publish.http.Request;
import io.ringside.streams.publish.http.Response;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// `/instance/holdings`: the data of this instance, for the other instances. People should use
/// `/api`, which has the data of all instances.
///
/// @param own data of this instance
public record HoldingsEndpoint(Supplier<InstanceHoldings> own) implements Endpoint {
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
