package io.ringside.streams.publish.http;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/// What is the same for every answer: headers, compression.
final class Wire {
  private static final int COMPRESS_FROM = 1_024;

  /// The page loads its own files only, runs no inline script, and is framed by nobody.
  private static final Map<String, String> SECURITY =
      Map.of(
          "Content-Security-Policy",
              "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                  + "connect-src 'self'; base-uri 'none'; form-action 'none'; "
                  + "frame-ancestors 'none'",
          "X-Content-Type-Options", "nosniff",
          "X-Frame-Options", "DENY",
          "Referrer-Policy", "no-referrer",
          "Cross-Origin-Opener-Policy", "same-origin",
          "Cross-Origin-Resource-Policy", "same-origin");

  private Wire() {}

  static void send(HttpExchange exchange, Response response) throws IOException {
    var headers = exchange.getResponseHeaders();
    SECURITY.forEach(headers::set);
    response.headers().forEach(headers::set);
    headers.set("Content-Type", response.contentType());
    if (response.status() >= 400) {
      headers.set("Connection", "close"); // a body may still be on its way
    }
    var body = response.body();
    if (body.length >= COMPRESS_FROM && acceptsGzip(exchange)) {
      body = gzip(body);
      headers.set("Content-Encoding", "gzip");
    }
    headers.set("Vary", "Accept, Accept-Encoding");
    if (exchange.getRequestMethod().equals("HEAD") || body.length == 0) {
      if (response.status() != 304) {
        headers.set("Content-Length", Integer.toString(body.length));
      }
      exchange.sendResponseHeaders(response.status(), -1);
      return;
    }
    exchange.sendResponseHeaders(response.status(), body.length);
    exchange.getResponseBody().write(body);
  }

  private static boolean acceptsGzip(HttpExchange exchange) {
    var accepted = exchange.getRequestHeaders().getFirst("Accept-Encoding");
    return accepted != null && accepted.contains("gzip") && !accepted.contains("gzip;q=0");
  }

  private static byte[] gzip(byte[] body) throws IOException {
    var out = new ByteArrayOutputStream(body.length / 4);
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(body);
    }
    return out.toByteArray();
  }
}
