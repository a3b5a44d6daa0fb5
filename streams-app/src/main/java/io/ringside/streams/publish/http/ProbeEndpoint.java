package io.ringside.streams.publish.http;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// `/healthz` is good unless a restart would help. `/readyz` is good if this instance has its
/// partitions and its results are current.
///
/// @param state text to show with the status
public record ProbeEndpoint(BooleanSupplier healthy, BooleanSupplier ready, Supplier<String> state)
    implements Endpoint {

  @Override
  public Optional<Response> answer(Request request) {
    if (request.path().size() != 1) {
      return Optional.empty();
    }
    return switch (request.path().getFirst()) {
      case "healthz" -> Optional.of(probe(healthy));
      case "readyz" -> Optional.of(probe(ready));
      default -> Optional.empty();
    };
  }

  private Response probe(BooleanSupplier good) {
    return Response.text(good.getAsBoolean() ? 200 : 503, state.get());
  }
}
