package io.ringside.shipper.observe;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/// `/healthz`, `/readyz` and `/metrics`. A probe answers 200 and `ok`, or 503 and the reason.
public final class HealthPage implements AutoCloseable {
  private static final int BACKLOG = 16;

  static {
    // bounds of the JDK's server, read when the first one is made; -D on the command line wins
    Map.of(
            "sun.net.httpserver.maxReqTime", "10",
            "sun.net.httpserver.maxRspTime", "30",
            "jdk.httpserver.maxConnections", "64")
        .forEach((key, value) -> System.getProperties().putIfAbsent(key, value));
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /// Starts to listen.
  ///
  /// @param dead why the agent should be restarted, if it should
  /// @param access who may read the metrics
  /// @param unready why it cannot do its work now, if it cannot
  /// @throws IOException if the address is taken
  public HealthPage(
      InetSocketAddress address,
      Supplier<Optional<String>> dead,
      Supplier<Optional<String>> unready,
      Supplier<String> metrics,
      Access access)
      throws IOException {
    try {
      server = access.server(address, BACKLOG);
    } catch (IOException e) {
      threads.close();
      throw new IOException(
          "cannot listen on %s:%d: %s"
              .formatted(address.getHostString(), address.getPort(), e.getMessage()),
          e);
    }
    server.createContext("/healthz", exchange -> probe(exchange, dead.get()));
    server.createContext("/readyz", exchange -> probe(exchange, unready.get()));
    server.createContext(
        "/metrics",
        exchange -> {
          if (access.allows(exchange)) {
            answer(exchange, 200, "text/plain; version=0.0.4; charset=utf-8", metrics.get());
          } else {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
            answer(exchange, 401, "text/plain; charset=utf-8", "a bearer token is needed");
          }
        });
    server.setExecutor(threads);
    server.start();
  }

  /// The port listened on.
  public int port() {
    return server.getAddress().getPort();
  }

  private static void probe(HttpExchange exchange, Optional<String> problem) throws IOException {
    answer(
        exchange, problem.isEmpty() ? 200 : 503, "text/plain; charset=utf-8", problem.orElse("ok"));
  }

  private static void answer(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length);
    try (var out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
