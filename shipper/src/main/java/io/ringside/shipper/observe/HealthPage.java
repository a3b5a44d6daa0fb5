package io.ringside.shipper.observe;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.ringside.schemas.http.Access;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/// `/healthz`, `/readyz` and `/metrics`. A probe answers 200 and `ok`, or 503 and the reason.
public final class HealthPage implements AutoCloseable {
  private static final int BACKLOG = 16;
  private static final int CONNECTIONS = 64;

  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

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
      server = access.server(address, BACKLOG, CONNECTIONS);
    } catch (IOException e) {
      threads.close();
      throw new IOException(
          "cannot listen on %s:%d: %s"
              .formatted(address.getHostString(), address.getPort(), e.getMessage()),
          e);
    }
    serve("/healthz", access, () -> probe(dead.get()));
    serve("/readyz", access, () -> probe(unready.get()));
    serve("/metrics", access, () -> new Page(200, METRICS, metrics.get()));
    server.setExecutor(threads);
    server.start();
  }

  /// The port listened on.
  public int port() {
    return server.getAddress().getPort();
  }

  private record Page(int status, String type, String text) {}

  private static Page probe(Optional<String> problem) {
    return new Page(problem.isEmpty() ? 200 : 503, TEXT, problem.orElse("ok"));
  }

  private void serve(String path, Access access, Supplier<Page> page) {
    server.createContext(path, exchange -> answer(exchange, access, path, page));
  }

  private static void answer(
      HttpExchange exchange, Access access, String path, Supplier<Page> wanted) throws IOException {
    try (exchange) {
      var page = page(exchange, access, path, wanted);
      byte[] body = page.text.getBytes(StandardCharsets.UTF_8);
      var headers = exchange.getResponseHeaders();
      headers.set("Content-Type", page.type);
      headers.set("X-Content-Type-Options", "nosniff");
      if (page.status >= 400) {
        headers.set("Connection", "close"); // a body may still be on its way
      }
      if (exchange.getRequestMethod().equals("HEAD")) {
        headers.set("Content-Length", Integer.toString(body.length));
        exchange.sendResponseHeaders(page.status, -1);
      } else {
        exchange.sendResponseHeaders(page.status, body.length);
        exchange.getResponseBody().write(body);
      }
    }
  }

  private static Page page(
      HttpExchange exchange, Access access, String path, Supplier<Page> wanted) {
    var refusal = access.refusal(exchange);
    if (refusal.isPresent()) {
      refusal.get().header().forEach(exchange.getResponseHeaders()::set);
      return new Page(refusal.get().status(), TEXT, refusal.get().reason());
    }
    // the JDK's contexts are prefixes
    return exchange.getRequestURI().getPath().equals(path)
        ? wanted.get()
        : new Page(404, TEXT, "nothing is here; see /metrics");
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
