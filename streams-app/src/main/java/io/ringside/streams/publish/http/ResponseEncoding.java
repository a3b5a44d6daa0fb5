package io.ringside.streams.publish.http;

import io.ringside.platform.http.HttpAnswer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/// What all answers have in common: headers and compression.
final class ResponseEncoding {
  private static final int COMPRESS_FROM = 1_024;

  /// Headers for security: the page loads only its own files, runs no inline script, and cannot be
  /// framed.
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

  private ResponseEncoding() {}

  /// @param accepted the client's Accept-Encoding header
  static HttpAnswer encode(Optional<String> accepted, Response response) {
    var headers = new HashMap<>(SECURITY);
    headers.putAll(response.headers());
    headers.put("Content-Type", response.contentType());
    var body = response.body();
    if (body.length >= COMPRESS_FROM && accepted.filter(ResponseEncoding::isGzip).isPresent()) {
      body = gzip(body);
      headers.put("Content-Encoding", "gzip");
    }
    headers.put("Vary", "Accept, Accept-Encoding");
    return new HttpAnswer(response.status(), headers, body);
  }

  private static boolean isGzip(String accepted) {
    return accepted.contains("gzip") && !accepted.contains("gzip;q=0");
  }

  private static byte[] gzip(byte[] body) {
    var out = new ByteArrayOutputStream(body.length / 4);
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen in memory
    }
    return out.toByteArray();
  }
}
