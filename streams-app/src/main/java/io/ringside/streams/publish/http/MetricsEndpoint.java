package io.ringside.streams.publish.http;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `/metrics` in the text format that the scraper asks for.
///
/// @param registry holds all metrics of the process
public record MetricsEndpoint(PrometheusMeterRegistry registry) implements Endpoint {
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
  private static final String OPEN_METRICS =
      "application/openmetrics-text; version=1.0.0; charset=utf-8";

  @Override
  public Optional<Response> answer(Request request) {
    if (!request.path().equals(List.of("metrics"))) {
      return Optional.empty();
    }
    request.needsAllNamespaces();
    var type = request.accept().contains("application/openmetrics-text") ? OPEN_METRICS : TEXT;
    var out = new ByteArrayOutputStream();
    try {
      registry.scrape(out, type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Optional.of(
        new Response(200, type, Map.of("Cache-Control", "no-store"), out.toByteArray()));
  }
}
