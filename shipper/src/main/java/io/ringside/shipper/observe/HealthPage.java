package io.ringside.shipper.observe;

import io.ringside.platform.http.Access;
import io.ringside.platform.http.HttpAnswer;
import io.ringside.platform.http.HttpListener;
import io.ringside.platform.http.Probes;
import io.ringside.platform.http.ReceivedRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// `/healthz`, `/readyz` and `/metrics`. A probe answers 200 and `ok`, or 503 and the reason.
public final class HealthPage implements AutoCloseable {
  private static final int CONNECTIONS = 64;

  private static final Map<String, String> METRICS =
      Map.of(
          "Content-Type", "text/plain; version=0.0.4; charset=utf-8",
          "X-Content-Type-Options", "nosniff");

  private final HttpListener listener;

  /// Starts to listen.
  ///
  /// @param dead why the agent should be restarted; empty if it need not be
  /// @param access who may read the metrics
  /// @param unready why the agent cannot work now; empty if it can
  /// @throws IOException if the address is taken
  public HealthPage(
      InetSocketAddress address,
      Supplier<Optional<String>> dead,
      Supplier<Optional<String>> unready,
      Supplier<String> metrics,
      Access access)
      throws IOException {
    try {
      listener =
          access.open(
              address,
              HttpListener.Bounds.of(CONNECTIONS),
              request -> answer(request, dead, unready, metrics),
              HealthPage::refused);
    } catch (IOException e) {
      throw new IOException(
          "cannot listen on %s:%d: %s"
              .formatted(address.getHostString(), address.getPort(), e.getMessage()),
          e);
    }
  }

  /// The port that the page listens on.
  public int port() {
    return listener.address().getPort();
  }

  private static HttpAnswer answer(
      ReceivedRequest request,
      Supplier<Optional<String>> dead,
      Supplier<Optional<String>> unready,
      Supplier<String> metrics) {
    return switch (request.path()) {
      case "/healthz" -> Probes.answer(dead.get());
      case "/readyz" -> Probes.answer(unready.get());
      case "/metrics" ->
          new HttpAnswer(200, METRICS, metrics.get().getBytes(StandardCharsets.UTF_8));
      default -> HttpAnswer.text(404, "nothing is here; see /metrics");
    };
  }

  private static HttpAnswer refused(Access.Refusal refusal) {
    var text = HttpAnswer.text(refusal.status(), refusal.reason());
    var headers = new HashMap<>(refusal.header());
    headers.putAll(text.headers());
    return new HttpAnswer(text.status(), headers, text.body());
  }

  @Override
  public void close() {
    listener.close();
  }
}
