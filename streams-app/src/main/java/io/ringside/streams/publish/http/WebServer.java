package io.ringside.streams.publish.http;

import io.ringside.platform.http.Access;
import io.ringside.platform.http.HttpAnswer;
import io.ringside.platform.http.HttpListener;
import io.ringside.platform.http.ReceivedRequest;
import io.ringside.streams.publish.ViewsUnavailable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves the page, the API and the metrics, with limits on connections, on simultaneous requests,
/// and on the seconds for a request and its response. Read-only: accepts only GET and HEAD and no
/// request body.
public final class WebServer implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(WebServer.class);
  private static final int MAX_AT_ONCE = 64;
  private static final int CONNECTIONS = 512;

  private final HttpListener listener;

  private WebServer(HttpListener listener) {
    this.listener = listener;
  }

  /// Starts listening.
  ///
  /// @param endpoints asked in this order; the first answer counts
  /// @throws IOException if the address cannot be taken
  public static WebServer start(InetSocketAddress address, List<Endpoint> endpoints)
      throws IOException {
    return start(address, endpoints, Access.OPEN);
  }

  /// The same, only for clients that `access` allows.
  public static WebServer start(InetSocketAddress address, List<Endpoint> endpoints, Access access)
      throws IOException {
    var desk = new Desk(List.copyOf(endpoints), access);
    return new WebServer(
        access.open(address, HttpListener.Bounds.of(CONNECTIONS), desk::answer, Desk::refused));
  }

  /// The address that it listens on, with the real port.
  public InetSocketAddress address() {
    return listener.address();
  }

  @Override
  public void close() {
    listener.close();
  }

  /// Dispatches requests to the endpoints.
  private record Desk(List<Endpoint> endpoints, Access access, Semaphore free) {
    Desk(List<Endpoint> endpoints, Access access) {
      this(endpoints, access, new Semaphore(MAX_AT_ONCE));
    }

    static HttpAnswer refused(Access.Refusal refusal) {
      var error = Response.error(refusal.status(), refusal.reason());
      var headers = new HashMap<>(refusal.header());
      headers.putAll(error.headers());
      return ResponseEncoding.encode(
          Optional.empty(),
          new Response(error.status(), error.contentType(), headers, error.body()));
    }

    HttpAnswer answer(ReceivedRequest asked) {
      return ResponseEncoding.encode(asked.header("Accept-Encoding"), response(asked));
    }

    private Response response(ReceivedRequest asked) {
      if (!free.tryAcquire()) {
        return Response.error(503, "too many requests at once, try again");
      }
      try {
        var whole = Request.of(asked);
        var request = access.namespace(asked).map(whole::within).orElse(whole);
        for (var endpoint : endpoints) {
          Optional<Response> response = endpoint.answer(request);
          if (response.isPresent()) {
            return response.get();
          }
        }
        return Response.error(404, "nothing is here; see /api/v1/jobs and /api/v1/findings");
      } catch (RefusedRequest e) {
        return Response.error(e.status(), e.reason());
      } catch (ViewsUnavailable e) {
        return Response.error(503, String.valueOf(e.getMessage()));
      } catch (RuntimeException e) {
        LOGGER.atError().setCause(e).addKeyValue("path", asked.uri()).log("no answer");
        return Response.error(500, "internal error, see the service's log");
      } finally {
        free.release();
      }
    }
  }
}
