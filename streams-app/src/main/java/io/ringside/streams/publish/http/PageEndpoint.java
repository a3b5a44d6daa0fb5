package io.ringside.streams.publish.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/// The page: a few static files out of the jar, held in memory, revalidated by ETag. It gets its data
/// from the API.
public final class PageEndpoint implements Endpoint {
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  private final Map<String, Asset> assets =
      Map.of(
          "", asset("index.html", "text/html; charset=utf-8"),
          "app.css", asset("app.css", "text/css; charset=utf-8"),
          "app.js", asset("app.js", SCRIPT),
          "dom.js", asset("dom.js", SCRIPT),
          "fleet.js", asset("fleet.js", SCRIPT),
          "job.js", asset("job.js", SCRIPT),
          "finding.js", asset("finding.js", SCRIPT),
          "waits.js", asset("waits.js", SCRIPT),
          "favicon.svg", asset("favicon.svg", "image/svg+xml"));

  @Override
  public Optional<Response> answer(Request request) {
    return Optional.ofNullable(assets.get(String.join("/", request.path())))
        .map(asset -> asset.answer(request));
  }

  private static Asset asset(String name, String type) {
    var path = "/web/" + name;
    try (InputStream in = PageEndpoint.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException(path + " is missing from the class path");
      }
      var body = in.readAllBytes();
      return new Asset(type, "\"" + digest(body) + "\"", body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String digest(byte[] body) {
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(body);
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Asset(String type, String etag, byte[] body) {
    Response answer(Request request) {
      var headers = Map.of("ETag", etag, "Cache-Control", "no-cache");
      return request.etag().equals(etag)
          ? new Response(304, type, headers, new byte[0])
          : new Response(200, type, headers, body);
    }
  }
}
