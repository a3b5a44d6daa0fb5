package io.ringside.streams.publish.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.ringside.schemas.http.Access;
import io.ringside.streams.publish.ViewsUnavailable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The JDK's HTTP server on virtual threads, with bounds: so many connections, so many requests at
/// once, so many seconds for a request and its response. Reads only: no method but GET and HEAD, no
/// request body.
public final class WebServer implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(WebServer.class);
  private static final int MAX_AT_ONCE = 64;
  private static final int BACKLOG = 128;
  private static final int CONNECTIONS = 512;

  private final HttpServer server;
  private final ExecutorService threads;
  private final List<Endpoint> endpoints;
  private final Access access;
  private final Semaphore free = new Semaphore(MAX_AT_ONCE);

  private WebServer(
      HttpServer server, ExecutorService threads, List<Endpoint> endpoints, Access access) {
    this.access = access;
    this.server = server;
    this.threads = threads;
    this.endpoints = List.copyOf(endpoints);
  }

  /// Starts to listen.
  ///
  /// @param endpoints asked in this order; the first answer counts
  /// @throws IOException if the address cannot be taken
  public static WebServer start(InetSocketAddress address, List<Endpoint> endpoints)
      throws IOException {
    return start(address, endpoints, Access.OPEN);
  }

  /// The same for those only whom `access` allows.
  public static WebServer start(InetSocketAddress address, List<Endpoint> endpoints, Access access)
      throws IOException {
    var server = access.server(address, BACKLOG, CONNECTIONS);
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    var web = new WebServer(server, threads, endpoints, access);
    server.setExecutor(threads);
    server.createContext("/", web::handle);
    server.start();
    return web;
  }

  /// Where it listens, with the real port.
  public InetSocketAddress address() {
    return server.getAddress();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Wire.send(exchange, answer(exchange));
    } catch (IOException e) {
      LOGGER.atDebug().setCause(e).log("client went away");
    }
  }

  private Response answer(HttpExchange exchange) {
    if (!free.tryAcquire()) {
      return Response.error(503, "too many requests at once, try again");
    }
    try {
      var refusal = access.refusal(exchange);
      if (refusal.isPresent()) {
        refusal.get().header().forEach(exchange.getResponseHeaders()::set);
        return Response.error(refusal.get().status(), refusal.get().reason());
      }
      var request = Request.of(exchange);
      for (var endpoint : endpoints) {
        Optional<Response> response = endpoint.answer(request);
        if (response.isPresent()) {
          return response.get();
        }
      }
      return Response.error(404, "nothing is here; see /api/jobs and /api/findings");
    } catch (Refused e) {
      return Response.error(e.status(), e.reason());
    } catch (ViewsUnavailable e) {
      return Response.error(503, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      LOGGER.atError().setCause(e).addKeyValue("path", exchange.getRequestURI()).log("no answer");
      return Response.error(500, "internal error, see the service's log");
    } finally {
      free.release();
    }
  }
}
